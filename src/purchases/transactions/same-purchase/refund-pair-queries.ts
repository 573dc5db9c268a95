import { asTable, type Reader, type Tx } from '../../../platform/db/database.ts'
import type { PublisherId, TransactionId, UserId } from '../../../platform/ids.ts'

/**
 * A refund that the publisher and the feed attach to different purchases, represented by the external ids of its two
 * events.
 */
export type RefundPair = {
  readonly userId: UserId
  readonly reportedRefund: string
  readonly feedRefund: string
}
/** The criteria of a search for other reports of a refund. */
type RefundSearch = {
  readonly userId: UserId
  readonly brandUid: string
  readonly currency: string
  readonly amount: bigint
  readonly fromAt: Date
  readonly untilAt: Date
}

/**
 * Returns the card purchases with such refunds. For users without a feed, this is a single lookup (`limit 1`) that
 * returns nothing.
 */
export async function listRefundsLike(
  reader: Reader,
  publisherId: PublisherId,
  searches: readonly RefundSearch[],
): Promise<TransactionId[]> {
  const rows = await reader<{ transactionId: TransactionId }[]>`
    select distinct e.transaction_id
    from ${asTable(reader, searches, {
      userId: 'uuid',
      brandUid: 'text',
      currency: 'plain',
      amount: 'int8',
      fromAt: 'timestamptz',
      untilAt: 'timestamptz',
    })}
    cross join lateral (select from feed_rows where user_id = given.user_id limit 1) as linked
    cross join lateral (
      select transaction_id from source_events
      where user_id = given.user_id and source = 'CARD' and publisher_id = ${publisherId} and kind = 'REFUND'
        and currency = given.currency and amount = given.amount and occurred_at between given.from_at and given.until_at
      offset 0
    ) as e
    join transactions t on t.user_id = given.user_id and t.transaction_id = e.transaction_id
      and t.brand_uid = given.brand_uid`
  return rows.map(({ transactionId }) => transactionId)
}

export async function listRefundPairs(
  reader: Reader,
  publisherId: PublisherId,
  userIds: readonly UserId[],
): Promise<RefundPair[]> {
  return reader<RefundPair[]>`
    select user_id, reported_refund, feed_refund from refund_pairs
    where publisher_id = ${publisherId} and user_id = any(${userIds as UserId[]}::uuid[])`
}

/** Writes changed refund pairs. Unique keys guarantee that a refund is paired at most once. */
export async function writeRefundPairs(
  tx: Tx,
  publisherId: PublisherId,
  { gone, fresh }: { readonly gone: readonly RefundPair[]; readonly fresh: readonly RefundPair[] },
  now: Date,
): Promise<void> {
  const columns = { userId: 'uuid', reportedRefund: 'text', feedRefund: 'text' } as const
  if (gone.length > 0)
    await tx`
      delete from refund_pairs as p
      using ${asTable(tx, gone, columns)}
      where p.publisher_id = ${publisherId} and p.user_id = given.user_id and p.reported_refund = given.reported_refund
        and p.feed_refund = given.feed_refund`
  if (fresh.length > 0)
    await tx`
      insert into refund_pairs (user_id, reported_refund, feed_refund, publisher_id, since)
      select user_id, reported_refund, feed_refund, ${publisherId}, ${now}
      from ${asTable(tx, fresh, columns)}`
}
