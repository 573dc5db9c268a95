import type { Reader } from '../../platform/db/database.ts'
import type { PublisherId, TransactionId, UserId } from '../../platform/ids.ts'

/** Returns the shop of each purchase: the brand, or the merchant as reported, or null if neither is known. */
export async function listShops(
  reader: Reader,
  publisherId: PublisherId,
  userId: UserId,
  ids: readonly TransactionId[],
): Promise<Map<string, string | null>> {
  const rows = await reader<{ transactionId: TransactionId; shop: string | null }[]>`
    select t.transaction_id, coalesce(b.name, t.merchant_name) as shop
    from transactions t left join brands b on b.brand_uid = t.brand_uid
    where t.user_id = ${userId} and t.publisher_id = ${publisherId}
      and t.transaction_id = any(${ids as TransactionId[]}::uuid[])`
  return new Map(rows.map(({ transactionId, shop }) => [transactionId, shop]))
}
