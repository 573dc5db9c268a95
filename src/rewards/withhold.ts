import { openBook } from '../ledger/index.ts'
import type { Tx } from '../platform/database.ts'
import type { PublisherId, UserId } from '../platform/ids.ts'
import type { Publisher } from '../publishers/index.ts'
import { deleteWithheld, insertWithheld, type Withholding } from './withheld-queries.ts'

/**
 * Keeps rewards from maturing while it is open whether their purchases still stand. They go on as they are otherwise:
 * shown as pending, adjusted, taken back. Whoever is maturing rewards of the user at this moment is waited for.
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

/** Lets rewards mature again that were withheld because of these rows; what is ripe by now does so at once. */
export async function releaseRewards(
  tx: Tx,
  publisherId: PublisherId,
  userId: UserId,
  rowIds: readonly string[],
): Promise<void> {
  await deleteWithheld(tx, publisherId, userId, rowIds)
}
