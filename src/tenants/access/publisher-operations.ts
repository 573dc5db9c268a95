import type { Clock } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { type App, createKeyedDoor, operationsOn } from '../../platform/http/index.ts'
import type { Vault } from '../../platform/vault/index.ts'
import { type Publisher, type PublisherRefusal, publisherNow, type Scope } from '../publishers/index.ts'
import { createPublisherAnswers } from './answer-queries.ts'
import { auditRequest, readStateBefore } from './audit-request.ts'
import { getCallingPublisher } from './authenticate-publishers.ts'
import { answerOnce } from './idempotency.ts'

/** The dependencies of publisher operations. */
export type OperationDeps = { readonly db: Database; readonly clock: Clock; readonly vault: Vault }

export type PublisherCaller = {
  /** The publisher that the request was authenticated for. */
  readonly publisher: Publisher
  /** The scopes of the key used. */
  readonly scopes: readonly Scope[]
  /** The publisher's current time. */
  readonly now: Date
  /**
   * Runs a write in one transaction, once per Idempotency-Key. A person's write is recorded in the audit log in the
   * same transaction.
   */
  readonly once: <T>(verb: (tx: Tx) => Promise<T>) => Promise<T>
}

const DOOR = createKeyedDoor({
  listRefusals: (_method, { scope }): readonly PublisherRefusal[] => [
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
      const publisher = getCallingPublisher(request)
      const once: PublisherCaller['once'] = async (verb) => {
        const before = await readStateBefore(request)
        return answerOnce(deps.db, createPublisherAnswers(publisher.id, deps.vault), request, reply, async (tx) => {
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
