import Type from 'typebox'
import { DELIVERY, listAnnouncements } from '../../events/index.ts'
import { ACCOUNTS, JOURNAL_KINDS, listPostingsByCause } from '../../ledger/index.ts'
import { idField, nullable } from '../../platform/http/index.ts'
import { encodeId } from '../../platform/ids.ts'
import { field, id, instant, money, oneOf, text } from '../../platform/resource/fields.ts'
import { resource } from '../../platform/resource/resource.ts'
import type { PublisherOperation } from '../../tenants/access/index.ts'
import { EVENT_KINDS, type PurchaseFacts, SOURCES } from './event.ts'
import type { ReportDeps } from './intake/report-routes.ts'
import { listPurchaseEvents } from './queries.ts'
import { getTransaction } from './service.ts'

const REPORTED_EVENT = resource('ReportedEvent', {
  source: oneOf(SOURCES, { example: 'CARD', description: 'Source of the report.' }),
  external_id: text({ example: 'event-1', description: 'ID of the event at its source.' }),
  kind: oneOf(EVENT_KINDS, { example: 'CLEARING', description: 'What happened.' }),
  original_external_id: text({ nullable: true, example: null, description: 'The event it refers to.' }),
  merchant_descriptor: field(
    nullable(Type.String({ description: 'The merchant, as the bank reported it.' })),
    { property: 'facts', example: 'CORNER MARKET 12 AUSTIN TX' },
    (facts: PurchaseFacts) => facts.merchantDescriptor ?? null,
  ),
  amount: money({ example: 40, description: 'The amount of the event, in major units.' }),
  currency: text({ example: 'USD' }),
  transaction_date_time: instant({
    property: 'occurredAt',
    example: '2026-11-21T10:15:30.000Z',
    description: 'When it happened, in RFC 3339 format.',
  }),
  received_at: instant({ example: '2026-11-21T10:15:31.000Z', description: 'When it was reported; RFC 3339.' }),
})
const POSTING = resource('TransactionPosting', {
  journal_id: field(
    Type.String({ description: 'ID of the journal. The postings of one journal add up to zero.' }),
    { example: 'jnl_01m9x3kbx6v9c2n5m8q1w4e7rt' },
    (journalId: string) => encodeId('jnl', journalId),
  ),
  kind: oneOf(JOURNAL_KINDS, { example: 'accrual', description: 'Why it was booked.' }),
  effective_at: instant({ example: '2026-11-21T10:15:30.000Z', description: 'When it takes effect; RFC 3339.' }),
  account: oneOf(ACCOUNTS, { title: 'LedgerAccount', example: 'user_pending', description: 'The account.' }),
  amount: money({ example: -2.4, description: 'Amount debited, in major units; negative if credited.' }),
  currency: text({ example: 'USD' }),
})
const ANNOUNCEMENT = resource('Announcement', {
  event_id: id('evt', { example: 'evt_01m9x3k2c8f0vt6r4b7n5hzq1d' }),
  event_type: text({ property: 'type', example: 'transaction.created' }),
  created_at: instant({ example: '2026-11-21T10:15:31.000Z', description: 'When it happened, in RFC 3339 format.' }),
  deliveries: field(
    Type.Array(DELIVERY.schema),
    { example: [] },
    (deliveries: readonly Parameters<typeof DELIVERY.present>[0][]) => deliveries.map(DELIVERY.present),
  ),
})

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
    answer: Type.Object({ content: Type.Array(REPORTED_EVENT.schema) }),
    example: { content: [REPORTED_EVENT.example] },
    refusals: ['transaction_not_found'],
    handler: async ({ params, publisher }) => {
      const { userId, transactionId } = await getTransaction(reader, publisher, params.transaction_uid)
      const events = await listPurchaseEvents(reader, publisher.id, [userId], [transactionId])
      const inOrder = events.sort((one, other) => one.receivedAt.getTime() - other.receivedAt.getTime())
      return { content: inOrder.map(REPORTED_EVENT.present) }
    },
  })

  operation('GET /transactions/:transaction_uid/postings', {
    config: { scope: 'rewards:read' },
    id: 'listTransactionPostings',
    summary: 'List the postings of a transaction in booking order',
    description: 'All postings of its journals, including those of the advertiser, the publisher and the service.',
    params,
    answer: Type.Object({ content: Type.Array(POSTING.schema) }),
    example: { content: [{ ...POSTING.example, account: 'advertiser_receivable', amount: 2.4 }, POSTING.example] },
    refusals: ['transaction_not_found'],
    handler: async ({ params, publisher }) => {
      const { userId, transactionId } = await getTransaction(reader, publisher, params.transaction_uid)
      const postings = await listPostingsByCause(reader, publisher.id, userId, [transactionId])
      return { content: postings.map(POSTING.present) }
    },
  })

  operation('GET /transactions/:transaction_uid/announcements', {
    config: { scope: 'webhooks:read' },
    id: 'listTransactionAnnouncements',
    summary: 'List the events that announced a transaction, oldest first, with their deliveries',
    description: 'Events and deliveries are listed for as long as they are retained.',
    params,
    answer: Type.Object({ content: Type.Array(ANNOUNCEMENT.schema) }),
    example: { content: [ANNOUNCEMENT.example] },
    refusals: ['transaction_not_found'],
    handler: async ({ params, publisher }) => {
      const { userId, transactionId } = await getTransaction(reader, publisher, params.transaction_uid)
      const events = await listAnnouncements(reader, publisher.id, userId, transactionId)
      return { content: events.map(ANNOUNCEMENT.present) }
    },
  })
}
