import { asTable, type Tx } from '../../../platform/db/database.ts'
import type { PublisherId } from '../../../platform/ids.ts'
import { CALL_RETRY_MS, type QueuedRow, type RowQueue } from '../../../platform/queue/row-queue.ts'
import { isMoving } from '../../../tenants/publishers/index.ts'
import type { Redemption } from '../redemption.ts'

/** Payouts that the bank has not received or answered yet. */
export const PAYOUT_CALLS: RowQueue = {
  name: 'payouts',
  table: 'payout_queue',
  key: 'redemption_id',
  retryMs: CALL_RETRY_MS,
  failure: 'a payout could not be sent yet',
  isHeldBack: isMoving,
}

export async function enqueuePayouts(tx: Tx, publisherId: PublisherId, queued: readonly Redemption[]): Promise<void> {
  await tx`
    insert into payout_queue (redemption_id, user_id, publisher_id, due_at)
    select redemption_id, user_id, ${publisherId}, now()
    from ${asTable(tx, queued, { redemptionId: 'uuid', userId: 'uuid' })}`
}

/** One row per publisher whose payouts at the bank are tracked. */
export const PAYOUT_CURSORS: RowQueue = {
  name: 'payout outcomes',
  table: 'payout_cursors',
  key: 'publisher_id',
  retryMs: 60_000,
  failure: 'the payout bank could not be queried',
  isHeldBack: isMoving,
}

/** The position up to which the bank's events about a publisher's payouts have been applied. */
export type PayoutCursor = QueuedRow & { readonly publisherId: PublisherId; readonly afterSequence: bigint }

/** Starts tracking the publisher's payouts at the bank. Does nothing if they are already tracked. */
export async function openCursor(tx: Tx, publisherId: PublisherId): Promise<void> {
  await tx`insert into payout_cursors (publisher_id, due_at) values (${publisherId}, now()) on conflict do nothing`
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
