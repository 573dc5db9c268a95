import type { Clock } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { type App, keyedDoor, operationsOn } from '../../platform/http/index.ts'
import type { Vault } from '../../platform/vault/index.ts'
import { keptAnswersOf, type Publisher, type PublisherRefusal, publisherNow, type Scope } from '../publishers/index.ts'
import { auditRequest, stateBefore } from './audit-request.ts'
import { publisherOf } from './authenticate-publishers.ts'
import { answerOnce } from './idempotency.ts'

/** The dependencies of publisher operations. */
export type OperationDeps = { readonly db: Database; readonly clock: Clock; readonly vault: Vault }

export type PublisherCaller = {
  /** The publisher whose key came with the request. */
  readonly publisher: Publisher
  /** The scopes of that key. */
  readonly scopes: readonly Scope[]
  /** The publisher's current time. */
  readonly now: Date
  /** Runs a write in one transaction, once per Idempotency-Key. A person's write is audited in the same transaction. */
  readonly once: <T>(verb: (tx: Tx) => Promise<T>) => Promise<T>
}

const DOOR = keyedDoor({
  refusalsOf: (_method, { scope }): readonly PublisherRefusal[] => [
    ...(['publisher_moved', 'publisher_not_found', 'version_unknown'] as const),
    ...(scope == null ? [] : (['scope_missing'] as const)),
  ],
  keepsAnswers: true,
  requestHeaders: ['Laurel-Version', 'Laurel-Publisher'],
  answerHeaders: ['Laurel-Version'],
})

/** Returns a function that registers the publisher operations of one tag. */
export function publisherOperations(app: App, deps: OperationDeps, tag: string) {
  return operationsOn(
    app,
    tag,
    (request, reply): PublisherCaller => {
      const publisher = publisherOf(request)
      const once: PublisherCaller['once'] = async (verb) => {
        const before = await stateBefore(request)
        return answerOnce(deps.db, keptAnswersOf(publisher.id, deps.vault), request, reply, async (tx) => {
          const answer = await verb(tx)
          await auditRequest(tx, request, { before, answer }, deps.clock.now())
          return answer
        })
      }
      return { publisher, scopes: request.scopes ?? [], now: publisherNow(publisher, deps.clock), once }
    },
    DOOR,
  )
}

export type PublisherOperation = ReturnType<typeof publisherOperations>
