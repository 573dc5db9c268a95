import type { FastifyRequest } from 'fastify'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { type App, createStrangerCount, setAllowance } from '../platform/http/index.ts'
import { createRateLimiter } from '../platform/rate-limit.ts'
import { Refusal } from '../platform/refusal.ts'
import { type PublisherRefusal, presentedKey } from '../publishers/index.ts'
import type { OperatorRefusal } from './errors.ts'
import type { Operator, Role } from './operator.ts'
import { findLiveOperator } from './queries.ts'
import { hashOfOperatorKey, OPERATORS_CHANGED } from './service.ts'

declare module 'fastify' {
  interface FastifyRequest {
    operator: Operator | null
  }
  interface FastifyContextConfig {
    /** Whose business an operation of operators is, beside the admins'; none named: admins' alone. */
    roles?: readonly Role[]
  }
}

// Changes are announced to every process; the lifetime covers an announcement that is lost with a connection.
const REMEMBERED_MS = 5_000
const REMEMBERED_MAX = 1_000

/**
 * Guards every route registered on this app: each needs an operator's live key with one of the roles that the route
 * names in its `config.roles`. Publishers' keys are unknown here, as operators' are everywhere else.
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
  const recognise = await openOperators(deps.db)
  const limiter = createRateLimiter()
  const perSecond = deps.operatorCallsPerSecond
  const countTry = createStrangerCount(deps.strangerCallsPerSecond)
  app.decorateRequest('operator', null)
  app.addHook('onRequest', async (request, reply) => {
    const nowMs = deps.clock.now().getTime()
    const operator = await recognise(presentedKey(request), nowMs).catch((error: unknown) => {
      if (error instanceof Refusal) {
        countTry(request, reply, nowMs)
        reply.header('WWW-Authenticate', 'Bearer realm="laurel operators"')
      }
      throw error
    })
    const verdict = limiter.take(operator.id, { perSecond, burst: perSecond * 2 }, nowMs)
    setAllowance(reply, verdict)
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

/** Who comes with which key, remembered for a moment. @throws Refusal key_missing, key_invalid */
async function openOperators(db: Database): Promise<(key: string | null, nowMs: number) => Promise<Operator>> {
  const remembered = new Map<string, { readonly operator: Operator; readonly untilMs: number }>()
  let generation = 0
  await db.listen(OPERATORS_CHANGED, () => {
    generation++
    remembered.clear()
  })
  return async (key, nowMs) => {
    if (key === null)
      throw new Refusal<PublisherRefusal>('key_missing', 'Send the key as Authorization: Bearer … or X-API-Key.')
    const sha256 = hashOfOperatorKey(key)
    const name = sha256.toString('base64')
    const known = remembered.get(name)
    if (known !== undefined && known.untilMs > nowMs) return known.operator
    const began = generation
    const operator = await findLiveOperator(db.reader, sha256)
    if (operator === null) throw new Refusal<PublisherRefusal>('key_invalid', 'This key is not known or was revoked.')
    if (remembered.size >= REMEMBERED_MAX) remembered.clear()
    // What changed while it was read may not be in it: good for this request, not for later ones.
    if (began === generation) remembered.set(name, { operator, untilMs: nowMs + REMEMBERED_MS })
    return operator
  }
}
