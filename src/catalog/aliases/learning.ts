import type { Tx } from '../../platform/database.ts'
import { newUuid, type PublisherId } from '../../platform/ids.ts'
import type { SeenMerchant, Sighting } from './alias-queries.ts'
import * as queries from './alias-queries.ts'
import { changed, LEARNT } from './aliases.ts'

// The linking provider's own id of a merchant is the surest evidence there is, but no catalog lists it. Purchases whose
// website and name both say the same brand teach it: they are noted as they come, without waiting for each other, and a
// pass of the worker makes aliases of what two different purchases agree on. So all that is learnt at a time costs one
// loading of the aliases. An id is a publisher's own knowledge: publishers may have accounts at different providers.

const CONTRADICTED = 'contradicted'
// A pass is one transaction.
const BATCH = 1_000

/** Notes purchases that say which brand a merchant's id stands for. Answers at once when there are none. */
export async function noteSightings(
  tx: Tx,
  publisherId: PublisherId,
  sightings: readonly Sighting[],
  now: Date,
): Promise<void> {
  if (sightings.length > 0) await queries.insertSightings(tx, publisherId, sightings, now)
}

/**
 * Makes aliases of what was noted, and revokes those that were contradicted. What was contradicted once is never learnt
 * again, and what a person decided is not touched. Answers whether there is more to do.
 */
export async function learnMerchants(tx: Tx, now: Date): Promise<boolean> {
  const seen = await queries.listSeenMerchants(tx, LEARNT, BATCH)
  if (seen.length === 0) return false
  const contradicted = seen.filter((one) => one.isLearntLive && one.brandUids.some((uid) => uid !== one.learntBrandUid))
  const learnt = seen.filter((one) => one.learntUid === null && !one.isDecided)
  if (contradicted.length + learnt.length > 0) await changed(tx)
  const revoked = contradicted.map((one) => one.learntUid).filter((uid) => uid !== null)
  await queries.markContradicted(tx, revoked, CONTRADICTED, now)
  await queries.insertAliases(
    tx,
    learnt.map((one) => aliasOf(one, now)),
  )
  await queries.deleteSightings(tx, seen)
  return seen.length === BATCH
}

function aliasOf({ publisherId, providerMerchantId, brandUids }: SeenMerchant, now: Date) {
  return {
    aliasUid: newUuid<'alias'>(),
    publisherId,
    key: `provider:${providerMerchantId}`,
    brandUid: brandUids[0] ?? null,
    decidedBy: LEARNT,
    decidedAt: now,
    note: null,
    // Two purchases that already disagree: kept, so that it is known from now on.
    ...(brandUids.length > 1 ? { revokedAt: now, revokedBy: CONTRADICTED } : { revokedAt: null, revokedBy: null }),
  }
}
