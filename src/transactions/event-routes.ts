import Type, { type Static } from 'typebox'
import { enumOf, idField, namedObject, nullable } from '../platform/http/index.ts'
import { toJsonNumber } from '../platform/money.ts'
import type { PublisherOperation } from '../publishers/index.ts'
import { EVENT_KINDS, SOURCES, type SourceEvent } from './intake/event.ts'
import type { ReportDeps } from './intake/report-routes.ts'
import { listEventsOf } from './queries.ts'
import { getTransaction } from './service.ts'

const ReportedEventSchema = namedObject('ReportedEvent', {
  source: enumOf(SOURCES, 'Source of the report.'),
  external_id: Type.String({ description: 'Identifier of the event at its source.' }),
  kind: enumOf(EVENT_KINDS, 'What happened.'),
  original_external_id: nullable(Type.String({ description: 'The event that it refers to.' })),
  merchant_descriptor: nullable(Type.String({ description: 'The merchant, as the bank wrote it.' })),
  amount: Type.Number({ description: 'The amount of the event, in major units.' }),
  currency: Type.String(),
  transaction_date_time: Type.String({ description: 'When it happened; RFC 3339.' }),
  received_at: Type.String({ description: 'When it was reported; RFC 3339.' }),
})
const example: Static<typeof ReportedEventSchema> = {
  ...{ source: 'CARD', external_id: 'event-1', kind: 'CLEARING', original_external_id: null },
  ...{ merchant_descriptor: 'CORNER MARKET 12 AUSTIN TX', amount: 40, currency: 'USD' },
  ...{ transaction_date_time: '2026-11-21T10:15:30.000Z', received_at: '2026-11-21T10:15:31.000Z' },
}

/** What was reported about one purchase. */
export function eventRoutesOfTransactions(operation: PublisherOperation, deps: ReportDeps): void {
  operation('GET /transactions/:transaction_uid/events', {
    config: { scope: 'transactions:read' },
    id: 'listTransactionEvents',
    summary: 'List what was reported about a transaction, the oldest report first',
    description: 'The events that the purchase is folded from, as they were stored.',
    params: Type.Object({ transaction_uid: idField('The transaction.') }),
    answer: Type.Object({ content: Type.Array(ReportedEventSchema) }),
    example: { content: [example] },
    refusals: [404],
    handler: async ({ params, publisher }) => {
      const { userId, transactionId } = await getTransaction(deps.db.reader, publisher, params.transaction_uid)
      const events = await listEventsOf(deps.db.reader, publisher.id, [userId], [transactionId])
      const inOrder = events.sort((one, other) => one.receivedAt.getTime() - other.receivedAt.getTime())
      return { content: inOrder.map(present) }
    },
  })
}

function present(event: SourceEvent): Static<typeof ReportedEventSchema> {
  return {
    source: event.source,
    external_id: event.externalId,
    kind: event.kind,
    original_external_id: event.originalExternalId,
    merchant_descriptor: event.facts.merchantDescriptor ?? null,
    amount: toJsonNumber(event.amount, event.currency),
    currency: event.currency,
    transaction_date_time: event.occurredAt.toISOString(),
    received_at: event.receivedAt.toISOString(),
  }
}
