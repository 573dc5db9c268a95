import type { Tx } from '../../platform/db/database.ts'
import { type App, createKeyedDoor, operationsOn } from '../../platform/http/index.ts'
import type { PublisherRefusal } from '../publishers/index.ts'
import { createOperatorAnswers } from './answer-queries.ts'
import { getCallingOperator } from './authenticate-operators.ts'
import { answerOnce } from './idempotency.ts'
import type { OperatorDeps } from './operator-deps.ts'
import type { OperatorRefusal } from './operator-errors.ts'

const DOOR = createKeyedDoor({
  listRefusals: (method, { permission }): readonly (OperatorRefusal | PublisherRefusal)[] => [
    ...(permission == null ? [] : (['role_missing'] as const)),
    // The database rejects changes to a publisher that has moved to another installation.
    ...(method === 'GET' ? [] : (['publisher_moved'] as const)),
  ],
  keepsAnswers: true,
  requestHeaders: [],
  answerHeaders: [],
})

/**
 * Registers operator operations. A handler receives the authenticated operator, the operator's actor for audit entries,
 * and `once`, which runs a write in one transaction, at most once per Idempotency-Key.
 */
export function operatorOperations(app: App, { db }: OperatorDeps) {
  return operationsOn(
    app,
    'Operators',
    (request, reply) => {
      const operator = getCallingOperator(request)
      return {
        operator,
        actor: operator.actor,
        once: <T>(verb: (tx: Tx) => Promise<T>): Promise<T> =>
          answerOnce(db, createOperatorAnswers(operator.id), request, reply, verb),
      }
    },
    DOOR,
  )
}

export type OperatorOperation = ReturnType<typeof operatorOperations>
