import { openBook } from '../ledger/index.ts'
import type { Tx } from '../platform/database.ts'
import type { UserId } from '../platform/ids.ts'
import type { Publisher } from '../publishers/index.ts'
import { insertWithheld, type Withholding } from './withheld-queries.ts'

/**
 * Keeps rewards from maturing while it is unknown whether their purchases stand. They are still shown as pending,
 * adjusted and taken back. Waits for a transaction that is maturing rewards of the user.
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
