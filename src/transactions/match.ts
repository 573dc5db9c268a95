import type { Assortment, Catalog } from '../catalog/index.ts'
import { type BrandIndex, type BrandMatch, buildBrandIndex, matchBrand } from '../matching/index.ts'
import type { PurchaseFacts } from './event.ts'
import type { Folded } from './fold.ts'

type Matching = { readonly index: BrandIndex; readonly found: WeakMap<PurchaseFacts, BrandMatch> }
const matchings = new WeakMap<Catalog, Matching>()

/** Finds the brand, once for the same facts; the index of names is built once for each state of the catalog. */
export function matchOf({ catalog }: Assortment, facts: PurchaseFacts): BrandMatch {
  const { index, found } = matchingOf(catalog)
  const known = found.get(facts)
  if (known !== undefined) return known
  const named = facts.offerUid === undefined ? undefined : catalog.offers.get(facts.offerUid)?.brandUid
  const match = matchBrand(index, {
    ...facts,
    ...(facts.brandUid === undefined && named !== undefined ? { brandUid: named } : {}),
  })
  found.set(facts, match)
  return match
}

/**
 * The purchase with the facts by which it is known. Where what was told first leads to a brand, that stands: a reward may
 * have been promised on the hold, in whatever order hold and posting came. Else the posting is what bank and provider
 * know best.
 */
export function withKnownFacts(assortment: Assortment, folded: Folded): Folded {
  if (folded.postedFacts === null || matchOf(assortment, folded.facts).brandUid !== null) return folded
  return { ...folded, facts: folded.postedFacts }
}

function matchingOf(catalog: Catalog): Matching {
  const known = matchings.get(catalog)
  if (known !== undefined) return known
  const fresh = { index: buildBrandIndex(catalog.brandFacts), found: new WeakMap<PurchaseFacts, BrandMatch>() }
  matchings.set(catalog, fresh)
  return fresh
}
