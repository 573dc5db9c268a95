import type { Reader } from '../../platform/db/database.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import { listTransactionColumns, type Transaction, toTransaction } from '../rewards/index.ts'

type Around = {
  readonly userId: UserId
  /** Only purchases at this brand or at an unknown brand; null for all. */
  readonly brandUid: string | null
  readonly from: Date
  readonly until: Date
  readonly at: Date
  readonly limit: number
}

/** Returns a user's purchases within a period, sorted by proximity to `at`. */
export async function listPurchasesAround(
  reader: Reader,
  publisherId: PublisherId,
  { userId, brandUid, from, until, at, limit }: Around,
): Promise<Transaction[]> {
  const rows = await reader<Parameters<typeof toTransaction>[0][]>`
    select ${listTransactionColumns(reader)} from transactions t
    where t.publisher_id = ${publisherId} and t.user_id = ${userId} and t.adjusts is null
      and t.authorized_at >= ${from} and t.authorized_at < ${until}
      ${brandUid === null ? reader`` : reader`and coalesce(t.brand_uid, ${brandUid}) = ${brandUid}`}
    order by abs(extract(epoch from t.authorized_at - ${at}::timestamptz)), t.transaction_id
    limit ${limit}`
  return rows.map(toTransaction)
}
