import Type, { type Static } from 'typebox'
import { DELIVERY, listAnnouncements } from '../../events/index.ts'
import { ACCOUNTS, JOURNAL_KINDS, listPostingsByCause } from '../../ledger/index.ts'
import { enumField, idField, named, namedObject, nullable } from '../../platform/http/index.ts'
import { encodeId } from '../../platform/ids.ts'
import { toJsonNumber } from '../../platform/money.ts'
import type { PublisherOperation } from '../../tenants/access/index.ts'
import { EVENT_KINDS, SOURCES, type SourceEvent } from './event.ts'
import type { ReportDeps } from './intake/report-routes.ts'
import { listPurchaseEvents } from './queries.ts'
import { getTransaction } from './service.ts'

const ReportedEventSchema = namedObject('ReportedEvent', {
  source: enumField(SOURCES, 'Source of the report.'),
  external_id: Type.String({ description: 'ID of the event at its source.' }),
  kind: enumField(EVENT_KINDS, 'What happened.'),
  original_external_id: nullable(Type.String({ description: 'The event it refers to.' })),
  merchant_descriptor: nullable(Type.String({ description: 'The merchant, as the bank reported it.' })),
  amount: Type.Number({ description: 'The amount of the event, in major units.' }),
  currency: Type.String(),
  transaction_date_time: Type.String({ description: 'When it happened, in RFC 3339 format.' }),
  received_at: Type.String({ description: 'When it was reported; RFC 3339.' }),
})
const PostingSchema = namedObject('TransactionPosting', {
  journal_id: Type.String({ description: 'ID of the journal. The postings of one journal add up to zero.' }),
  kind: enumField(JOURNAL_KINDS, 'Why it was booked.'),
  effective_at: Type.String({ description: 'When it takes effect; RFC 3339.' }),
  account: named('LedgerAccount', enumField(ACCOUNTS, 'The account.')),
  amount: Type.Number({ description: 'Amount debited, in major units; negative if credited.' }),
  currency: Type.String(),
})
const AnnouncementSchema = namedObject('Announcement', {
  event_id: Type.String(),
  event_type: Type.String(),
  created_at: Type.String({ description: 'When it happened, in RFC 3339 format.' }),
  deliveries: Type.Array(DELIVERY.schema),
})
const example: Static<typeof ReportedEventSchema> = {
  source: 'CARD',
  external_id: 'event-1',
  kind: 'CLEARING',
  original_external_id: null,
  merchant_descriptor: 'CORNER MARKET 12 AUSTIN TX',
  amount: 40,
  currency: 'USD',
  transaction_date_time: '2026-11-21T10:15:30.000Z',
  received_at: '2026-11-21T10:15:31.000Z',
}

const posting = {
  journal_id: 'jnl_01m9x3kbx6v9c2n5m8q1w4e7rt',
  kind: 'accrual',
  effective_at: example.transaction_date_time,
  account: 'user_pending',
  amount: -2.4,
  currency: 'USD',
} as const
const announcement: Static<typeof AnnouncementSchema> = {
  event_id: 'evt_01m9x3k2c8f0vt6r4b7n5hzq1d',
  event_type: 'transaction.created',
  created_at: '2026-11-21T10:15:31.000Z',
  deliveries: [],
}

/** Registers the routes that list a purchase's source events, its postings and the events that announced it. */
export function transactionEventRoutes(operation: PublisherOperation, deps: ReportDeps): void {
  const { reader } = deps.db
  const params = Type.Object({ transaction_uid: idField('The transaction.') })

  operation('GET /transactions/:transaction_uid/events', {
    config: { scope: 'transactions:read' },
    id: 'listTransactionEvents',
    summary: 'List the source events of a transaction, oldest first',
    description: 'The events that make up the purchase, as they were stored.',
    params,
    answer: Type.Object({ content: Type.Array(ReportedEventSchema) }),
    example: { content: [example] },
    refusals: ['transaction_not_found'],
    handler: async ({ params, publisher }) => {
      const { userId, transactionId } = await getTransaction(reader, publisher, params.transaction_uid)
      const events = await listPurchaseEvents(reader, publisher.id, [userId], [transactionId])
      const inOrder = events.sort((one, other) => one.receivedAt.getTime() - other.receivedAt.getTime())
      return { content: inOrder.map(present) }
    },
  })

  operation('GET /transactions/:transaction_uid/postings', {
    config: { scope: 'rewards:read' },
    id: 'listTransactionPostings',
    summary: 'List the postings of a transaction in booking order',
    description: 'All postings of its journals, including those of the advertiser, the publisher and the service.',
    params,
    answer: Type.Object({ content: Type.Array(PostingSchema) }),
    example: { content: [{ ...posting, account: 'advertiser_receivable', amount: 2.4 }, posting] },
    refusals: ['transaction_not_found'],
    handler: async ({ params, publisher }) => {
      const { userId, transactionId } = await getTransaction(reader, publisher, params.transaction_uid)
      const postings = await listPostingsByCause(reader, publisher.id, userId, [transactionId])
      return {
        content: postings.map(({ journalId, kind, effectiveAt, account, amount, currency }) => ({
          journal_id: encodeId('jnl', journalId),
          kind,
          effective_at: effectiveAt.toISOString(),
          account,
          amount: toJsonNumber(amount, currency),
          currency,
        })),
      }
    },
  })

  operation('GET /transactions/:transaction_uid/announcements', {
    config: { scope: 'webhooks:read' },
    id: 'listTransactionAnnouncements',
    summary: 'List the events that announced a transaction, oldest first, with their deliveries',
    description: 'Events and deliveries are listed for as long as they are retained.',
    params,
    answer: Type.Object({ content: Type.Array(AnnouncementSchema) }),
    example: { content: [announcement] },
    refusals: ['transaction_not_found'],
    handler: async ({ params, publisher }) => {
      const { userId, transactionId } = await getTransaction(reader, publisher, params.transaction_uid)
      const events = await listAnnouncements(reader, publisher.id, userId, transactionId)
      return {
        content: events.map(({ eventId, type, createdAt, deliveries }) => ({
          event_id: encodeId('evt', eventId),
          event_type: type,
          created_at: createdAt.toISOString(),
          deliveries: deliveries.map(DELIVERY.present),
        })),
      }
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
