import { networkInterfaces } from 'node:os'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ControlError } from './errors.ts'

/**
 * Decides who can reach the simulator. By default it serves only this machine. With SIMULATOR_HOST it also serves the
 * network, so that phones can open the link page and services on other machines can link against it. The home page and
 * the control interface stay local, because they change the simulation and need no credentials. The item clock is the
 * exception, because services on other machines need it.
 */

const LOCAL_ROUTES = /^\/($|readme$|_sim\/(?!item-clock$))/
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/
const OWN_NAME = /^(localhost|127\.[\d.]+|\[::1\])$/

/**
 * Rejects remote calls to local-only routes. Checks the route instead of the URL, which can be spelled in many ways.
 * Also checks the host name, because any website can point a name at this machine.
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

/**
 * Returns the address at which other machines can reach a server listening on this host; null if only this machine can.
 */
export function findNetworkHost(host: string): string | null {
  if (!isWildcard(host)) return host === 'localhost' || LOOPBACK.test(host) ? null : host
  const addresses = Object.values(networkInterfaces()).flatMap((one) => one ?? [])
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? null
}

export function buildAddress(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
