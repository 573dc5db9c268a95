import type { Reader, SqlPart } from '../../platform/db/database.ts'
import { type KeyType, type Walk, type Walked, walk } from '../../platform/db/keyset.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import { type Transaction, transactionColumns, transactionOf } from '../rewards/index.ts'

/** Sort orders for transactions of all publishers, the default first. */
export const ACROSS_SORTS = {
  '-transaction_date_time': 'instant',
  transaction_date_time: 'instant',
  '-amount': 'integer',
  amount: 'integer',
} as const satisfies Readonly<Record<string, KeyType>>
export type AcrossSort = keyof typeof ACROSS_SORTS

export type TransactionsAsked = {
  readonly publisherId: PublisherId | null
  readonly userId: UserId | null
  readonly brandUid: string | null
  readonly offerUid: string | null
  readonly status: string | null
  readonly source: string | null
  /** `from` is inclusive, `until` exclusive. */
  readonly from: Date | null
  readonly until: Date | null
  readonly currency: string | null
  /** In minor units of `currency`, inclusive. */
  readonly amountMin: bigint | null
  readonly amountMax: bigint | null
}

export type TransactionOfPublisher = Transaction & {
  readonly publisherId: PublisherId
  readonly publisherUserId: string
}

/**
 * Returns transactions of all publishers.
 * @param sort by amount only together with a currency, because amounts in different currencies do not compare
 */
export async function walkTransactions(
  reader: Reader,
  filter: TransactionsAsked,
  sort: AcrossSort,
  paging: Walk,
): Promise<Walked<TransactionOfPublisher>> {
  const { rows, next } = await walk<Parameters<typeof transactionOf>[0] & TransactionOfPublisher>(
    reader,
    {
      columns: reader`
        ${transactionColumns(reader)}, t.publisher_id,
        (select u.publisher_user_id from users u where u.user_id = t.user_id and u.publisher_id = t.publisher_id)`,
      table: 'transactions',
      alias: 't',
      id: reader`t.transaction_id`,
      key: {
        column: ACROSS_SORTS[sort] === 'integer' ? reader`t.amount` : reader`t.authorized_at`,
        type: ACROSS_SORTS[sort],
      },
      ...conditions(reader, filter, ACROSS_SORTS[sort] === 'integer'),
    },
    paging,
  )
  return { rows: rows.map((row) => transactionOf(row) as TransactionOfPublisher), next }
}

/**
 * The filters that the index of each sort order covers. A user has few transactions, so their index covers every
 * filter.
 */
const INDEXED = {
  amount: ['currency', 'amountMin', 'amountMax'],
  brand: ['brandUid', 'from', 'until'],
  time: ['publisherId', 'from', 'until'],
} as const satisfies Readonly<Record<string, readonly (keyof TransactionsAsked)[]>>

function conditions(reader: Reader, filter: TransactionsAsked, isByAmount: boolean) {
  const { publisherId, userId, brandUid, offerUid, status, source, from, until, currency } = filter
  const { amountMin, amountMax } = filter
  const all: Readonly<Record<keyof TransactionsAsked, SqlPart>> = {
    publisherId: reader`and t.publisher_id = ${publisherId}`,
    userId: reader`and t.user_id = ${userId}`,
    brandUid: reader`and t.brand_uid = ${brandUid}`,
    offerUid: reader`and t.offer_uid = ${offerUid}`,
    status: reader`and t.status = ${status}`,
    source: reader`and t.source = ${source}`,
    from: reader`and t.authorized_at >= ${from}`,
    until: reader`and t.authorized_at < ${until}`,
    currency: reader`and t.currency = ${currency}`,
    amountMin: reader`and t.amount >= ${amountMin}`,
    amountMax: reader`and t.amount <= ${amountMax}`,
  }
  const given = (Object.keys(all) as (keyof TransactionsAsked)[]).filter((name) => filter[name] !== null)
  const inIndex: readonly string[] = INDEXED[isByAmount ? 'amount' : brandUid !== null ? 'brand' : 'time']
  const isIndexed = (name: string): boolean => userId !== null || inIndex.includes(name)
  const joined = (names: readonly (keyof TransactionsAsked)[]) =>
    names.reduce((one, name) => reader`${one} ${all[name]}`, reader``)
  const others = given.filter((name) => !isIndexed(name))
  return {
    indexed: reader`true ${joined(given.filter(isIndexed))}`,
    others: others.length === 0 ? null : joined(others),
  }
}
