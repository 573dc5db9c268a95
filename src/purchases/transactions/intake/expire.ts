import { openBook } from '../../../ledger/index.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import { listLapsed } from '../queries.ts'
import type { SettlementCatalog } from '../replay/replay-input.ts'
import { settlePurchases } from '../write/settle-purchases.ts'

// The number of purchases per commit. Bounds how long locks are held.
const BATCH = 500

/** Cancels purchases that did not clear in time. A late clearing reopens them. Returns true if more are due. */
export async function expireAuthorizations(
  tx: Tx,
  deps: { readonly catalog: SettlementCatalog },
  publisher: Publisher,
  now: Date,
): Promise<boolean> {
  const lapsed = await listLapsed(tx, publisher.id, now, BATCH)
  if (lapsed.length === 0) return false
  const book = await openBook(tx, publisher, [...new Set(lapsed.map((one) => one.userId))])
  await settlePurchases(tx, deps, book, new Map(lapsed.map((one) => [one.transactionId, []])), now)
  return lapsed.length === BATCH
}
