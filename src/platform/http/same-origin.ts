import type { FastifyRequest } from 'fastify'

/**
 * Whether a browser sent this from a page of this service: it says so in Sec-Fetch-Site, older ones in Origin. A page of
 * another site can set neither, and what sends neither is not let in by a cookie.
 */
export function isSameOrigin({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const origin = headers.origin
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host
}
