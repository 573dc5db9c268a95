import type { Assortment, Offer, Split } from '../catalog/index.ts'
import type { BrandMatch } from '../merchants/index.ts'
import {
  type Amounts,
  bounded,
  budgetRule,
  type Circumstances,
  freezeTerms,
  grossWithin,
  judge,
  type Purchase,
  type RuleLine,
  rewardLeft,
  type Terms,
  targetOf,
} from '../offers/index.ts'
import type { Ruling, StatusReason } from '../rewards/index.ts'
import type { PurchaseFacts } from './event.ts'
import { type Candidate, type Trace, traceOf } from './trace.ts'

export type Decision = { readonly ruling: Ruling; readonly trace: Trace }

/**
 * Judges a purchase by every offer of its brand and keeps the reasons. The best reward for the user wins; of equals the
 * one with the larger publisher's share, then the older offer. Judged is the purchase before refunds: giving goods back
 * later must not lead to another offer than giving them back sooner. An offer that is not carried, or over, is no
 * candidate, unless it was promised.
 */
export function decide(
  assortment: Assortment,
  told: Purchase,
  match: BrandMatch,
  circumstancesOf: (offer: Offer) => Circumstances,
  promisedUid: string | null = null,
): Decision {
  const purchase = withWrittenNumber(told, match)
  const offers =
    match.brandUid === null
      ? []
      : offersOf(assortment, match.brandUid, promisedUid)
          .filter((offer) => purchase.offerUid === null || offer.offerUid === purchase.offerUid)
          .filter((offer) => offer.offerUid === promisedUid || assortment.carries(offer))
  const candidates = offers.map((offer) =>
    candidateOf(assortment.splitOf(offer), offer, purchase, circumstancesOf(offer)),
  )
  const ranked = candidates.toSorted(byRank)
  const chosen = ranked[0]?.eligible === true ? ranked[0] : undefined
  const reason = chosen === undefined ? reasonOf(match, ranked) : null
  return { ruling: chosen?.ruling ?? { terms: null, reason }, trace: traceOf(match, ranked, reason) }
}

/** What matching read as the number of a store, where nobody told one. */
function withWrittenNumber(purchase: Purchase, { evidence }: BrandMatch): Purchase {
  const writtenNumber = evidence.find(({ kind }) => kind === 'store_number')?.matched
  if (writtenNumber === undefined || purchase.place.storeNumber !== undefined) return purchase
  return { ...purchase, place: { ...purchase.place, writtenNumber } }
}

function offersOf({ catalog }: Assortment, brandUid: string, promisedUid: string | null): readonly Offer[] {
  const offers = catalog.offersOf(brandUid)
  const promised = promisedUid === null ? undefined : catalog.offers.get(promisedUid)
  return promised?.brandUid !== brandUid || !promised.retired ? offers : [...offers, promised]
}

/**
 * The offer that a purchase has a claim to, though the publisher may carry it no more: the one whose terms are frozen, or the
 * one whose link the user followed while it was carried.
 */
export function promisedOffer(root: { readonly terms: Terms | null } | null, facts: PurchaseFacts): string | null {
  return root?.terms?.offerUid ?? (facts.isFromClick === true ? (facts.offerUid ?? null) : null)
}

function candidateOf(split: Split, offer: Offer, purchase: Purchase, circumstances: Circumstances): Candidate {
  const verdict = judge(offer, purchase, circumstances)
  const terms = freezeTerms(offer, purchase, circumstances, split)
  const { amounts, arithmetic, reason } = withinUserLimits(offer, terms, purchase, circumstances)
  const worth = reason === null
  const rewarded = { rule: 'reward', value: arithmetic.gross, bound: 'more than zero', passed: worth, reason }
  const { budgetLeft } = circumstances.limits
  const carried = worth && budgetLeft !== null ? [budgetRule(offer, amounts.gross, budgetLeft)] : []
  const failed = verdict.eligible ? [rewarded, ...carried].find((line) => !line.passed) : undefined
  const eligible = verdict.eligible && failed === undefined
  return {
    ...verdict,
    eligible,
    reason: verdict.reason ?? failed?.reason ?? null,
    failures: verdict.failures + (failed === undefined ? 0 : 1),
    rules: verdict.eligible ? [...verdict.rules, ...[rewarded, ...carried].map(lineOf)] : verdict.rules,
    circumstances,
    ruling: { terms, reason: null },
    reward: amounts.user + amounts.discount,
    credited: amounts.user,
    share: amounts.publisher,
    ideal: purchase.currency === offer.currency ? (eligible ? amounts : idealOf(terms, purchase)) : null,
    arithmetic,
  }
}

/** What the terms give, or as much of it as the user may still earn of the offer. */
function withinUserLimits(
  offer: Offer,
  terms: Terms,
  purchase: Purchase,
  { limits }: Circumstances,
): ReturnType<typeof bounded> {
  const target = targetOf(terms, { ...purchase, refunded: 0n })
  const left = rewardLeft(offer, limits)
  const gross = left === null ? null : grossWithin(terms, target.amounts.gross, left)
  return bounded(terms, target, gross === null ? null : { gross, reason: 'user_limit_reached' })
}

function idealOf(terms: Terms, purchase: Purchase): Amounts {
  return targetOf({ ...terms, minSpend: null }, { ...purchase, refunded: 0n }).amounts
}

function lineOf({ rule, value, bound, passed }: RuleLine): RuleLine {
  return { rule, value, bound, passed }
}

/** What may pay before what may not, the best paying first; of what may not, the offer that came nearest. */
function byRank(a: Candidate, b: Candidate): number {
  return a.failures - b.failures || byReward(a, b)
}

function byReward(a: Candidate, b: Candidate): number {
  return compare(b.reward, a.reward) || compare(b.share, a.share) || a.offer.ordinal - b.offer.ordinal
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The reason of the offer that came nearest; one that only waits for its place to be confirmed comes before all others. */
function reasonOf(match: BrandMatch, ranked: readonly Candidate[]): StatusReason {
  if (match.brandUid === null) return 'unmatched'
  if (ranked.some((one) => one.failures === 1 && one.reason === 'location_unconfirmed')) return 'location_unconfirmed'
  return ranked[0]?.reason ?? 'no_offer'
}
