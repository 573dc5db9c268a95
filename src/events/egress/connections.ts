import { isIP, type LookupFunction, type Socket } from 'node:net'
import type { Agent, buildConnector, Pool } from 'undici'
import { isLoopbackAddress, isLoopbackUrl, isPublicAddress, stripHost } from './addresses.ts'
import type { Egress } from './egress.ts'
import { type NameLookup, NameNotResolved } from './names.ts'

/** Opens connections to receivers, but only to allowed addresses, and through the proxy if there is one. */
export type Connections = {
  /** Returns the agent for a call, and whether its outcome must be hidden from the publisher. */
  to(url: URL): Promise<{ readonly agent: Agent; readonly isHidden: boolean }>
  close(): Promise<void>
}

type Connector = ReturnType<typeof buildConnector>
/** Returns true if an address may be called under this host name. */
type Guard = (address: string, host: string) => boolean

const CONNECT_TIMEOUT_MS = 10_000
const KEEP_ALIVE_MS = 30_000

class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED'
}
class ProxyRefused extends Error {
  readonly code = 'ECONNREFUSED'
}

/**
 * Opens three pools, so that a public name can never reuse a connection to this machine (allowed for sandboxes) or to a
 * private address that the operator allows. Undici is loaded on the first call, because loading it takes a tenth of the
 * startup time.
 */
export async function openConnections(egress: Egress, names: NameLookup): Promise<Connections> {
  const { Agent, buildConnector, Pool } = await import('undici')
  const proxy = egress.proxy === null ? null : new URL(egress.proxy)
  const proxyPool =
    proxy === null
      ? null
      : new Pool(proxy.origin, { connect: { lookup: lookupBy(names, () => true) }, connections: null })
  const open = (guard: Guard, pool: Pool | null): Agent => {
    const direct = buildConnector({ lookup: lookupBy(names, guard), timeout: CONNECT_TIMEOUT_MS, allowH2: false })
    return new Agent({
      // The deliverer limits sockets per endpoint. A limit per host would let a dead endpoint block another one on the
      // same host.
      connections: null,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connect: pool === null ? guarded(direct, guard) : tunnelled(direct, { guard, names, pool, proxy }),
    })
  }
  const loopback = open((address) => isLoopbackAddress(address), null)
  const publicly = open((address, host) => isPublicAddress(address) && egress.mayReach(address, host), proxyPool)
  const privately = open((address, host) => !isPublicAddress(address) && egress.mayReach(address, host), proxyPool)
  const isPrivate = async (host: string): Promise<boolean> => {
    if (!egress.allowsPrivate) return false
    const addresses = isIP(host) === 0 ? await names.resolve(host).catch(() => []) : [{ address: host }]
    const usable = addresses.filter(({ address }) => egress.mayReach(address, host))
    return usable.length > 0 && !usable.some(({ address }) => isPublicAddress(address))
  }
  return {
    to: async (url) => {
      const isHidden = !egress.isLocal
      if (isLoopbackUrl(url)) return { agent: loopback, isHidden }
      return (await isPrivate(stripHost(url.hostname)))
        ? { agent: privately, isHidden }
        : { agent: publicly, isHidden: false }
    },
    close: async () => {
      await Promise.all([loopback, publicly, privately, proxyPool].map((one) => one?.destroy()))
    },
  }
}

/**
 * Checks the host if it is an IP address, and always the address actually connected to. `lookupBy` checks the addresses
 * that a name resolves to.
 */
function guarded(connect: Connector, guard: Guard): Connector {
  return (options, callback) => {
    const host = stripHost(options.hostname)
    if (isIP(host) !== 0 && !guard(host, host)) return callback(new AddressRefused(), null)
    connect(options, (error, socket) => {
      if (error !== null) return callback(error, null)
      if (socket.remoteAddress === undefined || !guard(socket.remoteAddress, host)) {
        socket.destroy()
        return callback(new AddressRefused(), null)
      }
      callback(null, socket)
    })
  }
}

type Tunnel = { readonly guard: Guard; readonly names: NameLookup; readonly pool: Pool; readonly proxy: URL | null }

/**
 * Requests a tunnel to an address that we have checked, not to a name that the proxy might resolve differently. TLS
 * runs end to end between us and the receiver.
 */
function tunnelled(connect: Connector, tunnel: Tunnel): Connector {
  return (options, callback) => {
    openTunnel(tunnel, stripHost(options.hostname), options.port === '' ? '443' : options.port).then(
      (socket) => connect({ ...options, httpSocket: socket as Socket }, callback),
      (error: Error) => callback(error, null),
    )
  }
}

async function openTunnel({ guard, names, pool, proxy }: Tunnel, host: string, port: string) {
  const addresses = isIP(host) === 0 ? await names.resolve(host) : [{ address: host }]
  const usable = addresses.find(({ address }) => guard(address, host))
  if (usable === undefined) throw isIP(host) === 0 ? new NameNotResolved() : new AddressRefused()
  const target = `${isIP(usable.address) === 6 ? `[${usable.address}]` : usable.address}:${port}`
  const { username = '', password = '' } = proxy ?? {}
  const account = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const { statusCode, socket } = await pool.connect({
    path: target,
    headers: {
      host: target,
      ...(username === '' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(account).toString('base64')}` }),
    },
    signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS),
  })
  if (statusCode === 200) return socket
  socket.destroy()
  throw new ProxyRefused()
}

function lookupBy(names: NameLookup, guard: Guard): LookupFunction {
  return (host, options, callback) => {
    names.resolve(host).then(
      (addresses) => {
        const usable = addresses.filter(({ address }) => guard(address, host))
        const [first] = usable
        if (first === undefined) return callback(new NameNotResolved(), '')
        if (options.all === true) callback(null, usable)
        else callback(null, first.address, first.family)
      },
      (error: Error) => callback(error, ''),
    )
  }
}
