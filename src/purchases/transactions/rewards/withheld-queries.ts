import { asTable, type Reader, type Tx } from '../../../platform/db/database.ts'
import type { PublisherId, TransactionId, UserId } from '../../../platform/ids.ts'

/** The feed row that causes a reward to be withheld, and the reward's transaction. */
export type Withholding = { readonly rowId: string; readonly transactionId: TransactionId }

export async function insertWithheld(
  tx: Tx,
  publisherId: PublisherId,
  userId: UserId,
  withholdings: readonly Withholding[],
  now: Date,
): Promise<void> {
  await tx`
    insert into withheld_rewards (user_id, row_id, publisher_id, transaction_id, since)
    select ${userId}, row_id, ${publisherId}, transaction_id, ${now}
    from ${asTable(tx, withholdings, { rowId: 'text', transactionId: 'uuid' })}
    on conflict (user_id, row_id) do update set transaction_id = excluded.transaction_id`
}

/** Stops withholding rewards for these rows, so that they can mature. */
export async function releaseRewards(
  tx: Tx,
  publisherId: PublisherId,
  userId: UserId,
  rowIds: readonly string[],
): Promise<void> {
  await tx`
    delete from withheld_rewards
    where user_id = ${userId} and publisher_id = ${publisherId} and row_id = any(${rowIds as string[]}::text[])`
}

/** Returns the withheld transactions of these users. */
export async function listWithheld(
  reader: Reader,
  publisherId: PublisherId,
  userIds: readonly UserId[],
): Promise<Set<TransactionId>> {
  const rows = await reader<{ transactionId: TransactionId }[]>`
    select transaction_id from withheld_rewards
    where publisher_id = ${publisherId} and user_id = any(${userIds as UserId[]}::uuid[])`
  return new Set(rows.map((row) => row.transactionId))
}
