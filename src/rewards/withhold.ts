import { openBook } from '../ledger/index.ts'
import type { Tx } from '../platform/database.ts'
import type { PublisherId, UserId } from '../platform/ids.ts'
import type { Publisher } from '../publishers/index.ts'
import { deleteWithheld, insertWithheld, type Withholding } from './withheld-queries.ts'

/**
 * Keeps rewards from maturing while it is unknown whether their purchases stand. They are still shown as pending, adjusted
 * and taken back. Waits for a transaction that is maturing rewards of the user.
 */
export async function withholdRewards(
  tx: Tx,
  publisher: Publisher,
  userId: UserId,
  withholdings: readonly Withholding[],
  now: Date,
): Promise<void> {
  await openBook(tx, publisher, [userId])
  await insertWithheld(tx, publisher.id, userId, withholdings, now)
}

/** Lets the rewards that are withheld for these rows mature again. */
export async function releaseRewards(
  tx: Tx,
  publisherId: PublisherId,
  userId: UserId,
  rowIds: readonly string[],
): Promise<void> {
  await deleteWithheld(tx, publisherId, userId, rowIds)
}
