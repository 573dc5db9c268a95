import { type Assortment, recordSightings, type Sighting } from '../../../catalog/catalog/index.ts'
import { deriveTemplate, matchBrand, toProviderKey } from '../../../catalog/merchants/index.ts'
import { type Doubt, recordDoubts } from '../../../catalog/reviews/index.ts'
import { awaitAll, type Tx } from '../../../platform/db/database.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import type { PurchaseFacts } from '../event.ts'
import type { LoadedPurchase } from '../load/load.ts'
import { getBrandIndex, matchFacts } from '../load/match.ts'

/** Records merchants that need a review, and merchant ids that seem to belong to a brand. */
export async function recordMerchants(
  tx: Tx,
  publisher: Publisher,
  assortment: Assortment,
  purchases: readonly LoadedPurchase[],
  now: Date,
): Promise<void> {
  const doubts = purchases.flatMap((purchase) => doubtIn(assortment, purchase))
  const sightings = purchases.flatMap((purchase) => sightingIn(assortment, purchase))
  await awaitAll([recordDoubts(tx, publisher.id, doubts, now), recordSightings(tx, publisher.id, sightings, now)])
}

function doubtIn(assortment: Assortment, { group: { root, isNew }, folded }: LoadedPurchase): Doubt[] {
  if (!folded.isPurchase || folded.isHistory || root.status === 'EARNED' || root.terms !== null) return []
  const match = matchFacts(assortment, folded.facts)
  if (match.band !== 'review' || match.proposedUid === null) return []
  const template = deriveTemplate(folded.facts)
  const { transactionId } = root
  return template === null ? [] : [{ template, match, transactionId, isNew, at: folded.authorizedAt }]
}

/** Returns evidence about merchant ids that have no brand, and about learned ids that may be wrong. */
function sightingIn(assortment: Assortment, { group: { root }, folded }: LoadedPurchase): Sighting[] {
  const { providerMerchantId } = folded.facts
  if (providerMerchantId === undefined || !folded.isPurchase) return []
  const known = assortment.aliases.get(toProviderKey(providerMerchantId))
  if (known !== undefined && !known.isLearnt) return []
  const agreed = known === undefined ? null : agreedUnder(assortment)
  const name = JSON.stringify([providerMerchantId, folded.facts.website, folded.facts.merchantName])
  if (agreed?.has(name) === true) return []
  const brandUid = brandBesideId(assortment, folded.facts)
  if (brandUid === null || brandUid === known?.brandUid) {
    if (agreed !== null && agreed.size < AGREED_MAX) agreed.add(name)
    return []
  }
  return [{ providerMerchantId, brandUid, transactionId: root.transactionId }]
}

/** Returns the brand that both the website and the name match; null unless they match the same one. */
function brandBesideId(assortment: Assortment, facts: PurchaseFacts): string | null {
  if (facts.website === undefined) return null
  const index = getBrandIndex(assortment.catalog)
  const { website, mcc, country } = facts
  const site = matchBrand(index, { website, mcc, country })
  if (site.brandUid === null || site.method !== 'domain') return null
  const { merchantName, merchantDescriptor, city, state } = facts
  const name = matchBrand(index, { merchantName, merchantDescriptor, city, state, mcc, country })
  return name.brandUid === site.brandUid ? site.brandUid : null
}

// Checked merchants are cached for each catalog state. A full cache takes up a few megabytes.
const AGREED_MAX = 50_000
const agreements = new WeakMap<Assortment, Set<string>>()

function agreedUnder(assortment: Assortment): Set<string> {
  const known = agreements.get(assortment) ?? new Set<string>()
  agreements.set(assortment, known)
  return known
}
