import type { BrandMatch } from '../../merchants/index.ts'
import type { Circumstances, Goods, Verdict } from '../../offers/index.ts'
import {
  type Amounts,
  type Bound,
  type BoundedArithmetic,
  bounded,
  isNothing,
  noAmounts,
  type Terms,
  targetOf,
} from '../../offers/index.ts'
import { toJsonNumber } from '../../platform/money.ts'
import type { Ruling, StatusReason } from '../../rewards/index.ts'
import { shownMatch } from '../intake/match.ts'
import type { Trace } from './trace-schema.ts'

type CandidateLine = Trace['candidates'][number]

/** A judged offer with everything by which offers are ranked. Amounts are minor units. */
export type Candidate = Omit<Verdict, 'reason'> & {
  readonly reason: StatusReason | null
  readonly circumstances: Circumstances
  readonly ruling: Ruling
  /** The user's part, credited or at the till. */
  readonly reward: bigint
  readonly credited: bigint
  readonly share: bigint
  /** The reward; of an ineligible offer the one without limits and minimum spend. Null: another currency. */
  readonly ideal: Amounts | null
  readonly arithmetic: BoundedArithmetic
}

// People read the first few. A brand with hundreds of offers must not store a page with every purchase.
export const CANDIDATES_MAX = 20

/** @param ranked the candidates, best first */
export function traceOf(match: BrandMatch, ranked: readonly Candidate[], reason: StatusReason | null): Trace {
  const [first, second] = ranked
  const chosen = first?.eligible === true ? first : null
  const next = chosen !== null && second?.eligible === true ? second : null
  return {
    matching: shownMatch(match),
    candidates: ranked.slice(0, CANDIDATES_MAX).map(lineOf),
    more_candidates: Math.max(0, ranked.length - CANDIDATES_MAX),
    chosen: chosen?.offer.offerUid ?? null,
    chosen_by: chosen === null ? null : betterIn(chosen, next),
    chosen_over: next?.offer.offerUid ?? null,
    offer_version: chosen?.offer.version ?? null,
    status_reason: reason,
    user_reward: chosen === null ? 0 : toJsonNumber(chosen.reward, chosen.offer.currency),
    arithmetic: chosen?.arithmetic ?? null,
  }
}

/** The present state of a purchase. `paid` is what is posted; `reason` says why that is nothing. */
type Standing = {
  readonly terms: Terms | null
  readonly goods: Goods | null
  readonly bound: Bound | null
  readonly paid: Amounts
  readonly currency: string
  readonly reason: string | null
}

/** The stored trace with the present result and arithmetic. */
export function asItStands(trace: Trace, standing: Standing): Trace {
  const { terms, paid, currency, reason } = standing
  const isSame = trace.chosen === (terms?.offerUid ?? null)
  return {
    ...trace,
    // Missing in traces that earlier versions stored.
    more_candidates: trace.more_candidates ?? 0,
    chosen: terms?.offerUid ?? null,
    chosen_by: isSame ? (trace.chosen_by ?? null) : null,
    chosen_over: isSame ? (trace.chosen_over ?? null) : null,
    offer_version: terms?.offerVersion ?? null,
    status_reason: reason,
    user_reward: toJsonNumber(paid.user + paid.discount, currency),
    arithmetic: arithmeticOf(standing),
  }
}

function arithmeticOf({ terms, goods, bound, paid, reason }: Standing): Trace['arithmetic'] {
  if (terms === null || goods === null) return null
  const { amounts, arithmetic } = bounded(terms, targetOf(terms, goods), bound)
  const isWithheld = reason !== null && isNothing(paid) && !isNothing(amounts)
  // Shows the split that it would have had.
  return isWithheld ? { ...arithmetic, withheld_for: reason } : arithmetic
}

function betterIn(chosen: Candidate, next: Candidate | null): Trace['chosen_by'] {
  if (next === null) return 'only_eligible'
  if (chosen.reward !== next.reward) return 'user_reward'
  return chosen.share !== next.share ? 'publisher_share' : 'age'
}

function lineOf({ offer, eligible, reason, rules, credited, ideal }: Candidate): CandidateLine {
  const { user, discount, publisher } = ideal ?? noAmounts
  const shown = (minor: bigint): number | null => (ideal === null ? null : toJsonNumber(minor, offer.currency))
  return {
    offer_uid: offer.offerUid,
    offer_version: offer.version,
    eligible,
    status_reason: reason,
    rules: [...rules],
    user_cashback: eligible ? toJsonNumber(credited, offer.currency) : 0,
    would_earn: shown(user + discount),
    would_share: shown(publisher),
  }
}
