import { networkInterfaces } from 'node:os'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ControlError } from './errors.ts'

/**
 * Who can reach the simulator: by default only this machine; with SIMULATOR_HOST also the network, so that phones can
 * open the link page and services on other machines can link here. The home page and the control interface, which
 * change what is simulated and need no credentials, remain local; services on other machines need only the item clock.
 */
const LOCAL_ROUTES = /^\/($|readme$|_sim\/(?!item-clock$))/
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/
const OWN_NAME = /^(localhost|127\.[\d.]+|\[::1\])$/

/**
 * Judges by the route, because one route has many spellings of its address; and by the name of the host, because a page
 * on the internet may have a name that leads to this machine.
 */
export async function refuseRemoteControl(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { ip, routeOptions, socket, hostname } = request
  const isOwnCall = LOOPBACK.test(ip) || ip === socket.localAddress
  const isOwnName = OWN_NAME.test(hostname) || hostname === socket.localAddress
  if ((isOwnCall && isOwnName) || !LOCAL_ROUTES.test(routeOptions.url ?? '')) return
  const error = new ControlError(403, 'LOCAL_ONLY', 'This is available only from the machine that runs the simulator.')
  reply.status(error.status).send({ error_code: error.code, error_message: error.message })
}

export function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

/** The address at which others reach a host that is listened on; null for one that only this machine reaches. */
export function networkHostOf(host: string): string | null {
  if (!isWildcard(host)) return host === 'localhost' || LOOPBACK.test(host) ? null : host
  const addresses = Object.values(networkInterfaces()).flatMap((one) => one ?? [])
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? null
}

export function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
