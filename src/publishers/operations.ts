import type { Clock } from '../platform/clock.ts'
import type { Database, Tx } from '../platform/database.ts'
import { type App, keyedDoor, operationsOn } from '../platform/http/index.ts'
import type { Vault } from '../secrets/index.ts'
import { auditRequest, stateBefore } from './audit-request.ts'
import { publisherOf } from './authenticate.ts'
import type { PublisherRefusal } from './errors.ts'
import { answerOnce } from './idempotency.ts'
import { type Publisher, publisherNow, type Scope } from './publisher.ts'
import { keptAnswersOf } from './queries.ts'

/** What operations of publishers need. */
export type OperationDeps = { readonly db: Database; readonly clock: Clock; readonly vault: Vault }

export type PublisherCaller = {
  /** Whose key came with the request. */
  readonly publisher: Publisher
  /** What that key may do. */
  readonly scopes: readonly Scope[]
  /** The publisher's present. */
  readonly now: Date
  /** Runs a write in one transaction, once per Idempotency-Key; a person's write is audited in the same commit. */
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

/** What registers the operations of one tag for publishers. */
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
