import { networkInterfaces } from 'node:os'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ControlError } from './errors.ts'

/**
 * Who reaches the simulator. Usually this machine alone; with SIMULATOR_HOST the network as well, so that phones open
 * the link page and services on other machines link here. What needs no credentials and moves what is simulated stays
 * with this machine: the home page and the control interface.
 */
const CONTROLS = /^\/($|readme$|_sim\/(?!item-clock$))/
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/

/** Judges by the route, because one route has many spellings of its address. */
export async function refuseStrangers(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { ip, routeOptions, socket } = request
  if (LOOPBACK.test(ip) || ip === socket.localAddress || !CONTROLS.test(routeOptions.url ?? '')) return
  const error = new ControlError(403, 'NOT_THIS_MACHINE', 'The simulator is controlled from its own machine only.')
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
