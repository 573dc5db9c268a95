import { openBook } from '../ledger/index.ts'
import type { Reader, Tx } from '../platform/database.ts'
import type { PublisherId } from '../platform/ids.ts'
import type { Publisher } from '../publishers/index.ts'
import { AUTHORIZATION_DAYS } from './fold.ts'
import { listLapsed, listLapsedPublishers } from './queries.ts'
import type { SettlementCatalog } from './scene.ts'
import { settlePurchases } from './settle-purchases.ts'

const BATCH = 500
const LAPSE_MS = AUTHORIZATION_DAYS * 86_400_000

/** Cancels purchases whose authorization no clearing has followed in time; a late clearing brings them back. */
export async function expireAuthorizations(
  tx: Tx,
  deps: { readonly catalog: SettlementCatalog },
  publisher: Publisher,
  now: Date,
): Promise<boolean> {
  const lapsed = await listLapsed(tx, publisher.id, new Date(now.getTime() - LAPSE_MS), BATCH)
  if (lapsed.length === 0) return false
  const book = await openBook(tx, publisher, [...new Set(lapsed.map((one) => one.userId))])
  await settlePurchases(tx, deps, book, new Map(lapsed.map((one) => [one.transactionId, []])), now)
  return lapsed.length === BATCH
}

/** Whose authorizations have lapsed: where expireAuthorizations has work. */
export async function publishersWithLapsed(reader: Reader, realNow: Date): Promise<PublisherId[]> {
  return listLapsedPublishers(reader, realNow, LAPSE_MS)
}
