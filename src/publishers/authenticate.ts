import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { type App, createStrangerCount, setAllowance } from '../platform/http/index.ts'
import { createRateLimiter } from '../platform/rate-limit.ts'
import { Refusal } from '../platform/refusal.ts'
import type { PublisherRefusal } from './errors.ts'
import { type Known, openKeyRing } from './key-ring.ts'
import type { Publisher, Scope } from './publisher.ts'

declare module 'fastify' {
  interface FastifyRequest {
    publisher: Publisher | null
  }
  interface FastifyInstance {
    /** For whoever changes a publisher in this process: the next request sees it, without waiting for the announcement. */
    forgetPublishers(): void
  }
  interface FastifyContextConfig {
    /** What the key must be allowed. Every operation behind authentication names one; null: any live key. */
    scope?: Scope | null
  }
}

/** Only dates of the interface's change log that this service speaks. */
const VERSIONS = ['2024-12-12']

/**
 * Guards every route registered on this app: the publisher comes from the key alone. Also counts the request against
 * the key's allowance and answers with the RateLimit headers.
 */
export async function authenticatePublishers(
  app: App,
  deps: { readonly db: Database; readonly clock: Clock; readonly strangerCallsPerSecond?: number },
): Promise<void> {
  const ring = await openKeyRing(deps.db)
  const limiter = createRateLimiter()
  const countStranger = createStrangerCount(deps.strangerCallsPerSecond)
  app.decorate('forgetPublishers', ring.forget)
  app.decorateRequest('publisher', null)
  app.addHook('onRequest', (request, reply, done) => {
    const nowMs = deps.clock.now().getTime()
    const key = presentedKey(request)
    const remembered = key === null ? null : ring.recall(key, nowMs)
    // Most keys are remembered, and then there is nothing to wait for.
    if (remembered !== null) {
      admit(request, reply, remembered, nowMs)
      return done()
    }
    ring
      .recognise(key, nowMs)
      .catch((error: unknown) => {
        if (error instanceof Refusal) {
          countStranger(request, reply, nowMs)
          reply.header('WWW-Authenticate', 'Bearer realm="laurel"')
        }
        throw error
      })
      .then((known) => admit(request, reply, known, nowMs))
      .then(() => done(), done)
  })

  /** @throws Refusal rate_limited, scope_missing, version_unknown */
  function admit(request: FastifyRequest, reply: FastifyReply, known: Known, nowMs: number): void {
    const read = request.method === 'GET'
    const perSecond = read ? known.publisher.readsPerSecond : known.publisher.writesPerSecond
    const verdict = limiter.take(`${known.keyId}${read ? 'r' : 'w'}`, { perSecond, burst: perSecond * 2 }, nowMs)
    setAllowance(reply, verdict)
    if (!verdict.allowed) {
      throw new Refusal<PublisherRefusal>('rate_limited', 'Too many requests with this key.', {
        retryAfterSeconds: Math.max(1, verdict.resetSeconds),
      })
    }
    const scope = request.routeOptions.config.scope
    if (scope !== undefined && scope !== null && !known.scopes.has(scope)) {
      throw new Refusal<PublisherRefusal>('scope_missing', `This key lacks the scope ${scope}.`)
    }
    checkVersion(request, reply, known.version)
    request.publisher = known.publisher
  }
}

/** The publisher whose key came with the request. */
export function publisherOf(request: FastifyRequest): Publisher {
  if (request.publisher === null) throw new Error('a route outside authentication asked for the publisher')
  return request.publisher
}

/** What came as Bearer token or X-API-Key, if it can be a key at all. */
export function presentedKey(request: FastifyRequest): string | null {
  const { authorization, 'x-api-key': header } = request.headers
  const bearer = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  const key = bearer ?? (typeof header === 'string' ? header.trim() : undefined)
  return key === undefined || key === '' || key.length > 255 ? null : key
}

function checkVersion(request: FastifyRequest, reply: FastifyReply, pinned: string): void {
  const asked = request.headers['laurel-version']
  const version = typeof asked === 'string' ? asked : pinned
  if (!VERSIONS.includes(version)) {
    throw new Refusal<PublisherRefusal>('version_unknown', `Laurel-Version must be one of ${VERSIONS.join(', ')}.`, {
      field: 'Laurel-Version',
    })
  }
  reply.header('Laurel-Version', version)
}
