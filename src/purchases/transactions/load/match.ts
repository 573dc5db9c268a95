import { setImmediate } from 'node:timers/promises'
import type { Alias, Assortment, Catalog } from '../../../catalog/catalog/index.ts'
import {
  type BrandIndex,
  type BrandMatch,
  buildBrandIndex,
  deriveTemplate,
  draftBrandIndex,
  type MatchOptions,
  matchBrand,
  noMatch,
  toProviderKey,
} from '../../../catalog/merchants/index.ts'
import type { PurchaseFacts } from '../event.ts'
import type { Folded } from '../fold/fold.ts'
import type { Trace } from '../trace-schema.ts'

const found = new WeakMap<Assortment, WeakMap<PurchaseFacts, BrandMatch>>()

/** Matches merchant facts to a brand. Caches the result by assortment and facts. */
export function matchFacts(assortment: Assortment, facts: PurchaseFacts): BrandMatch {
  const known = found.get(assortment) ?? new WeakMap<PurchaseFacts, BrandMatch>()
  const before = known.get(facts)
  if (before !== undefined) return before
  const match = matchAnew(assortment, facts)
  known.set(facts, match)
  found.set(assortment, known)
  return match
}

/** Returns the brand that merchant facts match; null if none matches with certainty. */
export function findMerchantBrand(assortment: Assortment, facts: PurchaseFacts): string | null {
  return matchFacts(assortment, facts).brandUid
}

function matchAnew(assortment: Assortment, facts: PurchaseFacts): BrandMatch {
  const { catalog, marketplace } = assortment
  const offeredBy = facts.offerUid === undefined ? undefined : catalog.offers.get(facts.offerUid)?.brandUid
  const completed = {
    ...facts,
    // Events from earlier versions contain the provider's id in merchantId.
    providerMerchantId: facts.providerMerchantId ?? facts.merchantId,
    ...(facts.brandUid === undefined && offeredBy !== undefined ? { brandUid: offeredBy } : {}),
  }
  const aliases = aliasesFor(assortment, completed)
  const match = matchBrand(getBrandIndex(catalog), completed, { aliases, marketplace })
  if (marketplace === 'MERCHANT' || !isByMarketplace(match) || rewardsCards(assortment, match.brandUid)) return match
  // The publisher's choice between marketplace and merchant matters only if both could pay. If only the merchant could,
  // it pays.
  const merchant = matchBrand(getBrandIndex(catalog), completed, { aliases, marketplace: 'MERCHANT' })
  return rewardsCards(assortment, merchant.brandUid) ? merchant : match
}

function isByMarketplace({ evidence }: BrandMatch): boolean {
  return evidence.some(({ kind }) => kind === 'marketplace')
}

/** True if the publisher carries an offer of the brand that can reward card purchases. */
function rewardsCards(assortment: Assortment, brandUid: string | null): boolean {
  if (brandUid === null) return false
  const offers = assortment.catalog.getOffers(brandUid)
  return offers.some((offer) => offer.offerType !== 'AFFILIATE' && assortment.carries(offer))
}

/**
 * Returns the aliases for a merchant. A person's answer about its descriptor overrides a learned answer about its id.
 */
function aliasesFor(
  { aliases }: Assortment,
  facts: Parameters<typeof deriveTemplate>[0],
): NonNullable<MatchOptions['aliases']> {
  const id = facts.providerMerchantId
  const key = id === undefined ? null : toProviderKey(id)
  if (key === null || aliases.get(key)?.isLearnt !== true) return aliases
  const template = deriveTemplate(facts)
  const answer: Alias | undefined = template === null ? undefined : aliases.get(template)
  return answer === undefined ? aliases : { get: (asked) => (asked === key ? undefined : aliases.get(asked)) }
}

/**
 * Matches a purchase to a brand. If the facts of its first event match a brand, the purchase keeps that brand in any
 * arrival order, because the hold may already have promised a reward.
 */
export function matchPurchase(assortment: Assortment, { facts, firstFacts }: Folded): BrandMatch {
  const first = firstFacts === null ? noMatch : matchFacts(assortment, firstFacts)
  return first.brandUid === null ? matchFacts(assortment, facts) : first
}

/** Uses the clearing's facts, which are more complete, if the purchase's own facts match no brand. */
export function preferPostedFacts(assortment: Assortment, folded: Folded): Folded {
  if (folded.postedFacts === null || matchPurchase(assortment, folded).brandUid !== null) return folded
  return { ...folded, facts: folded.postedFacts }
}

/** Formats a match for a trace. */
export function presentMatch(match: BrandMatch): Trace['matching'] {
  const { runnerUp } = match
  return {
    brand_uid: match.brandUid,
    band: match.band,
    score: match.score,
    method: match.method,
    reason: match.band === 'review' ? 'needs_review' : match.reason,
    proposed_brand_uid: match.proposedUid,
    evidence: [...match.evidence],
    runner_up: runnerUp === null ? null : { brand_uid: runnerUp.brandUid, score: runnerUp.score },
  }
}

const indexes = new WeakMap<Catalog, BrandIndex>()

// Indexing this many brands blocks the process for about 20 ms.
const INDEXED_AT_ONCE = 500

/**
 * Builds the brand index of a newer catalog before first use: from the current catalog's index if the changes are
 * known, otherwise from scratch. Yields to other work between steps.
 */
export async function prepareMatching(newest: Catalog, held: Catalog | null): Promise<void> {
  const known = held === null ? undefined : indexes.get(held)
  const changes = held === null || known === undefined ? null : newest.changedSince(held)
  const { changed, removedUids } = changes ?? { changed: newest.brandFacts, removedUids: [] }
  const draft = draftBrandIndex(changes === null ? undefined : known)
  draft.change([], removedUids)
  for (let from = 0; from < changed.length; from += INDEXED_AT_ONCE) {
    await setImmediate()
    draft.change(changed.slice(from, from + INDEXED_AT_ONCE), [])
  }
  indexes.set(newest, draft.done())
}

export function getBrandIndex(catalog: Catalog): BrandIndex {
  const known = indexes.get(catalog)
  if (known !== undefined) return known
  const fresh = buildBrandIndex(catalog.brandFacts)
  indexes.set(catalog, fresh)
  return fresh
}
