import { networkInterfaces } from 'node:os'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ControlError } from './errors.ts'

/**
 * Who reaches the simulator. Usually this machine alone; with SIMULATOR_HOST the network as well, so that a phone can
 * open the link page. Then others get the pages for users and nothing else: who controls purchases is on this machine.
 */
const PAGES_FOR_USERS = /^\/(link(?!\/token\/)|oauth|assets)(\/|\?|$)/
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/

export async function refuseStrangers({ ip, url }: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (LOOPBACK.test(ip) || PAGES_FOR_USERS.test(url) || ip === reply.request.socket.localAddress) return
  const error = new ControlError(403, 'NOT_THIS_MACHINE', 'From other machines only the link page can be used.')
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
