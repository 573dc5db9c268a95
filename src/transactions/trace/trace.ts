import type { BrandMatch } from '../../merchants/index.ts'
import type { Circumstances, Goods, RuleLine, Verdict } from '../../offers/index.ts'
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

/** Why a purchase earns what it earns: kept with it, answered by GET …/decision and by evaluate. */
export type Trace = {
  readonly matching: ReturnType<typeof shownMatch>
  /** Those that may pay, best first; after them those that were refused, the nearest first. */
  readonly candidates: readonly CandidateLine[]
  /** How many further offers were judged that are not shown. */
  readonly more_candidates: number
  readonly chosen: string | null
  /** What the chosen offer is better in than the next one; nothing where it was the only one. */
  readonly chosen_by: ChosenBy | null
  readonly chosen_over: string | null
  readonly offer_version: number | null
  readonly status_reason: string | null
  /** The user's reward for the purchase as it is now, credited or at the till, in major units. */
  readonly user_reward: number
  readonly arithmetic: BoundedArithmetic | (BoundedArithmetic & { readonly withheld_for: string }) | null
}

export const CHOSEN_BY = ['only_eligible', 'user_reward', 'publisher_share', 'age'] as const
type ChosenBy = (typeof CHOSEN_BY)[number]

type CandidateLine = {
  readonly offer_uid: string
  readonly offer_version: number
  readonly eligible: boolean
  readonly status_reason: string | null
  readonly rules: readonly RuleLine[]
  readonly user_cashback: number
  /** The user's part, credited or at the till, and the publisher's, were every rule passed; null: money of another currency. */
  readonly would_earn: number | null
  readonly would_share: number | null
}

/** An offer that was judged, with all that the choice goes by. */
export type Candidate = Omit<Verdict, 'reason'> & {
  readonly reason: StatusReason | null
  readonly circumstances: Circumstances
  readonly ruling: Ruling
  /** What the user gets, credited or at the till. */
  readonly reward: bigint
  readonly credited: bigint
  readonly share: bigint
  /** What it gives; of one that was refused, what it would give without limits and a least amount. Null: another currency. */
  readonly ideal: Amounts | null
  readonly arithmetic: BoundedArithmetic
}

// A person reads the first few; a brand with hundreds of offers must not make every purchase of it a page of storage.
export const CANDIDATES_MAX = 20

/** @param ranked the candidates as the choice ranks them: those that may pay first. */
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

/** The current state of a purchase: its terms, what was bought, what is paid for it, and the reason if that is nothing. */
type Standing = {
  readonly terms: Terms | null
  readonly goods: Goods | null
  readonly bound: Bound | null
  readonly paid: Amounts
  readonly currency: string
  readonly reason: string | null
}

/** The trace of the judgement, with the outcome and the arithmetic of today. */
export function asItStands(trace: Trace, standing: Standing): Trace {
  const { terms, paid, currency, reason } = standing
  const isSame = trace.chosen === (terms?.offerUid ?? null)
  return {
    ...trace,
    // Traces of former versions lack these members.
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
  // The split is the one that it would have had.
  return isWithheld ? { ...arithmetic, withheld_for: reason } : arithmetic
}

function betterIn(chosen: Candidate, next: Candidate | null): ChosenBy {
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
    rules,
    user_cashback: eligible ? toJsonNumber(credited, offer.currency) : 0,
    would_earn: shown(user + discount),
    would_share: shown(publisher),
  }
}
