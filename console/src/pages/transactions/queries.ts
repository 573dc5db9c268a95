import type { Schemas } from '../../api/client.ts'
import { PAGE_SIZE, query, rows } from '../../api/query.ts'
import { choice, type Filtered, given, search } from '../../lists/filters.ts'
import { publisherList } from '../../lists/list.ts'

export const TRANSACTIONS = publisherList(
  '/transactions',
  {
    search_text: search('Merchant, order or transaction'),
    publisher_user_id: given('User', 'show all users'),
    status: choice('Status', { PENDING: 'Pending', EARNED: 'Earned', CANCELLED: 'Canceled' }),
  },
  PAGE_SIZE,
)
export type TransactionSearch = Filtered<typeof TRANSACTIONS.filters>

const ofTransaction = (publisher: string, uid: string) => ({ publisher, path: { transaction_uid: uid } })

export const transaction = (publisher: string, uid: string) =>
  query('/transactions/{transaction_uid}', ofTransaction(publisher, uid))

/** Queries a purchase's source events in the order they were reported. */
export const reportedEvents = (publisher: string, uid: string) =>
  rows('/transactions/{transaction_uid}/events', ofTransaction(publisher, uid))

export const decision = (publisher: string, uid: string) => ({
  ...query('/transactions/{transaction_uid}/decision', ofTransaction(publisher, uid)),
  // The response is the full decision because `view` is not set.
  select: (data: unknown) => data as Schemas['Decision'],
})

/** Queries the postings of a purchase, journal by journal. */
export const postings = (publisher: string, uid: string) =>
  rows('/transactions/{transaction_uid}/postings', ofTransaction(publisher, uid))

/** Queries the events about a purchase, with every delivery of each. */
export const announcements = (publisher: string, uid: string) =>
  rows('/transactions/{transaction_uid}/announcements', ofTransaction(publisher, uid))
