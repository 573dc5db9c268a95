import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { UserError } from './errors.ts'

/**
 * Returns the given port, or a free one if it is 0; null if another program uses it.
 * @throws UserError if it cannot be opened for any other reason
 */
export async function findFreePort(host: string, port: number): Promise<number | null> {
  const server = createServer().listen({ host, port })
  try {
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return null
    throw new UserError(`Cannot listen on HOST ${host}, PORT ${port} (${(error as Error).message}).`)
  }
  const taken = (server.address() as AddressInfo).port
  server.close()
  await once(server, 'close')
  return taken
}

// More consecutive ports than other programs on one machine are likely to use.
const PORTS_TRIED = 50

/**
 * Returns the first free port, starting with `wanted`.
 * @throws UserError if none of 50 ports is free
 */
export async function nextFreePort(host: string, wanted: number): Promise<number> {
  for (let port = wanted; port < wanted + PORTS_TRIED && port <= 65_535; port++) {
    const free = await findFreePort(host, port)
    if (free !== null) return free
  }
  throw new UserError(`No port from ${wanted} on is free for the simulator. Set SIMULATOR_PORT to another one.`)
}

export function buildAddress(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
