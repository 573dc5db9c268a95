import type { FastifyRequest } from 'fastify'

/**
 * Whether a browser sent this from a page of this service: it says so in Sec-Fetch-Site, older ones in Origin. A page of
 * another site can set neither, and what sends neither is not let in by a cookie.
 */
export function isSameOrigin({ headers, host, protocol, server }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin } = headers
  if (origin === undefined || !URL.canParse(origin)) return false
  const page = new URL(origin)
  // Behind a proxy that terminates TLS, the request itself says http. Anyone on the network can forge an http page.
  const isSecure = protocol === 'https' || server.isSecure()
  return page.host === host && (page.protocol === 'https:' || (page.protocol === 'http:' && !isSecure))
}
