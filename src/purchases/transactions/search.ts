import type { Reader } from '../../platform/db/database.ts'
import type { Paging } from '../../platform/http/index.ts'
import { buildPageClauses } from '../../platform/http/lists/page-clauses.ts'
import { decodeId, type PublisherId, type TransactionId, type UserId } from '../../platform/ids.ts'
import { SOURCES } from './event.ts'
import { countTransactionsIn } from './rewards/count-queries.ts'
import { listTransactionColumns, toTransaction } from './rewards/queries.ts'
import type { Transaction } from './rewards/transaction.ts'

export const TRANSACTION_SORTS = ['transaction_date_time', 'created_at', 'amount', 'transaction_uid'] as const
type TransactionSort = (typeof TRANSACTION_SORTS)[number]

// The index can skip this many rows in a few milliseconds.
const FAR_OFFSET = 10_000

type TransactionFilter = {
  readonly userId: UserId | null
  readonly status: string | null
  readonly searchText: string | null
  /** `from` is inclusive, `until` exclusive. */
  readonly from: Date | null
  readonly until: Date | null
}
type Conditions = TransactionFilter & {
  /** True to match the text against parts of names and ids, false to match only complete ids. */
  readonly comparesTexts: boolean
}

/**
 * True if the query reads many rows, because it searches text, jumps to a distant page or, across all users, filters by
 * a possibly rare status or sorts by anything but time.
 */
export function needsManyRows(
  { userId, status, searchText }: TransactionFilter,
  { sort, offset }: Paging<TransactionSort>,
): boolean {
  const isSorted = sort.some(({ field }) => field !== 'transaction_date_time')
  const readsAll = userId === null && (status !== null || isSorted)
  return searchText !== null || readsAll || offset > FAR_OFFSET
}

/**
 * Returns a page and the total count. If there are too many transactions for a text comparison, searches only for
 * complete ids and sets `bound` to the time of the newest transaction beyond the limit. Otherwise, `bound` is null.
 */
export async function findTransactions(
  reader: Reader,
  publisherId: PublisherId,
  filter: TransactionFilter,
  paging: Paging<TransactionSort>,
): Promise<{ readonly rows: Transaction[]; readonly total: number; readonly bound: Date | null }> {
  const bound = filter.searchText === null ? null : await findSearchBound(reader, publisherId, filter)
  const conditions = { ...filter, comparesTexts: bound === null }
  const [rows, total] = await Promise.all([
    listTransactions(reader, publisherId, conditions, paging),
    countTransactions(reader, publisherId, conditions),
  ])
  return { rows, total, bound }
}

async function listTransactions(
  reader: Reader,
  publisherId: PublisherId,
  filter: Conditions,
  paging: Paging<TransactionSort>,
): Promise<Transaction[]> {
  const columns = {
    transaction_date_time: reader`t.authorized_at`,
    created_at: reader`t.created_at`,
    amount: reader`t.amount`,
    transaction_uid: reader`t.transaction_id`,
  }
  const byDefault = { field: 'transaction_date_time', descending: true } as const
  const rows = await reader<Parameters<typeof toTransaction>[0][]>`
    select ${listTransactionColumns(reader)} from transactions t
    where ${conditions(reader, publisherId, filter)}
    ${buildPageClauses(reader, columns, paging, byDefault, reader`t.transaction_id`)}`
  return rows.map(toTransaction)
}

/** Counts the rows of one user or of a text search. All other counts are stored. */
async function countTransactions(reader: Reader, publisherId: PublisherId, filter: Conditions): Promise<number> {
  if (filter.userId === null && filter.searchText === null) return countTransactionsIn(reader, publisherId, filter)
  const [row] = await reader<
    { total: bigint }[]
  >`select count(*) as total from transactions t where ${conditions(reader, publisherId, filter)}`
  return Number(row?.total ?? 0)
}

// Comparing the text of this many transactions takes a third of a second.
export const COMPARED_MAX = 100_000

async function findSearchBound(
  reader: Reader,
  publisherId: PublisherId,
  filter: TransactionFilter,
): Promise<Date | null> {
  const inQuestion = { ...filter, status: null, searchText: null, comparesTexts: false }
  if (filter.userId === null && (await countTransactionsIn(reader, publisherId, inQuestion)) <= COMPARED_MAX)
    return null
  const [row] = await reader<{ authorizedAt: Date }[]>`
    -- all users: a publisher searches all of its own
    select t.authorized_at from transactions t
    where ${conditions(reader, publisherId, inQuestion)}
    order by t.authorized_at desc, t.transaction_id desc
    limit 1 offset ${COMPARED_MAX}`
  return row?.authorizedAt ?? null
}

function conditions(
  reader: Reader,
  publisherId: PublisherId,
  { userId, status, searchText, comparesTexts, from, until }: Conditions,
) {
  return reader`
    t.publisher_id = ${publisherId}
    ${userId === null ? reader`` : reader`and t.user_id = ${userId}`}
    ${status === null ? reader`` : reader`and t.status = ${status}`}
    ${from === null ? reader`` : reader`and t.authorized_at >= ${from}`}
    ${until === null ? reader`` : reader`and t.authorized_at < ${until}`}
    ${searchText === null ? reader`` : searchCondition(reader, publisherId, searchText, comparesTexts)}`
}

/**
 * Matches the ids of transactions and events by index and, if `comparesTexts`, parts of the merchant, order id,
 * external id and brand.
 */
function searchCondition(reader: Reader, publisherId: PublisherId, searchText: string, comparesTexts: boolean) {
  const transactionId: TransactionId | null = decodeId<'transaction'>('txn', searchText)
  // A bare UUID may also be a caller's own id.
  const isOurs = transactionId !== null && transactionId !== searchText.toLowerCase()
  if (isOurs) return reader`and t.transaction_id = ${transactionId}`
  const pattern = `%${searchText.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`
  const compared = reader`
    t.merchant_name ilike ${pattern} or t.merchant_descriptor ilike ${pattern} or t.external_id ilike ${pattern}
    or t.order_id ilike ${pattern} or t.brand_uid ilike ${pattern} or`
  return reader`
    and (${comparesTexts ? compared : reader``} (t.user_id, t.transaction_id) in (
      select e.user_id, e.transaction_id
      from source_claims c
      join source_events e on e.user_id = c.user_id and e.source = c.source and e.external_id = c.external_id
      where c.publisher_id = ${publisherId} and c.source = any(${[...SOURCES]}::text[]) and c.external_id = ${searchText}
      union all
      select user_id, transaction_id from transactions
      where publisher_id = ${publisherId} and transaction_id = ${transactionId}
    ))`
}

/** Returns the brand of a transaction, so that a catalog search for the transaction finds it. */
export async function findTransactionBrand(
  reader: Reader,
  publisherId: PublisherId,
  transactionId: TransactionId,
): Promise<string | null> {
  const [row] = await reader<{ brandUid: string | null }[]>`
    select brand_uid from transactions where publisher_id = ${publisherId} and transaction_id = ${transactionId}`
  return row?.brandUid ?? null
}
