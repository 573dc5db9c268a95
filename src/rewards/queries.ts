import { given, type Reader, type Tx } from '../platform/database.ts'
import type { PublisherId, TransactionId, UserId } from '../platform/ids.ts'
import type { Change } from './settle.ts'
import type { Transaction } from './transaction.ts'

type Row = Omit<Transaction, 'amounts'> & {
  readonly gross: bigint
  readonly userAmount: bigint
  readonly publisherAmount: bigint
  readonly feeAmount: bigint
  readonly userDiscount: bigint
}

/** The columns of a transaction, for every statement that reads one. */
export const transactionColumns = (reader: Reader) => reader`
  t.user_id, t.transaction_id, t.source, t.external_id, t.brand_uid,
  t.match_method, t.merchant_name, t.merchant_descriptor, t.order_id,
  t.account_id, t.currency, t.amount, t.refunded, t.authorized_at, t.cleared_on, t.status,
  t.status_reason, t.offer_uid, t.offer_type, t.reward_type, t.terms, t.gross,
  t.user_amount, t.publisher_amount, t.fee_amount, t.user_discount,
  t.available_on, t.matures_at, t.lapses_at, t.earned_at, t.adjusts, t.judged_in, t.version, t.created_at,
  t.updated_at`

/** Field by field: taking five away from the rest of a row costs several times as much, and every list and batch does it. */
export function transactionOf(row: Row): Transaction {
  return {
    userId: row.userId,
    transactionId: row.transactionId,
    source: row.source,
    externalId: row.externalId,
    brandUid: row.brandUid,
    matchMethod: row.matchMethod,
    merchantName: row.merchantName,
    merchantDescriptor: row.merchantDescriptor,
    orderId: row.orderId,
    accountId: row.accountId,
    currency: row.currency,
    amount: row.amount,
    refunded: row.refunded,
    authorizedAt: row.authorizedAt,
    clearedOn: row.clearedOn,
    status: row.status,
    statusReason: row.statusReason,
    offerUid: row.offerUid,
    offerType: row.offerType,
    rewardType: row.rewardType,
    terms: row.terms,
    amounts: {
      gross: row.gross,
      user: row.userAmount,
      publisher: row.publisherAmount,
      fee: row.feeAmount,
      discount: row.userDiscount,
    },
    availableOn: row.availableOn,
    maturesAt: row.maturesAt,
    lapsesAt: row.lapsesAt,
    earnedAt: row.earnedAt,
    adjusts: row.adjusts,
    judgedIn: row.judgedIn,
    version: row.version,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

export async function listTransactionsById(
  reader: Reader,
  publisherId: PublisherId,
  ids: readonly TransactionId[],
): Promise<Transaction[]> {
  const rows = await reader<Row[]>`
    select ${transactionColumns(reader)} from transactions t
    where t.publisher_id = ${publisherId} and t.transaction_id = any(${ids as TransactionId[]}::uuid[])`
  return rows.map(transactionOf)
}

/** The transactions with these ids and whatever adjusts them. The users' balances are locked, so the rows stand still. */
export async function listGroups(
  tx: Reader,
  publisherId: PublisherId,
  userIds: readonly UserId[],
  ids: readonly TransactionId[],
): Promise<Transaction[]> {
  const rows = await tx<Row[]>`
    select ${transactionColumns(tx)} from transactions t
    where t.publisher_id = ${publisherId} and t.user_id = any(${userIds as UserId[]}::uuid[]) and t.transaction_id = any(${ids as TransactionId[]}::uuid[])
    union all
    select ${transactionColumns(tx)} from transactions t
    where t.publisher_id = ${publisherId} and t.user_id = any(${userIds as UserId[]}::uuid[]) and t.adjusts = any(${ids as TransactionId[]}::uuid[])`
  return rows.map(transactionOf)
}

const writtenColumns = (tx: Tx) => tx`
  user_id, transaction_id, source, external_id, brand_uid, match_method, merchant_name, merchant_descriptor, order_id,
  account_id, currency, amount, refunded, authorized_at, cleared_on, status, status_reason, offer_uid, offer_type,
  reward_type, terms, gross, user_amount, publisher_amount, fee_amount, user_discount, available_on, matures_at, lapses_at,
  earned_at, adjusts, judged_in, version, created_at, updated_at`

/** Transactions as rows that a statement reads from. */
function givenTransactions(tx: Tx, rows: readonly Transaction[]) {
  const flat = rows.map(({ amounts, ...row }) => ({
    ...row,
    gross: amounts.gross,
    userAmount: amounts.user,
    publisherAmount: amounts.publisher,
    feeAmount: amounts.fee,
    userDiscount: amounts.discount,
  }))
  return given(tx, flat, {
    ...{ userId: 'uuid', transactionId: 'uuid', source: 'plain', externalId: 'text', brandUid: 'text' },
    ...{ matchMethod: 'plain', merchantName: 'text', merchantDescriptor: 'text', orderId: 'text', accountId: 'text' },
    ...{ currency: 'plain', amount: 'int8', refunded: 'int8', authorizedAt: 'timestamptz', clearedOn: 'date' },
    ...{ status: 'plain', statusReason: 'plain', offerUid: 'text', offerType: 'plain', rewardType: 'plain' },
    ...{ terms: 'jsonb', gross: 'int8', userAmount: 'int8', publisherAmount: 'int8', feeAmount: 'int8' },
    ...{ userDiscount: 'int8', availableOn: 'date', maturesAt: 'timestamptz', lapsesAt: 'timestamptz' },
    ...{ earnedAt: 'timestamptz', adjusts: 'uuid' },
    ...{ judgedIn: 'int4', version: 'int4', createdAt: 'timestamptz', updatedAt: 'timestamptz' },
  })
}

/** Writes new and changed transactions: two statements, however many there are. */
export async function writeTransactions(tx: Tx, publisherId: PublisherId, changes: readonly Change[]): Promise<void> {
  const last = new Map(changes.map((change) => [change.after.transactionId, change.after]))
  const fresh = new Set(changes.filter((change) => change.before === null).map((change) => change.after.transactionId))
  const rows = [...last.values()]
  const added = rows.filter((row) => fresh.has(row.transactionId))
  const changed = rows.filter((row) => !fresh.has(row.transactionId))
  if (added.length > 0) {
    await tx`
      insert into transactions (publisher_id, ${writtenColumns(tx)})
      select ${publisherId}, ${writtenColumns(tx)} from ${givenTransactions(tx, added)}`
  }
  if (changed.length > 0) {
    await tx`
      update transactions as t set
        brand_uid = given.brand_uid, match_method = given.match_method, merchant_name = given.merchant_name,
        merchant_descriptor = given.merchant_descriptor, order_id = given.order_id, account_id = given.account_id, currency = given.currency, amount = given.amount,
        refunded = given.refunded, authorized_at = given.authorized_at, cleared_on = given.cleared_on, status = given.status,
        status_reason = given.status_reason, offer_uid = given.offer_uid, offer_type = given.offer_type, reward_type = given.reward_type,
        terms = given.terms, gross = given.gross, user_amount = given.user_amount, publisher_amount = given.publisher_amount,
        fee_amount = given.fee_amount, user_discount = given.user_discount, available_on = given.available_on, matures_at = given.matures_at,
        lapses_at = given.lapses_at, earned_at = given.earned_at, judged_in = given.judged_in, version = given.version, updated_at = given.updated_at
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
    from ${given(tx, decisions, { userId: 'uuid', transactionId: 'uuid', version: 'int4', trace: 'jsonb' })}`
}

/**
 * The newest decision that led to the offer and the brand as they are now: what was decided in between may have been put
 * back. Where none did, the newest.
 */
export async function findDecision(
  reader: Reader,
  publisherId: PublisherId,
  {
    userId,
    transactionId,
    offerUid,
    brandUid,
  }: Pick<Transaction, 'userId' | 'transactionId' | 'offerUid' | 'brandUid'>,
): Promise<object | null> {
  const [row] = await reader<{ trace: object }[]>`
    select trace from decisions
    where publisher_id = ${publisherId} and user_id = ${userId} and transaction_id = ${transactionId}
    order by (trace->>'chosen' is not distinct from ${offerUid}) desc,
      (trace->'matching'->>'brand_uid' is not distinct from ${brandUid}) desc, version desc
    limit 1`
  return row?.trace ?? null
}

/** Ripe rewards of one publisher, oldest first, with the user to lock. */
export async function listRipe(
  tx: Tx,
  publisherId: PublisherId,
  now: Date,
  limit: number,
): Promise<{ userId: UserId; transactionId: TransactionId }[]> {
  return tx<{ userId: UserId; transactionId: TransactionId }[]>`
    select user_id, transaction_id
    from transactions t
    where publisher_id = ${publisherId} and status = 'PENDING' and matures_at <= ${now}
      and not exists (
        select 1 from withheld_rewards w
        where w.user_id = t.user_id and w.transaction_id = coalesce(t.adjusts, t.transaction_id))
    order by matures_at, transaction_id
    limit ${limit}`
}

/** Publishers with ripe rewards under their own clocks: one look for all, so that a worker's round costs nothing when nothing is due. */
export async function listRipePublishers(reader: Reader, realNow: Date): Promise<PublisherId[]> {
  // all publishers: the worker's round
  const rows = await reader<{ publisherId: PublisherId }[]>`
    select p.publisher_id from publishers p
    where exists (
      select 1 from transactions t
      where t.publisher_id = p.publisher_id and t.status = 'PENDING'
        and t.matures_at <= ${realNow}::timestamptz + p.clock_offset_ms * interval '1 millisecond'
        and not exists (
          select 1 from withheld_rewards w
          where w.user_id = t.user_id and w.transaction_id = coalesce(t.adjusts, t.transaction_id)))`
  return rows.map((row) => row.publisherId)
}

/** Locks the balances of those of these users that no other transaction has locked, and returns them. */
export async function lockFreeUsers(tx: Tx, publisherId: PublisherId, userIds: readonly UserId[]): Promise<UserId[]> {
  const rows = await tx<{ userId: UserId }[]>`
    select user_id from user_balances
    where publisher_id = ${publisherId} and user_id = any(${userIds as UserId[]}::uuid[])
    order by user_id
    for update skip locked`
  return rows.map((row) => row.userId)
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
    from ${given(tx, rows, { userId: 'uuid', transactionId: 'uuid' })}
    where t.user_id = given.user_id and t.transaction_id = given.transaction_id and t.publisher_id = ${publisherId}`
}
