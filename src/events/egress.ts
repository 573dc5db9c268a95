import { BlockList, isIP } from 'node:net'
import type { Config } from '../platform/config.ts'
import { bareHost, isLoopbackUrl, isPublicAddress } from './addresses.ts'

/**
 * The addresses to which webhooks may be sent. A publisher names the address and Laurel calls it from inside its
 * network: without this check every publisher could reach internal services. Two checks are needed. The text of the
 * address is checked when it is registered and again before each attempt. The IP addresses that it resolves to are
 * checked when the connection is made, because a name may resolve differently a moment later.
 *
 * By default these are all public addresses, and in a deployment on a developer's machine, for sandboxes, the machine
 * itself. An operator may list others, names or ranges of IP addresses, and refuse any.
 */
type EgressSettings = {
  /** Sandbox publishers may have webhooks sent to this machine. */
  readonly allowsLoopback: boolean
  /** The service is reached on this machine only, so what runs here is no secret to its publishers. */
  readonly isLocal: boolean
  readonly allowed: readonly string[]
  readonly denied: readonly string[]
  readonly proxy: string | null
}

export type Egress = EgressSettings & {
  /** Whether private addresses other than loopback may be called at all. */
  readonly allowsPrivate: boolean
  mayName(host: string): boolean
  /** Whether an address may be called by this name, or as itself. */
  mayReach(address: string, host: string): boolean
}

/** The settings of a service that is reached at `baseUrl`; null: unknown, so others may reach it. */
export function egressOf(settings: Config['webhooks'], baseUrl: string | null): Egress {
  const isLocal = baseUrl !== null && URL.canParse(baseUrl) && isLoopbackUrl(new URL(baseUrl))
  return createEgress({ ...settings, isLocal, allowsLoopback: settings.privateAddresses ?? isLocal })
}

export function createEgress(settings: EgressSettings): Egress {
  const [allowed, denied] = [listOf(settings.allowed), listOf(settings.denied)]
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

/** Why a publisher of this environment cannot have webhooks sent to an address, or null. */
export function urlFault(text: string, environment: 'sandbox' | 'production', egress: Egress): string | null {
  if (!URL.canParse(text)) return 'must be an absolute URL'
  const url = new URL(text)
  const host = bareHost(url.hostname)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must use https'
  if (url.username !== '' || url.password !== '') return 'must have no user part'
  if (url.hash !== '') return 'must have no fragment'
  if (isLoopbackUrl(url) && environment === 'sandbox' && egress.allowsLoopback) return null
  if (isLoopbackUrl(url)) return 'must not name this machine'
  if (url.protocol !== 'https:') return 'must use https'
  if (isIP(host) !== 0) return egress.mayReach(host, host) ? null : 'must be a public address'
  if (!egress.mayName(host)) return 'must be one that the operator of this service allows'
  const isInternal = ['localhost', 'local', 'internal'].some((zone) => host.endsWith(`.${zone}`))
  return isInternal && !egress.allowed.includes(host) ? 'must be a public address' : null
}

function listOf(entries: readonly string[]) {
  const ranges = new BlockList()
  const names = new Set<string>()
  const zones: string[] = []
  for (const entry of entries) {
    const range = rangeOf(entry)
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
      const host = bareHost(hostname)
      return names.has(host) || zones.some((zone) => host.endsWith(zone))
    },
  }
}

function rangeOf(entry: string) {
  const [address = '', bits] = entry.split('/')
  const version = isIP(address)
  if (version === 0) return null
  const family = version === 6 ? ('ipv6' as const) : ('ipv4' as const)
  return { address, bits: Number(bits ?? (version === 6 ? 128 : 32)), family }
}
