import type { FastifyRequest } from 'fastify'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { type App, createStrangerCount, setRateLimitHeaders } from '../platform/http/index.ts'
import { openKeyCache } from '../platform/key-cache.ts'
import { createRateLimiter } from '../platform/rate-limit.ts'
import { Refusal } from '../platform/refusal.ts'
import { type PublisherRefusal, presentedKey } from '../publishers/index.ts'
import type { OperatorRefusal } from './errors.ts'
import type { Operator, Role } from './operator.ts'
import { findLiveOperator } from './queries.ts'
import { OPERATORS_CHANGED } from './service.ts'

declare module 'fastify' {
  interface FastifyRequest {
    operator: Operator | null
  }
  interface FastifyContextConfig {
    /** The roles that may call an operation of operators besides admins; without it, only admins may. */
    roles?: readonly Role[]
  }
}

const CACHED_KEYS_MAX = 1_000

/**
 * Authenticates every route registered on this app by an operator's live key and one of the roles in the route's
 * `config.roles`. Keys of publishers are unknown here, and those of operators everywhere else.
 */
export async function authenticateOperators(
  app: App,
  deps: {
    readonly db: Database
    readonly clock: Clock
    readonly operatorCallsPerSecond: number
    readonly strangerCallsPerSecond: number
  },
): Promise<void> {
  const keys = await openKeyCache(deps.db, {
    topic: OPERATORS_CHANGED,
    entriesMax: CACHED_KEYS_MAX,
    find: (sha256) => findLiveOperator(deps.db.reader, sha256),
  })
  /** @throws Refusal key_missing, key_invalid */
  const authenticate = async (key: string | null, nowMs: number): Promise<Operator> => {
    if (key === null)
      throw new Refusal<PublisherRefusal>('key_missing', 'Send the key as Authorization: Bearer … or X-API-Key.')
    const operator = keys.recall(key, nowMs) ?? (await keys.find(key, nowMs))
    if (operator === null) throw new Refusal<PublisherRefusal>('key_invalid', 'This key is not known or was revoked.')
    return operator
  }
  const limiter = createRateLimiter()
  const perSecond = deps.operatorCallsPerSecond
  const countStranger = createStrangerCount(deps.strangerCallsPerSecond)
  app.decorateRequest('operator', null)
  app.addHook('onRequest', async (request, reply) => {
    const nowMs = deps.clock.now().getTime()
    const operator = await authenticate(presentedKey(request), nowMs).catch((error: unknown) => {
      if (error instanceof Refusal) {
        countStranger(request, reply, nowMs)
        reply.header('WWW-Authenticate', 'Bearer realm="laurel operators"')
      }
      throw error
    })
    const verdict = limiter.take(operator.id, { perSecond, burst: perSecond * 2 }, nowMs)
    setRateLimitHeaders(reply, verdict)
    if (!verdict.allowed) {
      throw new Refusal<PublisherRefusal>('rate_limited', 'Too many requests with this key.', {
        retryAfterSeconds: Math.max(1, verdict.resetSeconds),
      })
    }
    const roles = request.routeOptions.config.roles ?? []
    if (operator.role !== 'admin' && !roles.includes(operator.role)) {
      const needed = ['admin', ...roles].join(' or ')
      throw new Refusal<OperatorRefusal>('role_missing', `This is for the role ${needed}.`)
    }
    request.operator = operator
  })
}

/** The operator whose key came with the request. */
export function operatorOf(request: FastifyRequest): Operator {
  if (request.operator === null) throw new Error('a route outside authentication asked for the operator')
  return request.operator
}
