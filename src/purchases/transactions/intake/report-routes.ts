import type { FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import type { CatalogStore } from '../../../catalog/catalog/index.ts'
import type { Tx } from '../../../platform/db/database.ts'
import {
  type App,
  checkInput,
  enumField,
  namedObject,
  namedStrictObject,
  nullable,
  Problem,
} from '../../../platform/http/index.ts'
import { encodeId } from '../../../platform/ids.ts'
import { toJsonNumber } from '../../../platform/money.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { runInSlices } from '../../../platform/slices.ts'
import type { OperationDeps, PublisherOperation } from '../../../tenants/access/index.ts'
import { type Publisher, publisherNow } from '../../../tenants/publishers/index.ts'
import type { SourceEventInput } from '../event.ts'
import { decisionExample, eventExample } from '../examples.ts'
import { presentTransaction, TRANSACTION } from '../rewards/transaction.ts'
import { EvaluateSchema, readSourceEvent, type SourceEventBody, SourceEventSchema } from '../schema.ts'
import { type Reported, reportEvents } from '../service.ts'
import { addOfferNames } from '../trace/trace.ts'
import { buildUserView } from '../trace/user-view.ts'
import { DecisionSchema, ViewQuery } from '../trace-schema.ts'
import { evaluatePurchase } from './evaluate.ts'
import type { IntakeDeps } from './intake.ts'

export type ReportDeps = IntakeDeps &
  OperationDeps & { readonly catalog: Pick<CatalogStore, 'getAssortment' | 'lookFor'> }

const BATCH_MAX = 500
const BATCH_BYTES_MAX = 10 * 1024 * 1024

const BatchSchema = namedStrictObject('TransactionBatch', {
  transactions: Type.Array(Type.Unknown(), {
    minItems: 1,
    maxItems: BATCH_MAX,
    description: 'Up to 500 events. A refused event does not affect the others.',
  }),
})
const ResultSchema = namedObject('TransactionResult', {
  index: Type.Integer(),
  status: Type.Integer({ description: '200, or the error status if this item was refused.' }),
  id: Type.Optional(Type.String({ description: 'The transaction.' })),
  transaction_status: Type.Optional(enumField(['PENDING', 'EARNED', 'CANCELLED'])),
  status_reason: Type.Optional(nullable(Type.String())),
  error: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      // The title of the schema in the API reference.
      title: 'Problem',
      type: 'object',
      additionalProperties: true,
      description: 'A problem body.',
    }),
  ),
})
type Result = Static<typeof ResultSchema>

const checkEvent = checkInput(SourceEventSchema)
const checkBatch = checkInput(BatchSchema)

export function reportRoutes(app: App, operation: PublisherOperation, deps: ReportDeps): void {
  evaluateRoutes(operation, deps)

  operation('POST /transactions', {
    config: { scope: 'transactions:write', batch: { members: ['transactions'], itemsMax: BATCH_MAX, alone: true } },
    bodyLimit: BATCH_BYTES_MAX,
    id: 'reportTransactions',
    summary: 'Report one source event, or up to 500',
    refusals: ['amount_invalid', 'date_invalid', 'brand_unknown', 'offer_unknown', 'user_not_found', 'event_conflict'],
    description:
      'The response contains the decision. Repeating an event changes nothing and returns the same response. To send a batch, use `{"transactions": [...]}`; the response is `{"results": [...]}`. Each event counts toward the rate limit of the key, which is 500 a second unless configured otherwise.',
    body: Type.Union([SourceEventSchema, BatchSchema]),
    bodyExample: eventExample,
    answer: Type.Union([TRANSACTION.schema, namedObject('TransactionResults', { results: Type.Array(ResultSchema) })]),
    example: TRANSACTION.example,
    serializerCompiler: () => JSON.stringify,
    handler: async ({ request, publisher, now, once }) => {
      const body: unknown = request.body
      if (typeof body === 'object' && body !== null && 'transactions' in body) {
        const { transactions } = checkBatch(body)
        const read = await runInSlices(readItems(publisher, transactions, now))
        await deps.catalog.lookFor(eventsAmong(read).map(({ facts }) => facts))
        return once(async (tx) => ({
          results: await reportBatch(app, deps, tx, request, publisher, read, now),
        }))
      }
      const input = readSourceEvent(publisher, checkEvent(body), now)
      const { publisher_user_id } = body as SourceEventBody
      await deps.catalog.lookFor([input.facts])
      return once(async (tx) => {
        const [reported] = await reportEvents(tx, intakeDeps(deps, publisher), publisher, [input], now)
        if (reported?.transaction == null) throw toRefusal(reported)
        return presentTransaction(reported.transaction, publisher_user_id)
      })
    },
  })
}

function evaluateRoutes(operation: PublisherOperation, deps: ReportDeps): void {
  operation('POST /transactions/evaluate', {
    config: { scope: 'transactions:write' },
    id: 'evaluateTransaction',
    summary: 'Preview what a purchase would earn',
    refusals: ['amount_invalid', 'date_invalid', 'brand_unknown', 'offer_unknown', 'user_not_found'],
    description: 'Evaluated as a new purchase made now. Nothing is stored.',
    query: ViewQuery,
    body: EvaluateSchema,
    bodyExample: eventExample,
    answer: namedObject('Evaluation', {
      eligible: Type.Boolean(),
      user_cashback: Type.Number(),
      offer_uid: nullable(Type.String()),
      status_reason: nullable(Type.String()),
      decision: DecisionSchema,
    }),
    example: {
      eligible: true,
      user_cashback: 2.5,
      offer_uid: 'off_3k1n',
      status_reason: null,
      decision: decisionExample,
    },
    serializerCompiler: () => JSON.stringify,
    unkept: true,
    handler: async ({ query, body, publisher, now }) => {
      const input = readSourceEvent(publisher, body, now)
      await deps.catalog.lookFor([input.facts])
      const explained = await evaluatePurchase(deps.db.reader, deps, publisher, input, now)
      const { trace, paid } = explained
      const { catalog } = await deps.catalog.getAssortment(publisher)
      return {
        eligible: trace.status_reason === null,
        user_cashback: toJsonNumber(paid.user, input.currency),
        offer_uid: trace.chosen,
        status_reason: trace.status_reason,
        decision: query.view === 'user' ? buildUserView(explained) : addOfferNames(trace, catalog),
      } as never
    },
  })
}

/** Ingests the valid items together and returns a result for every item. */
async function reportBatch(
  app: App,
  deps: ReportDeps,
  tx: Tx,
  request: FastifyRequest,
  publisher: Publisher,
  read: readonly (SourceEventInput | Refusal)[],
  now: Date,
): Promise<Result[]> {
  const reported = await reportEvents(tx, intakeDeps(deps, publisher), publisher, eventsAmong(read), now)
  let next = 0
  return read.map((one, index) => {
    const answer = one instanceof Refusal ? one : reported[next++]
    if (answer instanceof Refusal || answer?.transaction == null) {
      const problem = app.buildProblem(answer instanceof Refusal ? answer : toRefusal(answer), request)
      return { index, status: problem.status, error: problem }
    }
    const { transactionId, status, statusReason } = answer.transaction
    return {
      index,
      status: 200,
      id: encodeId('txn', transactionId),
      transaction_status: status,
      status_reason: statusReason,
    }
  })
}

function intakeDeps({ catalog, vault, clock }: ReportDeps, publisher: Publisher): IntakeDeps {
  return { catalog, vault, findsRefunded: true, nowUnderLock: () => publisherNow(publisher, clock) }
}

function eventsAmong(read: readonly (SourceEventInput | Refusal)[]): SourceEventInput[] {
  return read.flatMap((one) => (one instanceof Refusal ? [] : [one]))
}

function* readItems(publisher: Publisher, items: readonly unknown[], now: Date) {
  const read: (SourceEventInput | Refusal)[] = []
  for (const item of items) {
    yield
    read.push(readItem(publisher, item, now))
  }
  return read
}

function readItem(publisher: Publisher, item: unknown, now: Date): SourceEventInput | Refusal {
  try {
    if (item instanceof Refusal) return item
    return readSourceEvent(publisher, checkEvent(item), now)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

function toRefusal(reported: Reported | undefined): Refusal {
  if (reported !== undefined && 'refusal' in reported.outcome) return reported.outcome.refusal
  return new Problem('internal_error', 'An ingested event has no transaction.')
}
