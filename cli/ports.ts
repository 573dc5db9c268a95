import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { UserError } from './errors.ts'

/** The port itself, or a free one for 0; null when another program holds it. @throws UserError if it cannot be had */
export async function freePortOf(host: string, port: number): Promise<number | null> {
  const server = createServer().listen({ host, port })
  try {
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return null
    throw new UserError(`Nothing can listen on HOST ${host}, PORT ${port} (${(error as Error).message}).`)
  }
  const taken = (server.address() as AddressInfo).port
  server.close()
  await once(server, 'close')
  return taken
}

// As many as other programs on one machine are likely to hold in a row.
const PORTS_TRIED = 50

/** The first free port from this one on. @throws UserError when none of the next fifty is */
export async function nextFreePort(host: string, wanted: number): Promise<number> {
  for (let port = wanted; port < wanted + PORTS_TRIED && port <= 65_535; port++) {
    const free = await freePortOf(host, port)
    if (free !== null) return free
  }
  throw new UserError(`No port from ${wanted} on is free for the simulator; set SIMULATOR_PORT to another.`)
}

export function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
