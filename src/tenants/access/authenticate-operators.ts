import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { type KeyLimits, NO_LIMITS } from '../../platform/http/callers/key-limits.ts'
import { type App, authenticateKeys } from '../../platform/http/index.ts'
import { Refusal } from '../../platform/refusal.ts'
import { consoleCookie, listSessionHashes, SESSIONS_CHANGED, toAccountActor, useSession } from '../accounts/index.ts'
import { listLiveHashes } from './keys/queries.ts'
import { type Operator, toKeyActor } from './operator.ts'
import type { OperatorRefusal } from './operator-errors.ts'
import { OPERATORS_CHANGED } from './operator-keys.ts'
import { findLiveOperator, markOperatorsUsed } from './operator-queries.ts'
import { listRolesWith, type Permission } from './permissions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    operator: Operator | null
  }
  interface FastifyContextConfig {
    /** The permission that the operation requires, which every operation must declare; null accepts any valid key. */
    permission?: Permission | null
  }
}

const KEY_OF_PUBLISHER =
  "This is a publisher's key, which does not work for operator operations. Send an operator's key (lrl_operator_…)."
// Half the rate at which catalog import processes items on two cores.
const ITEMS_PER_SECOND = 5_000

/**
 * Authenticates every route registered on this app by an operator's valid key or session. The role must have the
 * permission in the route's `config.permission`. Publishers' keys and sessions are not accepted.
 */
export async function authenticateOperators(
  app: App,
  deps: {
    readonly db: Database
    readonly clock: Clock
    readonly baseUrl: string
    readonly operatorCallsPerSecond: number
    readonly strangerCallsPerSecond: number
  },
): Promise<void> {
  app.decorateRequest('operator', null)
  await authenticateKeys<KeyOfOperator>(app, deps, {
    topics: [OPERATORS_CHANGED, SESSIONS_CHANGED],
    find: (sha256) => findOperator(deps, sha256),
    listLive: () => listLiveOperators(deps.db),
    realm: 'laurel operators',
    keysOfOthers: { lrl_sandbox_: KEY_OF_PUBLISHER, lrl_live_: KEY_OF_PUBLISHER },
    cookie: consoleCookie(deps.baseUrl),
    readKey: (operator) => ({
      keyId: operator.id,
      limits: operator,
      names: { operator_id: operator.actor.id },
    }),
    markUsed: (operatorIds, day) => deps.db.transaction((tx) => markOperatorsUsed(tx, operatorIds, day)),
    pickRate: ({ id }) => ({
      owner: id,
      bucket: id,
      requests: 'calls',
      perSecond: deps.operatorCallsPerSecond,
      itemsPerSecond: ITEMS_PER_SECOND,
    }),
    admit: (operator, request) => {
      const { permission } = request.routeOptions.config
      if (permission === undefined) throw new Error('an operator operation declares no permission')
      if (permission !== null && !listRolesWith(permission).includes(operator.role)) {
        const needed = listRolesWith(permission).join(' or ')
        throw new Refusal<OperatorRefusal>('role_missing', `This operation requires the role ${needed}.`)
      }
      request.operator = operator
    },
  })
}

type KeyOfOperator = Operator & KeyLimits

/** Finds the operator with this valid key, or the person with this session. */
export async function findOperator(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  sha256: Buffer,
): Promise<KeyOfOperator | null> {
  const key = await findLiveOperator(db.reader, sha256)
  if (key !== null) return { ...key, actor: toKeyActor(key) }
  const session = await useSession(db, sha256, clock.now())
  if (session === null || session.who.kind !== 'operator') return null
  const { who } = session
  return { id: who.accountId, role: who.role, actor: toAccountActor(who), ...NO_LIMITS }
}

export async function listLiveOperators({ reader }: Database): Promise<Buffer[]> {
  return (await Promise.all([listLiveHashes(reader, 'operators'), listSessionHashes(reader, 'operator')])).flat()
}

/** Returns the operator whose key or session authenticated the request. */
export function getCallingOperator(request: FastifyRequest): Operator {
  if (request.operator === null) throw new Error('an unauthenticated route requested the operator')
  return request.operator
}
