import type { Assortment, Offer, Split } from '../catalog/index.ts'
import {
  type BrandMatch,
  type Circumstances,
  judge,
  type Purchase,
  type RuleLine,
  type Verdict,
} from '../matching/index.ts'
import { toJsonNumber } from '../platform/money.ts'
import { type Arithmetic, freezeTerms, type Ruling, type StatusReason, targetOf } from '../rewards/index.ts'
import { shownMatch } from './match.ts'

/** Why a purchase earns what it earns: kept with it, answered by GET …/decision and by evaluate. */
export type Trace = {
  readonly matching: ReturnType<typeof shownMatch>
  readonly candidates: readonly {
    offer_uid: string
    eligible: boolean
    rules: readonly RuleLine[]
    user_cashback: number
  }[]
  readonly chosen: string | null
  readonly status_reason: string | null
  readonly arithmetic: Arithmetic | null
}
export type Decision = { readonly ruling: Ruling; readonly trace: Trace }

type Candidate = Omit<Verdict, 'reason'> & {
  readonly reason: StatusReason | null
  readonly circumstances: Circumstances
  readonly ruling: Ruling
  /** What the user gets, credited or at the till. */
  readonly reward: bigint
  readonly credited: bigint
  readonly share: bigint
  readonly arithmetic: Arithmetic
}

/**
 * Judges a purchase by every offer of its brand and keeps the reasons. The best reward for the user wins; of equals the
 * one with the larger publisher's share, then the older offer. Judged is the purchase before refunds: giving goods back
 * later must not lead to another offer than giving them back sooner.
 */
export function decide(
  assortment: Assortment,
  purchase: Purchase,
  match: BrandMatch,
  circumstancesOf: (offer: Offer) => Circumstances,
): Decision {
  const offers =
    match.brandUid === null
      ? []
      : assortment.catalog
          .offersOf(match.brandUid)
          .filter((offer) => purchase.offerUid === null || offer.offerUid === purchase.offerUid)
          .filter(assortment.carries)
  const candidates = offers.map((offer) =>
    candidateOf(assortment.splitOf(offer), offer, purchase, circumstancesOf(offer)),
  )
  const eligible = candidates.filter((one) => one.eligible).sort(byReward)
  const chosen = eligible[0]
  const reason = chosen === undefined ? reasonOf(match, candidates) : null
  return {
    ruling: chosen?.ruling ?? { terms: null, reason },
    trace: {
      matching: shownMatch(match),
      candidates: candidates.map(({ offer, eligible: passed, rules, credited }) => ({
        offer_uid: offer.offerUid,
        eligible: passed,
        rules,
        user_cashback: passed ? toJsonNumber(credited, offer.currency) : 0,
      })),
      chosen: chosen?.offer.offerUid ?? null,
      status_reason: reason,
      arithmetic: chosen?.arithmetic ?? null,
    },
  }
}

function candidateOf(split: Split, offer: Offer, purchase: Purchase, circumstances: Circumstances): Candidate {
  const verdict = judge(offer, purchase, circumstances)
  const terms = freezeTerms(offer, purchase, circumstances, split)
  const { amounts, arithmetic, reason } = targetOf(terms, { amount: purchase.amount, refunded: 0n })
  const worth = reason === null
  const rewarded = { rule: 'reward', value: arithmetic.gross, bound: 'more than zero', passed: worth }
  return {
    ...verdict,
    eligible: verdict.eligible && worth,
    reason: verdict.reason ?? reason,
    failures: verdict.failures + (verdict.failures === 0 && !worth ? 1 : 0),
    rules: verdict.eligible ? [...verdict.rules, rewarded] : verdict.rules,
    circumstances,
    ruling: { terms, reason: null },
    reward: amounts.user + amounts.discount,
    credited: amounts.user,
    share: amounts.publisher,
    arithmetic,
  }
}

function byReward(a: Candidate, b: Candidate): number {
  return compare(b.reward, a.reward) || compare(b.share, a.share) || a.offer.ordinal - b.offer.ordinal
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The reason of the offer that came nearest; one that only waits for its place to be confirmed comes before all others. */
function reasonOf(match: BrandMatch, candidates: readonly Candidate[]): StatusReason {
  if (match.brandUid === null) return 'unmatched'
  if (candidates.some((one) => one.failures === 1 && one.reason === 'location_unconfirmed'))
    return 'location_unconfirmed'
  const nearest = candidates.toSorted((a, b) => a.failures - b.failures || byReward(a, b))[0]
  return nearest?.reason ?? 'no_offer'
}
