import type { Offer, Split } from '../../../catalog/catalog/index.ts'
import type { BrandMatch } from '../../../catalog/merchants/index.ts'
import {
  type Amounts,
  applyBound,
  type Circumstances,
  capGross,
  checkBudget,
  computeRewardLeft,
  computeTarget,
  freezeTerms,
  judge,
  type Purchase,
  type RuleLine,
  type Terms,
} from '../../../catalog/offers/index.ts'
import { compare } from '../../../platform/compare.ts'
import type { Ruling } from '../rewards/settle.ts'
import type { StatusReason } from '../rewards/statuses.ts'
import { buildJudgement, type Candidate, type Judgement } from '../trace/trace.ts'

type Question = {
  readonly purchase: Purchase
  readonly match: BrandMatch
  /** The offers that may reward the purchase, as they were when it became known. */
  readonly offers: readonly Offer[]
  readonly getSplit: (offer: Offer) => Split
  readonly getCircumstances: (offer: Offer) => Circumstances
}

/**
 * Judges a purchase against every offer of its brand, recording the reasons. Chooses the best reward for the user. Ties
 * go to the larger publisher share, then to the older offer. Refunds are ignored, so that their timing does not change
 * the choice.
 */
export function decide({ match, offers, getSplit, getCircumstances, ...question }: Question): {
  readonly ruling: Ruling
  readonly judgement: Judgement
} {
  const purchase = withWrittenNumber(question.purchase, match)
  const candidates = offers
    .filter((offer) => purchase.offerUid === null || offer.offerUid === purchase.offerUid)
    .map((offer) => buildCandidate(getSplit(offer), offer, purchase, getCircumstances(offer)))
  const ranked = candidates.toSorted(byRank)
  const chosen = ranked[0]?.eligible === true ? ranked[0] : undefined
  const reason = chosen === undefined ? pickReason(match, ranked) : null
  return { ruling: chosen?.ruling ?? { terms: null, reason }, judgement: buildJudgement(match, ranked) }
}

/** Adds the store number found in the descriptor if none was reported. */
function withWrittenNumber(purchase: Purchase, { evidence }: BrandMatch): Purchase {
  const writtenNumber = evidence.find(({ kind }) => kind === 'store_number')?.matched
  if (writtenNumber === undefined || purchase.place.storeNumber !== undefined) return purchase
  return { ...purchase, place: { ...purchase.place, writtenNumber } }
}

function buildCandidate(split: Split, offer: Offer, purchase: Purchase, circumstances: Circumstances): Candidate {
  const verdict = judge(offer, purchase, circumstances)
  const terms = freezeTerms(offer, purchase, circumstances, split)
  const { amounts, arithmetic, reason } = withinUserLimits(offer, terms, purchase, circumstances)
  const worth = reason === null
  const rewarded = { rule: 'reward', value: arithmetic.gross, bound: 'more than zero', passed: worth, reason }
  const { budgetLeft } = circumstances.limits
  const carried = worth && budgetLeft !== null ? [checkBudget(offer, amounts.gross, budgetLeft)] : []
  const failed = verdict.eligible ? [rewarded, ...carried].find(isFailed) : undefined
  const eligible = verdict.eligible && failed === undefined
  return {
    ...verdict,
    eligible,
    reason: verdict.reason ?? failed?.reason ?? null,
    failures: verdict.failures + (failed === undefined ? 0 : 1),
    rules: [...verdict.rules, ...(verdict.eligible ? [rewarded, ...carried] : carried.filter(isFailed)).map(toLine)],
    ruling: { terms, reason: null },
    reward: amounts.user + amounts.discount,
    credited: amounts.user,
    share: amounts.publisher,
    ideal: purchase.currency === offer.currency ? (worth ? amounts : computeIdeal(terms, purchase)) : null,
  }
}

/** Returns the reward under the terms, within the user's limits. */
function withinUserLimits(
  offer: Offer,
  terms: Terms,
  purchase: Purchase,
  { limits }: Circumstances,
): ReturnType<typeof applyBound> {
  const target = computeTarget(terms, { ...purchase, refunded: 0n })
  const left = computeRewardLeft(offer.conditions.userLimits, limits.taken)
  const gross = left === null ? null : capGross(terms, target.amounts.gross, left)
  return applyBound(terms, target, gross === null ? null : { gross, reason: 'user_limit_reached' })
}

function computeIdeal(terms: Terms, purchase: Purchase): Amounts {
  return computeTarget({ ...terms, minSpend: null }, { ...purchase, refunded: 0n }).amounts
}

const isFailed = ({ passed }: RuleLine): boolean => !passed

function toLine({ rule, value, bound, passed }: RuleLine): RuleLine {
  return { rule, value, bound, passed }
}

/** Ranks eligible offers first, by reward, followed by the others, by number of failed rules. */
function byRank(a: Candidate, b: Candidate): number {
  return a.failures - b.failures || byReward(a, b)
}

function byReward(a: Candidate, b: Candidate): number {
  return compare(b.reward, a.reward) || compare(b.share, a.share) || a.offer.ordinal - b.offer.ordinal
}

/** Returns the reason for the best candidate, or `location_unconfirmed` if some offer fails for that reason only. */
function pickReason(match: BrandMatch, ranked: readonly Candidate[]): StatusReason {
  if (match.brandUid === null) return 'unmatched'
  if (ranked.some((one) => one.failures === 1 && one.reason === 'location_unconfirmed')) return 'location_unconfirmed'
  return ranked[0]?.reason ?? 'no_offer'
}
