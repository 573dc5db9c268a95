import { asTable, listColumns, type Reader, type SentColumns, type Tx } from '../../../platform/db/database.ts'
import type { PublisherId, TransactionId, UserId } from '../../../platform/ids.ts'
import { nowOfPublisher } from '../../../tenants/publishers/index.ts'
import type { Change } from './settle.ts'
import { restoreTerms, toStoredTerms } from './stored-terms.ts'
import type { Transaction } from './transaction.ts'

type Row = Omit<Transaction, 'amounts'> & {
  readonly gross: bigint
  readonly userAmount: bigint
  readonly publisherAmount: bigint
  readonly feeAmount: bigint
  readonly userDiscount: bigint
}

// Columns that never change, except when a user is erased.
const IDENTITY = {
  userId: 'uuid',
  transactionId: 'uuid',
  source: 'plain',
  externalId: 'text',
  adjusts: 'uuid',
  createdAt: 'timestamptz',
} satisfies SentColumns<Row>
const STATE = {
  brandUid: 'text',
  matchMethod: 'plain',
  merchantName: 'text',
  merchantDescriptor: 'text',
  orderId: 'text',
  accountId: 'text',
  currency: 'plain',
  amount: 'int8',
  refunded: 'int8',
  authorizedAt: 'timestamptz',
  clearedOn: 'date',
  status: 'plain',
  statusReason: 'plain',
  offerUid: 'text',
  offerType: 'plain',
  rewardType: 'plain',
  terms: 'jsonb',
  gross: 'int8',
  userAmount: 'int8',
  publisherAmount: 'int8',
  feeAmount: 'int8',
  userDiscount: 'int8',
  availableOn: 'date',
  maturesAt: 'timestamptz',
  lapsesAt: 'timestamptz',
  earnedAt: 'timestamptz',
  judgedIn: 'int4',
  version: 'int4',
  updatedAt: 'timestamptz',
} satisfies SentColumns<Row>

/** The columns of `transactions t`. */
export const listTransactionColumns = (reader: Reader) =>
  listColumns(reader, { ...IDENTITY, ...STATE }, (name) => `t.${name}`)

/** Mutates the driver's row, because copying it would cost several times as much. */
export function toTransaction(row: Row): Transaction {
  const { gross, userAmount: user, publisherAmount: publisher, feeAmount: fee, userDiscount: discount } = row
  return Object.assign(row, { amounts: { gross, user, publisher, fee, discount }, terms: restoreTerms(row) })
}

export async function listTransactionsById(
  reader: Reader,
  publisherId: PublisherId,
  ids: readonly TransactionId[],
): Promise<Transaction[]> {
  const rows = await reader<Row[]>`
    select ${listTransactionColumns(reader)} from transactions t
    where t.publisher_id = ${publisherId} and t.transaction_id = any(${ids as TransactionId[]}::uuid[])`
  return rows.map(toTransaction)
}

/** Returns these transactions and their adjustments. */
export async function listGroups(
  tx: Reader,
  publisherId: PublisherId,
  userIds: readonly UserId[],
  ids: readonly TransactionId[],
): Promise<Transaction[]> {
  const rows = await tx<Row[]>`
    select ${listTransactionColumns(tx)} from transactions t
    where t.publisher_id = ${publisherId} and t.user_id = any(${userIds as UserId[]}::uuid[]) and t.transaction_id = any(${ids as TransactionId[]}::uuid[])
    union all
    select ${listTransactionColumns(tx)} from transactions t
    where t.publisher_id = ${publisherId} and t.user_id = any(${userIds as UserId[]}::uuid[]) and t.adjusts = any(${ids as TransactionId[]}::uuid[])`
  return rows.map(toTransaction)
}

/** Returns the transactions as a row set for use in a statement. */
function givenTransactions(tx: Tx, rows: readonly Transaction[]) {
  const flat = rows.map(({ amounts, ...row }) => ({
    ...row,
    terms: toStoredTerms(row),
    gross: amounts.gross,
    userAmount: amounts.user,
    publisherAmount: amounts.publisher,
    feeAmount: amounts.fee,
    userDiscount: amounts.discount,
  }))
  return asTable(tx, flat, { ...IDENTITY, ...STATE })
}

/** Writes new and changed transactions in at most two statements. */
export async function writeTransactions(tx: Tx, publisherId: PublisherId, changes: readonly Change[]): Promise<void> {
  const last = new Map(changes.map((change) => [change.after.transactionId, change.after]))
  const fresh = new Set(changes.filter((change) => change.before === null).map((change) => change.after.transactionId))
  const rows = [...last.values()]
  const added = rows.filter((row) => fresh.has(row.transactionId))
  const changed = rows.filter((row) => !fresh.has(row.transactionId))
  if (added.length > 0) {
    const columns = listColumns(tx, { ...IDENTITY, ...STATE })
    await tx`
      insert into transactions (publisher_id, ${columns})
      select ${publisherId}, ${columns} from ${givenTransactions(tx, added)}`
  }
  if (changed.length > 0) {
    await tx`
      update transactions as t set ${listColumns(tx, STATE, (name) => `${name} = given.${name}`)}
      from ${givenTransactions(tx, changed)}
      where t.user_id = given.user_id and t.transaction_id = given.transaction_id and t.publisher_id = ${publisherId}`
  }
}

export type DecisionRow = {
  readonly userId: UserId
  readonly transactionId: TransactionId
  readonly version: number
  readonly trace: object
}

export async function insertDecisions(
  tx: Tx,
  publisherId: PublisherId,
  decisions: readonly DecisionRow[],
  now: Date,
): Promise<void> {
  if (decisions.length === 0) return
  await tx`
    insert into decisions (user_id, transaction_id, version, publisher_id, decided_at, trace)
    select user_id, transaction_id, version, ${publisherId}, ${now}, trace
    from ${asTable(tx, decisions, { userId: 'uuid', transactionId: 'uuid', version: 'int4', trace: 'json' })}`
}

/** Returns the traces of all decisions about a transaction, newest first. */
export async function listTraces(
  reader: Reader,
  publisherId: PublisherId,
  { userId, transactionId }: Pick<Transaction, 'userId' | 'transactionId'>,
): Promise<object[]> {
  const rows = await reader<{ trace: object }[]>`
    select trace from decisions
    where publisher_id = ${publisherId} and user_id = ${userId} and transaction_id = ${transactionId}
    order by version desc`
  return rows.map(({ trace }) => trace)
}

/** True if the reward of transaction `t` is withheld. */
const isWithheld = (reader: Reader) => reader`
  exists (
    select 1 from withheld_rewards w
    where w.user_id = t.user_id and w.publisher_id = t.publisher_id and w.transaction_id = coalesce(t.adjusts, t.transaction_id))`

/** Returns a publisher's rewards that are due to mature, oldest first. */
export async function listRipe(
  tx: Tx,
  publisherId: PublisherId,
  now: Date,
  limit: number,
): Promise<{ userId: UserId; transactionId: TransactionId }[]> {
  return tx<{ userId: UserId; transactionId: TransactionId }[]>`
    -- all users: due work of a publisher
    select user_id, transaction_id
    from transactions t
    where publisher_id = ${publisherId} and status = 'PENDING' and matures_at <= ${now} and not ${isWithheld(tx)}
    order by matures_at, transaction_id
    limit ${limit}`
}

/**
 * Returns the publishers with rewards due by their own clocks, in a single statement, so that idle rounds are cheap.
 */
export async function listRipePublishers(reader: Reader, realNow: Date): Promise<PublisherId[]> {
  const rows = await reader<{ publisherId: PublisherId }[]>`
    -- all publishers: all users: the worker's round
    select p.publisher_id from publishers p
    where p.moves_at is null and exists (
      select 1 from transactions t
      where t.publisher_id = p.publisher_id and t.status = 'PENDING'
        and t.matures_at <= ${nowOfPublisher(reader, realNow)}
        and not ${isWithheld(reader)})`
  return rows.map((row) => row.publisherId)
}

/** Returns how long the most overdue reward has been due, by its publisher's clock. */
export async function readMaturingLagSeconds(reader: Reader, realNow: Date): Promise<number> {
  const [row] = await reader<{ seconds: number | null }[]>`
    -- all publishers: all users: for whoever watches the service
    select max(extract(epoch from ${nowOfPublisher(reader, realNow)} - due.matures_at))::float8 as seconds
    from publishers p
    cross join lateral (
      select t.matures_at from transactions t
      where t.publisher_id = p.publisher_id and t.status = 'PENDING'
        and t.matures_at <= ${nowOfPublisher(reader, realNow)}
        and not ${isWithheld(reader)}
      order by t.matures_at
      limit 1
    ) as due`
  return row?.seconds ?? 0
}

export async function markEarned(
  tx: Tx,
  publisherId: PublisherId,
  rows: readonly Transaction[],
  now: Date,
): Promise<void> {
  await tx`
    update transactions as t set
      status = 'EARNED', earned_at = ${now}, matures_at = null, version = t.version + 1, updated_at = ${now}
    from ${asTable(tx, rows, { userId: 'uuid', transactionId: 'uuid' })}
    where t.user_id = given.user_id and t.transaction_id = given.transaction_id and t.publisher_id = ${publisherId}`
}
