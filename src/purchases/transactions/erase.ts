import type { Tx } from '../../platform/db/database.ts'
import type { UserId } from '../../platform/ids.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import * as queries from './erase-queries.ts'
import { removeIdentity } from './intake/erased.ts'

// A statement for this many events takes a few tenths of a second.
const AT_ONCE = 1_000

/**
 * Erases identifying data from a user's stored events, and from the external ids of their claims and purchases.
 * Everything must be committed together, because a report that arrives in between would not find its purchase. The
 * caller must hold the user's lock and have stored the salt. Returns the number of events.
 */
export async function eraseEvents(
  tx: Tx,
  publisher: Publisher,
  { userId, salt }: { readonly userId: UserId; readonly salt: Buffer },
): Promise<number> {
  for (let count = 0; ; ) {
    const stored = await queries.listUnerased(tx, publisher.id, userId, AT_ONCE)
    if (stored.length === 0) return count
    const erased = stored.map((event) => ({
      ...removeIdentity(event, salt, event.brandUid),
      formerId: event.externalId,
    }))
    await queries.eraseSourceEvents(tx, publisher.id, userId, erased)
    await queries.eraseClaims(tx, publisher.id, userId, erased)
    await queries.eraseNamesOfPurchases(tx, publisher.id, userId, [...erased, ...originals(stored, erased)])
    count += stored.length
  }
}

/** A purchase may be stored under the external id that its first event refers to, so these ids are erased too. */
function originals(
  stored: readonly queries.UnerasedEvent[],
  erased: readonly queries.ErasedEvent[],
): queries.ErasedEvent[] {
  return erased.flatMap((event, index) => {
    const { originalExternalId: externalId } = event
    const formerId = stored[index]?.originalExternalId
    return externalId === null || formerId == null ? [] : [{ ...event, externalId, formerId }]
  })
}
