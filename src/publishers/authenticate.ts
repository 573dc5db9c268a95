import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { type App, createStrangerCount, setRateLimitHeaders } from '../platform/http/index.ts'
import { openKeyCache } from '../platform/key-cache.ts'
import { createRateLimiter } from '../platform/rate-limit.ts'
import { Refusal } from '../platform/refusal.ts'
import type { PublisherRefusal } from './errors.ts'
import type { Publisher, Scope } from './publisher.ts'
import { findLiveKey, type LiveKey } from './queries.ts'
import { PUBLISHERS_CHANGED } from './service.ts'

declare module 'fastify' {
  interface FastifyRequest {
    publisher: Publisher | null
  }
  interface FastifyInstance {
    /** Makes the next request in this process see a change of a publisher, before the announcement arrives. */
    forgetPublishers(): void
  }
  interface FastifyContextConfig {
    /** The scope that the key must have. Every authenticated operation names one; null: any live key. */
    scope?: Scope | null
  }
}

/** The dates of the interface's change log that this service supports. */
const VERSIONS = ['2024-12-12']
const CACHED_KEYS_MAX = 10_000

/**
 * Authenticates every route registered on this app: the publisher follows from the key alone. Also counts the request
 * against the rate limit of the key and sets the RateLimit headers.
 */
export async function authenticatePublishers(
  app: App,
  deps: { readonly db: Database; readonly clock: Clock; readonly strangerCallsPerSecond?: number },
): Promise<void> {
  const keys = await openKeyCache(deps.db, {
    topic: PUBLISHERS_CHANGED,
    entriesMax: CACHED_KEYS_MAX,
    find: (sha256) => findLiveKey(deps.db.reader, sha256),
  })
  const limiter = createRateLimiter()
  const countStranger = createStrangerCount(deps.strangerCallsPerSecond)
  app.decorate('forgetPublishers', keys.clear)
  app.decorateRequest('publisher', null)
  app.addHook('onRequest', (request, reply, done) => {
    const nowMs = deps.clock.now().getTime()
    const key = presentedKey(request)
    const cached = key === null ? null : keys.recall(key, nowMs)
    // Most keys are cached, so that most requests need not wait.
    if (cached !== null) {
      admit(request, reply, cached, nowMs)
      return done()
    }
    authenticate(key, nowMs)
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

  /** @throws Refusal key_missing, key_invalid */
  async function authenticate(key: string | null, nowMs: number): Promise<LiveKey> {
    if (key === null)
      throw new Refusal<PublisherRefusal>('key_missing', 'Send the API key as Authorization: Bearer … or X-API-Key.')
    const known = await keys.find(key, nowMs)
    if (known === null) throw new Refusal<PublisherRefusal>('key_invalid', 'This API key is not known or was revoked.')
    return known
  }

  /** @throws Refusal rate_limited, scope_missing, version_unknown */
  function admit(request: FastifyRequest, reply: FastifyReply, known: LiveKey, nowMs: number): void {
    const read = request.method === 'GET'
    const perSecond = read ? known.publisher.readsPerSecond : known.publisher.writesPerSecond
    const verdict = limiter.take(`${known.key.keyId}${read ? 'r' : 'w'}`, { perSecond, burst: perSecond * 2 }, nowMs)
    setRateLimitHeaders(reply, verdict)
    if (!verdict.allowed) {
      throw new Refusal<PublisherRefusal>('rate_limited', 'Too many requests with this key.', {
        retryAfterSeconds: Math.max(1, verdict.resetSeconds),
      })
    }
    const scope = request.routeOptions.config.scope
    if (scope !== undefined && scope !== null && !known.key.scopes.includes(scope)) {
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

/** The Bearer token or X-API-Key of a request, if it can be a key. */
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
