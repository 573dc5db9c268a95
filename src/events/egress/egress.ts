import { BlockList, isIP } from 'node:net'
import type { Config } from '../../platform/config/config.ts'
import { isLoopbackUrl, isPublicAddress, stripHost } from './addresses.ts'

/**
 * Restricts where webhooks may be sent. A publisher chooses the URL, and Laurel calls it from inside its own network,
 * so unchecked URLs would let every publisher reach internal services. Two checks are needed. The URL itself is checked
 * when it is registered and again before each attempt. The resolved IP addresses are checked when connecting, because a
 * name might resolve differently a moment later.
 *
 * By default, all public addresses are allowed. In a deployment on a developer's machine, sandboxes may also call that
 * machine. An operator may allow other names or IP ranges, and deny any.
 */
type EgressSettings = {
  /** True if sandbox publishers may have webhooks sent to this machine. */
  readonly allowsLoopback: boolean
  /**
   * True if the service is reachable only from this machine. Its publishers can then find out what else runs here
   * anyway.
   */
  readonly isLocal: boolean
  readonly allowed: readonly string[]
  readonly denied: readonly string[]
  readonly proxy: string | null
}

export type Egress = EgressSettings & {
  /** True if any private addresses other than loopback may be called. */
  readonly allowsPrivate: boolean
  mayName(host: string): boolean
  /** Returns true if an address may be called under this host name, or by the address itself. */
  mayReach(address: string, host: string): boolean
}

/**
 * Returns the egress rules of a service reachable at `baseUrl`. If `baseUrl` is null, assumes that others can reach the
 * service.
 */
export function configureEgress(settings: Config['webhooks'], baseUrl: string | null): Egress {
  const isLocal = baseUrl !== null && URL.canParse(baseUrl) && isLoopbackUrl(new URL(baseUrl))
  return createEgress({ ...settings, isLocal, allowsLoopback: settings.privateAddresses ?? isLocal })
}

export function createEgress(settings: EgressSettings): Egress {
  const [allowed, denied] = [parseEntries(settings.allowed), parseEntries(settings.denied)]
  const allowsPublic = settings.allowed.includes('public')
  return {
    ...settings,
    allowsPrivate: allowed.hasRanges,
    mayName: (host) => !denied.names(host) && (allowsPublic || allowed.hasRanges || allowed.names(host)),
    mayReach: (address, host) => {
      if (denied.contains(address) || denied.names(host)) return false
      return allowed.contains(address) || ((allowsPublic || allowed.names(host)) && isPublicAddress(address))
    },
  }
}

/** Returns the reason why a publisher in this environment cannot have webhooks sent to a URL; null if it can. */
export function findUrlFault(text: string, environment: 'sandbox' | 'production', egress: Egress): string | null {
  if (!URL.canParse(text)) return 'must be an absolute URL'
  const url = new URL(text)
  const host = stripHost(url.hostname)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must use https'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (url.hash !== '') return 'must not have a fragment'
  if (isLoopbackUrl(url) && environment === 'sandbox' && egress.allowsLoopback) return null
  if (isLoopbackUrl(url)) return 'must not point to this machine'
  if (url.protocol !== 'https:') return 'must use https'
  if (isIP(host) !== 0) return egress.mayReach(host, host) ? null : 'must be a public address'
  if (!egress.mayName(host)) return 'must be an address that the operator of this service allows'
  const isInternal = ['localhost', 'local', 'internal'].some((zone) => host.endsWith(`.${zone}`))
  return isInternal && !egress.allowed.includes(host) ? 'must be a public address' : null
}

function parseEntries(entries: readonly string[]) {
  const ranges = new BlockList()
  const names = new Set<string>()
  const zones: string[] = []
  for (const entry of entries) {
    const range = parseRange(entry)
    if (range !== null) ranges.addSubnet(range.address, range.bits, range.family)
    else if (entry.startsWith('*.')) zones.push(entry.slice(1))
    else names.add(entry)
  }
  return {
    hasRanges: ranges.rules.length > 0,
    contains: (address: string): boolean => {
      const family = isIP(address)
      return family !== 0 && ranges.check(address, family === 6 ? 'ipv6' : 'ipv4')
    },
    names: (hostname: string): boolean => {
      const host = stripHost(hostname)
      return names.has(host) || zones.some((zone) => host.endsWith(zone))
    },
  }
}

function parseRange(entry: string) {
  const [address = '', bits] = entry.split('/')
  const version = isIP(address)
  if (version === 0) return null
  const family = version === 6 ? ('ipv6' as const) : ('ipv4' as const)
  return { address, bits: Number(bits ?? (version === 6 ? 128 : 32)), family }
}
