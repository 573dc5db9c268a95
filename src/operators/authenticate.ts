import type { FastifyRequest } from 'fastify'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { type App, authenticateKeys } from '../platform/http/index.ts'
import { encodeId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import type { OperatorRefusal } from './errors.ts'
import type { Operator } from './operator.ts'
import { type Permission, rolesWith } from './permissions.ts'
import { findLiveOperator, type KnownOperator, listLiveHashes, markOperatorsUsed } from './queries.ts'
import { OPERATORS_CHANGED } from './service.ts'

declare module 'fastify' {
  interface FastifyRequest {
    operator: Operator | null
  }
  interface FastifyContextConfig {
    /** What an operation of operators needs, which each of them names; null: any live key. */
    permission?: Permission | null
  }
}

// Half of what an import of the catalog takes in on two cores.
const ITEMS_PER_SECOND = 5_000

/**
 * Authenticates every route registered on this app by an operator's live key, whose role must have the route's
 * `config.permission`. Keys of publishers are unknown here, and those of operators everywhere else.
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
  app.decorateRequest('operator', null)
  await authenticateKeys<KnownOperator>(app, deps, {
    topic: OPERATORS_CHANGED,
    find: (sha256) => findLiveOperator(deps.db.reader, sha256),
    listLive: () => listLiveHashes(deps.db.reader),
    realm: 'laurel operators',
    keyOf: (operator) => ({
      ...{ keyId: operator.id, limits: operator },
      names: { operator_id: encodeId('opr', operator.id) },
    }),
    markUsed: (operatorIds, day) => deps.db.transaction((tx) => markOperatorsUsed(tx, operatorIds, day)),
    rateOf: ({ id }) => ({
      owner: id,
      bucket: id,
      requests: 'calls',
      perSecond: deps.operatorCallsPerSecond,
      itemsPerSecond: ITEMS_PER_SECOND,
    }),
    admit: (operator, request) => {
      const { permission } = request.routeOptions.config
      if (permission === undefined) throw new Error('an operation of operators names no permission')
      if (permission !== null && !rolesWith(permission).includes(operator.role)) {
        const needed = rolesWith(permission).join(' or ')
        throw new Refusal<OperatorRefusal>('role_missing', `This is for the role ${needed}.`)
      }
      request.operator = operator
    },
  })
}

/** The operator whose key came with the request. */
export function operatorOf(request: FastifyRequest): Operator {
  if (request.operator === null) throw new Error('a route outside authentication asked for the operator')
  return request.operator
}
