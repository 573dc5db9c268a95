import type { Tx } from '../../platform/database.ts'
import { newUuid } from '../../platform/ids.ts'
import type { SeenMerchant } from './alias-queries.ts'
import * as queries from './alias-queries.ts'
import { announceAliases, LEARNT } from './aliases.ts'

// The linking provider's id of a merchant is the strongest evidence of its brand, but no catalog lists it. It is learnt
// from purchases whose website and name both match one brand: intake records each sighting without waiting for others,
// and a pass of the worker makes aliases where two purchases agree, so many of them cost one reload. Ids are learnt for
// each publisher, because publishers may have accounts at different providers.

const CONTRADICTED = 'contradicted'
// A pass is one transaction.
const BATCH = 1_000

/**
 * Makes aliases of sightings and revokes contradicted ones. A contradicted merchant is never learnt again, and a
 * person's decision is left alone.
 * @returns whether there may be more to do.
 */
export async function learnMerchants(tx: Tx, now: Date): Promise<boolean> {
  const seen = await queries.listSeenMerchants(tx, LEARNT, BATCH)
  if (seen.length === 0) return false
  const contradicted = seen.filter((one) => one.isLearntLive && one.brandUids.some((uid) => uid !== one.learntBrandUid))
  const learnt = seen.filter((one) => one.learntUid === null && !one.isDecided)
  if (contradicted.length + learnt.length > 0) await announceAliases(tx)
  const revoked = contradicted.map((one) => one.learntUid).filter((uid) => uid !== null)
  await queries.revokeAliases(tx, { aliasUids: revoked }, CONTRADICTED, now)
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
    // Two purchases disagree already: the revoked alias keeps the merchant from being learnt later.
    ...(brandUids.length > 1 ? { revokedAt: now, revokedBy: CONTRADICTED } : { revokedAt: null, revokedBy: null }),
  }
}
