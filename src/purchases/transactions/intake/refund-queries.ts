import { asTable, type Reader, type Tx } from '../../../platform/db/database.ts'
import type { PublisherId, TransactionId, UserId } from '../../../platform/ids.ts'
import { countWaiting, type WaitingCount } from '../../../platform/queue/waiting.ts'
import type { Source, SourceEvent } from '../event.ts'
import type { Transaction } from '../rewards/transaction.ts'

type RefundKey = Pick<Transaction, 'userId' | 'transactionId'>

// Only a user's newest purchases are considered. No user makes more than this within the period considered for refunds.
const PURCHASES_MAX = 5_000

export type PurchaseRow = RefundKey & {
  readonly source: Source
  readonly left: bigint
  /** The publisher's own report of this feed purchase; null if there is none. */
  readonly reportedAs: TransactionId | null
} & Pick<
    Transaction,
    | ('accountId' | 'orderId' | 'brandUid' | 'merchantName' | 'merchantDescriptor')
    | ('currency' | 'amount' | 'authorizedAt')
  >

/**
 * Returns purchases that each user has made since the given time and that are not fully refunded. For a purchase
 * known from a linked card's feed, only refunds from other reporters are deducted, because the feed reports the same
 * refunds, which count once.
 */
export async function listRefundable(
  reader: Reader,
  publisherId: PublisherId,
  users: readonly { readonly userId: UserId; readonly since: Date }[],
): Promise<PurchaseRow[]> {
  return reader<PurchaseRow[]>`
    select purchase.*
    from ${asTable(reader, users, { userId: 'uuid', since: 'timestamptz' })}
    cross join lateral (
      select t.user_id, t.transaction_id, source, account_id, order_id, brand_uid, merchant_name, merchant_descriptor,
        currency, t.amount, authorized_at, coalesce(pair.reported_id, further.reported_id) as reported_as,
        coalesce(t.amount - in_feed.refunded, t.amount - t.refunded + coalesce(adjusted.amount, 0)) as left
      from transactions t
      left join card_pairs pair on pair.user_id = t.user_id and pair.feed_id = t.transaction_id
      left join further_card_pairs further on further.user_id = t.user_id and further.feed_id = t.transaction_id
      left join card_pairs twin on twin.user_id = t.user_id and twin.reported_id = t.transaction_id
      left join lateral (
        select sum(a.amount - a.refunded)::bigint as amount from transactions a
        where a.user_id = t.user_id and a.adjusts = t.transaction_id and a.status = 'EARNED'
      ) adjusted on true
      left join lateral (
        select coalesce(sum(e.amount - least(e.amount, undone.amount))
          filter (where e.kind = 'REFUND' and f.row_id is null), 0)::bigint as refunded
        from source_events e left join feed_rows f on f.user_id = e.user_id and f.external_id = e.external_id
        cross join lateral (
          select coalesce(sum(r.amount), 0) as amount from source_events r
          where r.user_id = e.user_id and r.source = 'CARD' and r.original_external_id = e.external_id
            and r.kind = 'REVERSAL' and e.kind = 'REFUND'
        ) undone
        where e.user_id = t.user_id and t.source = 'CARD'
          and e.transaction_id in (t.transaction_id, pair.reported_id, twin.feed_id)
        having bool_or(f.row_id is not null)
      ) in_feed on true
      where t.publisher_id = ${publisherId} and t.user_id = given.user_id and t.adjusts is null
        and t.authorized_at >= given.since and t.amount > coalesce(in_feed.refunded, t.refunded)
        and coalesce(t.status_reason, '') not in ('declined', 'original_unknown', 'reversed', 'authorization_expired', 'merged')
      order by t.authorized_at desc
      limit ${PURCHASES_MAX}
    ) purchase`
}

/** Returns these users' refunds that have not been matched to a purchase yet. */
export async function listOpenRefunds(
  reader: Reader,
  publisherId: PublisherId,
  userIds: readonly UserId[],
): Promise<RefundKey[]> {
  return reader<RefundKey[]>`
    select user_id, transaction_id from open_refunds join transactions t using (user_id, transaction_id)
    where open_refunds.publisher_id = ${publisherId} and user_id = any(${userIds as UserId[]}::uuid[])
      and status_reason = 'original_unknown'`
}

export async function insertOpenRefunds(
  tx: Tx,
  publisherId: PublisherId,
  refunds: readonly RefundKey[],
  now: Date,
): Promise<void> {
  if (refunds.length === 0) return
  await tx`
    insert into open_refunds (user_id, transaction_id, publisher_id, since)
    select user_id, transaction_id, ${publisherId}, ${now}
    from ${asTable(tx, refunds, { userId: 'uuid', transactionId: 'uuid' })}`
}

export async function deleteOpenRefunds(
  tx: Tx,
  publisherId: PublisherId,
  refunds: readonly RefundKey[],
): Promise<void> {
  if (refunds.length === 0) return
  await tx`
    delete from open_refunds
    where publisher_id = ${publisherId}
      and (user_id, transaction_id) in (
        select user_id, transaction_id from ${asTable(tx, refunds, { userId: 'uuid', transactionId: 'uuid' })})`
}

/** A refund reported by a publisher for which no purchase was found. */
export type OpenRefund = RefundKey &
  Pick<SourceEvent, 'source' | 'currency' | 'amount' | 'occurredAt'> & {
    readonly publisherId: PublisherId
    readonly merchant: string
  }

/** The refunds reported by publishers for which no purchase was found, as a subquery. */
export const selectOpenRefunds = (reader: Reader) => reader`(
  -- all publishers: operators decide on every publisher's refunds
  select o.publisher_id, user_id, transaction_id, o.since, t.source, t.currency, e.amount, e.merchant, e.occurred_at
  from open_refunds o join transactions t using (user_id, transaction_id)
  cross join lateral (
    select amount, occurred_at, coalesce(facts ->> 'merchantName', facts ->> 'merchantDescriptor', '') as merchant
    from source_events
    where user_id = t.user_id and transaction_id = t.transaction_id and kind = 'REFUND'
    limit 1
  ) e
  where t.status_reason = 'original_unknown')`

export async function findOpenRefund(reader: Reader, transactionId: TransactionId): Promise<OpenRefund | null> {
  // all publishers: operators pass only the refund's id, not its publisher
  const [row] = await reader<OpenRefund[]>`
    select * from ${selectOpenRefunds(reader)} as refunds where transaction_id = ${transactionId} limit 1`
  return row ?? null
}

/** Counts publisher-reported refunds that are still unmatched and returns when the oldest began waiting. */
export async function countWaitingReportedRefunds(reader: Reader): Promise<WaitingCount> {
  return countWaiting(
    reader,
    (limit) => reader`
      -- all publishers: all users: operators look after the refunds of all
      select since from open_refunds order by since limit ${limit}`,
  )
}

export async function countOpenRefunds(reader: Reader): Promise<number> {
  // all publishers: one number for the installation
  const [row] = await reader<{ count: number }[]>`
    -- all users: one number for the installation
    select count(*)::int as count from open_refunds`
  return row?.count ?? 0
}
