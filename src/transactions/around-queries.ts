import type { Reader } from '../platform/database.ts'
import type { PublisherId, UserId } from '../platform/ids.ts'
import { type Transaction, transactionColumns, transactionOf } from '../rewards/index.ts'

type Around = {
  readonly userId: UserId
  /** Only purchases at this brand, and those at no known brand; null: all. */
  readonly brandUid: string | null
  readonly from: Date
  readonly until: Date
  readonly at: Date
  readonly limit: number
}

/** A user's purchases of some days, those nearest to an instant first. */
export async function listPurchasesAround(
  reader: Reader,
  publisherId: PublisherId,
  { userId, brandUid, from, until, at, limit }: Around,
): Promise<Transaction[]> {
  const rows = await reader<Parameters<typeof transactionOf>[0][]>`
    select ${transactionColumns(reader)} from transactions t
    where t.publisher_id = ${publisherId} and t.user_id = ${userId} and t.adjusts is null
      and t.authorized_at >= ${from} and t.authorized_at < ${until}
      ${brandUid === null ? reader`` : reader`and coalesce(t.brand_uid, ${brandUid}) = ${brandUid}`}
    order by abs(extract(epoch from t.authorized_at - ${at}::timestamptz)), t.transaction_id
    limit ${limit}`
  return rows.map(transactionOf)
}
