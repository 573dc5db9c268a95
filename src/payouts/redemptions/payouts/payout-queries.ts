import { given, type Reader, type Tx } from '../../../platform/db/database.ts'
import type { PublisherId } from '../../../platform/ids.ts'
import type { CallQueue } from '../../../platform/queue/call-queue.ts'
import { isMoving } from '../../../tenants/publishers/index.ts'
import type { Redemption } from '../redemption.ts'

/** Payouts that the bank has not received or answered yet. */
export const PAYOUT_CALLS: CallQueue = {
  table: 'payout_queue',
  key: 'redemption_id',
  failure: 'a payout could not be sent yet',
  isHeldBack: isMoving,
}

export async function enqueuePayouts(tx: Tx, publisherId: PublisherId, queued: readonly Redemption[]): Promise<void> {
  await tx`
    insert into payout_queue (redemption_id, user_id, publisher_id, due_at)
    select redemption_id, user_id, ${publisherId}, now()
    from ${given(tx, queued, { redemptionId: 'uuid', userId: 'uuid' })}`
}

/** The position up to which a publisher's payouts at the bank were followed. */
export type PayoutCursor = { readonly publisherId: PublisherId; readonly afterSequence: bigint }

/** Starts following the publisher's payouts at the bank. */
export async function openCursor(tx: Tx, publisherId: PublisherId): Promise<void> {
  await tx`insert into payout_cursors (publisher_id, due_at) values (${publisherId}, now()) on conflict do nothing`
}

/** Claims the next publisher that is due, or the given one whether it is due or not. */
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
      where ${publisherId === null ? reader`due_at <= ${now} and not ${isMoving(reader)}` : reader`publisher_id = ${publisherId}`}
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

/** Returns false if another process has already moved the cursor. */
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
