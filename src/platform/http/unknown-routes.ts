import type { FastifyInstance } from 'fastify'
import { systemClock } from '../clock.ts'
import type { createStrangerCount } from './callers/strangers.ts'
import { Problem } from './problems.ts'

/**
 * Refuses an unknown path or method before the body is read, because errors in the body no longer matter. Records the
 * paths of all operations registered from now on, because the router can tell that a method is missing but not which
 * methods the path supports.
 */
export function refuseUnknownRoutes(
  app: Pick<FastifyInstance, 'addHook'>,
  countStranger: ReturnType<typeof createStrangerCount>,
): void {
  const known: { readonly method: string; readonly address: RegExp }[] = []
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) known.push({ method: one, address: buildPattern(url) })
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    countStranger(request, reply, systemClock.now().getTime())
    const path = request.url.replace(/[?#].*$/, '')
    const methods = known.filter(({ address }) => address.test(path)).map(({ method }) => method)
    if (methods.length === 0)
      throw new Problem('route_not_found', `There is no ${request.method} operation at this URL.`)
    const allowed = [...new Set(methods)].sort().join(', ')
    reply.header('Allow', allowed)
    throw new Problem('method_not_allowed', `This URL supports ${allowed}, not ${request.method}.`)
  })
}

/** Matches like the router: a parameter matches any segment, and a trailing slash is ignored. */
function buildPattern(url: string): RegExp {
  const literal = url.replace(/\/$/, '').replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replaceAll('*', '.*').replaceAll(/:\w+/g, '[^/]+')}/?$`)
}
