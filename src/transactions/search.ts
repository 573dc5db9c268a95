import type { Reader } from '../platform/database.ts'
import type { Paging } from '../platform/http/index.ts'
import { decodeId, type PublisherId, type TransactionId, type UserId } from '../platform/ids.ts'
import { listCountOf } from '../platform/list-counts.ts'
import { pageClauses } from '../platform/page-clauses.ts'
import { type Transaction, transactionColumns, transactionOf } from '../rewards/index.ts'
import { SOURCES } from './intake/event.ts'

export const TRANSACTION_SORTS = ['transaction_date_time', 'created_at', 'amount', 'transaction_uid'] as const
type TransactionSort = (typeof TRANSACTION_SORTS)[number]

type TransactionFilter = {
  readonly userId: UserId | null
  readonly status: string | null
  readonly searchText: string | null
  /** Instants: from inclusive, until exclusive. */
  readonly from: Date | null
  readonly until: Date | null
}

export async function listTransactions(
  reader: Reader,
  publisherId: PublisherId,
  filter: TransactionFilter,
  paging: Paging<TransactionSort>,
): Promise<Transaction[]> {
  const columns = {
    transaction_date_time: reader`t.authorized_at`,
    created_at: reader`t.created_at`,
    amount: reader`t.amount`,
    transaction_uid: reader`t.transaction_id`,
  }
  const byDefault = { field: 'transaction_date_time', descending: true } as const
  const rows = await reader<Parameters<typeof transactionOf>[0][]>`
    select ${transactionColumns(reader)} from transactions t
    where ${conditions(reader, publisherId, filter)}
    ${pageClauses(reader, columns, paging, byDefault, reader`t.transaction_id`)}`
  return rows.map(transactionOf)
}

/** The unfiltered list has a stored count. */
export async function countTransactions(
  reader: Reader,
  publisherId: PublisherId,
  filter: TransactionFilter,
): Promise<number> {
  const { userId, status, searchText, from, until } = filter
  const whole = [userId, status, searchText, from, until].every((condition) => condition === null)
  if (whole) return listCountOf(reader, publisherId, 'transactions')
  const [row] = await reader<
    { total: bigint }[]
  >`select count(*) as total from transactions t where ${conditions(reader, publisherId, filter)}`
  return Number(row?.total ?? 0)
}

function conditions(
  reader: Reader,
  publisherId: PublisherId,
  { userId, status, searchText, from, until }: TransactionFilter,
) {
  return reader`
    t.publisher_id = ${publisherId}
    ${userId === null ? reader`` : reader`and t.user_id = ${userId}`}
    ${status === null ? reader`` : reader`and t.status = ${status}`}
    ${from === null ? reader`` : reader`and t.authorized_at >= ${from}`}
    ${until === null ? reader`` : reader`and t.authorized_at < ${until}`}
    ${searchText === null ? reader`` : searchCondition(reader, publisherId, searchText)}`
}

/** Searches ids of transactions and events, and parts of merchant and order. */
function searchCondition(reader: Reader, publisherId: PublisherId, searchText: string) {
  const transactionId: TransactionId | null = decodeId<'transaction'>('txn', searchText)
  // A bare UUID can be a caller's own id as well.
  const isOurs = transactionId !== null && transactionId !== searchText.toLowerCase()
  if (isOurs) return reader`and t.transaction_id = ${transactionId}`
  const pattern = `%${searchText.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`
  return reader`
    and (t.merchant_name ilike ${pattern} or t.merchant_descriptor ilike ${pattern} or t.external_id ilike ${pattern}
      or t.order_id ilike ${pattern} or t.brand_uid ilike ${pattern}
      or t.transaction_id = ${transactionId}
      or (t.user_id, t.transaction_id) in (
        select e.user_id, e.transaction_id
        from source_claims c
        join source_events e on e.user_id = c.user_id and e.source = c.source and e.external_id = c.external_id
        where c.publisher_id = ${publisherId} and c.source = any(${[...SOURCES]}::text[]) and c.external_id = ${searchText}
      ))`
}

/** The brand of a transaction, by which the search of the catalog finds it. */
export async function brandOfTransaction(
  reader: Reader,
  publisherId: PublisherId,
  transactionId: TransactionId,
): Promise<string | null> {
  const [row] = await reader<{ brandUid: string | null }[]>`
    select brand_uid from transactions where publisher_id = ${publisherId} and transaction_id = ${transactionId}`
  return row?.brandUid ?? null
}
