import { given, type Reader, type Tx } from '../platform/database.ts'
import type { PublisherId, UserId } from '../platform/ids.ts'
import type { Redemption, RedemptionId } from './redemption.ts'

/** A payout that the bank has yet to be told of, or to answer. */
export type QueuedPayout = {
  readonly redemptionId: RedemptionId
  readonly userId: UserId
  readonly publisherId: PublisherId
  /** Including this one. */
  readonly attempts: number
}

export async function enqueuePayouts(tx: Tx, publisherId: PublisherId, queued: readonly Redemption[]): Promise<void> {
  await tx`
    insert into payout_queue (redemption_id, user_id, publisher_id, due_at)
    select redemption_id, user_id, ${publisherId}, now()
    from ${given(tx, queued, { redemptionId: 'uuid', userId: 'uuid' })}`
}

/**
 * Claims due payouts until an instant, after which others take them over. With a publisher: all of its, even those that
 * another process holds, for a caller that waits for them; the bank pays once however often it is told.
 */
export async function claimPayouts(
  reader: Reader,
  publisherId: PublisherId | null,
  { now, until, limit }: { readonly now: Date; readonly until: Date; readonly limit: number },
): Promise<QueuedPayout[]> {
  return reader<QueuedPayout[]>`
    -- all publishers: the queue is everybody's
    update payout_queue q set due_at = ${until}, attempts = q.attempts + 1
    from (
      select redemption_id from payout_queue
      where ${publisherId === null ? reader`due_at <= ${now}` : reader`publisher_id = ${publisherId}`}
      order by due_at
      limit ${limit}
      for update ${publisherId === null ? reader`skip locked` : reader``}
    ) as due
    where q.redemption_id = due.redemption_id
    returning q.redemption_id, q.user_id, q.publisher_id, q.attempts`
}

export async function postponePayout(
  reader: Reader,
  { publisherId, redemptionId }: QueuedPayout,
  dueAt: Date,
): Promise<void> {
  await reader`
    update payout_queue set due_at = ${dueAt}
    where publisher_id = ${publisherId} and redemption_id = ${redemptionId}`
}

export async function dequeuePayout(tx: Tx, { publisherId, redemptionId }: QueuedPayout): Promise<void> {
  await tx`delete from payout_queue where publisher_id = ${publisherId} and redemption_id = ${redemptionId}`
}

/** Those that the bank was told of more than once. */
export async function countUnanswered(reader: Reader): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    -- all publishers: totals for metrics
    select count(*)::int as count from payout_queue where attempts > 1`
  return row?.count ?? 0
}

/** What a publisher's payouts at the bank have been followed up to. */
export type PayoutCursor = { readonly publisherId: PublisherId; readonly afterSequence: bigint }

/** From now on the bank is asked what became of the publisher's payouts. */
export async function openCursor(tx: Tx, publisherId: PublisherId): Promise<void> {
  await tx`insert into payout_cursors (publisher_id, due_at) values (${publisherId}, now()) on conflict do nothing`
}

/** The next publisher that is due; with one given: that one, due or not. */
export async function claimCursor(
  reader: Reader,
  publisherId: PublisherId | null,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<PayoutCursor | null> {
  const [row] = await reader<PayoutCursor[]>`
    -- all publishers: the queue is everybody's
    update payout_cursors c set due_at = ${until}
    from (
      select publisher_id from payout_cursors
      where ${publisherId === null ? reader`due_at <= ${now}` : reader`publisher_id = ${publisherId}`}
      order by due_at
      limit 1
      for update ${publisherId === null ? reader`skip locked` : reader``}
    ) as due
    where c.publisher_id = due.publisher_id
    returning c.publisher_id, c.after_sequence`
  return row ?? null
}

export async function postponeCursor(reader: Reader, { publisherId }: PayoutCursor, dueAt: Date): Promise<void> {
  await reader`update payout_cursors set due_at = ${dueAt} where publisher_id = ${publisherId}`
}

/** Returns false when another process has followed it further in the meantime. */
export async function moveCursor(
  tx: Tx,
  { publisherId, afterSequence }: PayoutCursor,
  nextAfter: bigint,
): Promise<boolean> {
  const { count } = await tx`
    update payout_cursors set after_sequence = ${nextAfter}
    where publisher_id = ${publisherId} and after_sequence = ${afterSequence}`
  return count === 1
}
