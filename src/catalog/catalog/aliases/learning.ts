import type { Tx } from '../../../platform/db/database.ts'
import { newUuid } from '../../../platform/ids.ts'
import type { SeenMerchant } from './alias-queries.ts'
import * as queries from './alias-queries.ts'
import { announceAliases, LEARNT } from './aliases.ts'

// The linking provider's merchant id is the strongest evidence of a brand, but no catalog lists these ids. They are
// learned from purchases whose website and name both match the same brand. Intake records each sighting without waiting
// for others, and a worker pass creates an alias once two purchases agree. A pass creates many aliases at the cost of a
// single reload. Ids are learned per publisher, because publishers may have accounts with different providers.

const CONTRADICTED = 'contradicted'
// Limits the size of a pass, which is a single transaction.
const BATCH = 1_000

/**
 * Turns sightings into aliases and revokes contradicted aliases. Never learns a contradicted merchant again, and never
 * overrides a person's decision.
 * @returns true if there might be more to do.
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
    learnt.map((one) => toAlias(one, now)),
  )
  await queries.deleteSightings(tx, seen)
  return seen.length === BATCH
}

function toAlias({ publisherId, providerMerchantId, brandUids }: SeenMerchant, now: Date) {
  return {
    aliasUid: newUuid<'alias'>(),
    publisherId,
    key: `provider:${providerMerchantId}`,
    brandUid: brandUids[0] ?? null,
    decidedBy: LEARNT,
    decidedAt: now,
    note: null,
    // If purchases already disagree, the alias is created as revoked, which keeps the merchant from being learned
    // later.
    ...(brandUids.length > 1 ? { revokedAt: now, revokedBy: CONTRADICTED } : { revokedAt: null, revokedBy: null }),
  }
}
