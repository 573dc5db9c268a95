import { openBook } from '../../../ledger/index.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { UserId } from '../../../platform/ids.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import { insertWithheld, type Withholding } from './withheld-queries.ts'

/**
 * Keeps rewards from maturing while it is unknown whether their purchases are still valid. Such rewards remain pending
 * and can still be adjusted or clawed back. Waits for any database transaction that is maturing the user's rewards.
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
