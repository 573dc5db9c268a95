import { setImmediate } from 'node:timers/promises'
import type { Alias, Assortment, Catalog } from '../../catalog/index.ts'
import {
  type BrandIndex,
  type BrandMatch,
  buildBrandIndex,
  draftBrandIndex,
  type MatchOptions,
  matchBrand,
  providerKeyOf,
  templateOf,
} from '../../merchants/index.ts'
import type { Folded } from '../fold/fold.ts'
import type { Trace } from '../trace/trace-schema.ts'
import type { PurchaseFacts } from './event.ts'

const found = new WeakMap<Assortment, WeakMap<PurchaseFacts, BrandMatch>>()

/** Finds the brand, once for the same facts; the index of names is built once for each state of the catalog. */
export function matchOf(assortment: Assortment, facts: PurchaseFacts): BrandMatch {
  const known = found.get(assortment) ?? new WeakMap<PurchaseFacts, BrandMatch>()
  const before = known.get(facts)
  if (before !== undefined) return before
  const match = matchAnew(assortment, facts)
  known.set(facts, match)
  found.set(assortment, known)
  return match
}

function matchAnew(assortment: Assortment, facts: PurchaseFacts): BrandMatch {
  const { catalog, marketplace } = assortment
  const named = facts.offerUid === undefined ? undefined : catalog.offers.get(facts.offerUid)?.brandUid
  const asked = {
    ...facts,
    // Events of former versions carry the provider's id in the field of the network's.
    providerMerchantId: facts.providerMerchantId ?? facts.merchantId,
    ...(facts.brandUid === undefined && named !== undefined ? { brandUid: named } : {}),
  }
  const aliases = aliasesFor(assortment, asked)
  const match = matchBrand(indexOf(catalog), asked, { aliases, marketplace })
  if (marketplace === 'MERCHANT' || !isByMarketplace(match) || rewardsCards(assortment, match.brandUid)) return match
  // The publisher chooses between two that could pay; where only the merchant inside could, there is nothing to choose.
  const merchant = matchBrand(indexOf(catalog), asked, { aliases, marketplace: 'MERCHANT' })
  return rewardsCards(assortment, merchant.brandUid) ? merchant : match
}

function isByMarketplace({ evidence }: BrandMatch): boolean {
  return evidence.some(({ kind }) => kind === 'marketplace')
}

/** Whether an offer of the brand can be judged for a purchase that is known by its descriptor. A link's sale comes by its offer. */
function rewardsCards(assortment: Assortment, brandUid: string | null): boolean {
  if (brandUid === null) return false
  const offers = assortment.catalog.offersOf(brandUid)
  return offers.some((offer) => offer.offerType !== 'AFFILIATE' && assortment.carries(offer))
}

/** What is said about a merchant. Where a person has answered for its descriptor, what was learnt of its id does not count. */
function aliasesFor(
  { aliases }: Assortment,
  facts: Parameters<typeof templateOf>[0],
): NonNullable<MatchOptions['aliases']> {
  const id = facts.providerMerchantId
  const key = id === undefined ? null : providerKeyOf(id)
  if (key === null || aliases.get(key)?.isLearnt !== true) return aliases
  const template = templateOf(facts)
  const answer: Alias | undefined = template === null ? undefined : aliases.get(template)
  return answer === undefined ? aliases : { get: (asked) => (asked === key ? undefined : aliases.get(asked)) }
}

/**
 * The purchase with the facts to match it by. If the first facts lead to a brand, that brand stays: a reward may
 * have been promised on the hold, in whatever order hold and posting came. Else the posting is what bank and provider
 * know best.
 */
export function withKnownFacts(assortment: Assortment, folded: Folded): Folded {
  if (folded.postedFacts === null || matchOf(assortment, folded.facts).brandUid !== null) return folded
  return { ...folded, facts: folded.postedFacts }
}

export const unmatched: BrandMatch = {
  brandUid: null,
  proposedUid: null,
  band: 'none',
  score: 0,
  method: 'none',
  reason: null,
  evidence: [],
  runnerUp: null,
}

/** A match as a trace shows it. */
export function shownMatch(match: BrandMatch): Trace['matching'] {
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

// Indexing this many brands takes some 20 ms, in which all other work waits.
const INDEXED_AT_ONCE = 500

/**
 * Builds the index of a newer state before purchases are matched with it: from the index of the held state where the
 * changes are known, else from nothing, and in steps between which other work runs.
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

export function indexOf(catalog: Catalog): BrandIndex {
  const known = indexes.get(catalog)
  if (known !== undefined) return known
  const fresh = buildBrandIndex(catalog.brandFacts)
  indexes.set(catalog, fresh)
  return fresh
}
