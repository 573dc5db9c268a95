import type { FastifyRequest } from 'fastify'

/**
 * Returns true if a browser sent the request from a page of this service. Browsers report this in Sec-Fetch-Site, and
 * older browsers in Origin. Pages of other sites can set neither header, and requests with neither are not trusted.
 */
export function isSameOrigin({ headers, host, protocol, server }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin } = headers
  if (origin === undefined || !URL.canParse(origin)) return false
  const page = new URL(origin)
  // Behind a proxy that terminates TLS, the request itself appears as http. Anyone on the network can forge an http
  // page.
  const isSecure = protocol === 'https' || server.isSecure()
  return page.host === host && (page.protocol === 'https:' || (page.protocol === 'http:' && !isSecure))
}
