import type { Catalog } from '../../../catalog/catalog/index.ts'
import { type BrandMatch, noMatch } from '../../../catalog/merchants/index.ts'
import {
  type Amounts,
  applyBound,
  type Bound,
  computeTarget,
  type Goods,
  isNothing,
  noAmounts,
  type RuleLine,
  type Terms,
  type Verdict,
} from '../../../catalog/offers/index.ts'
import { toJsonNumber } from '../../../platform/money.ts'
import { createPacker } from '../../../platform/text/packed-json.ts'
import { presentMatch } from '../load/match.ts'
import type { Ruling } from '../rewards/settle.ts'
import type { StatusReason } from '../rewards/statuses.ts'
import type { Trace } from '../trace-schema.ts'

/** A stored judgment. The rest of a trace is derived from the terms and the events. */
export type Judgement = Omit<Trace, 'offer_version' | 'status_reason' | 'user_reward' | 'arithmetic'>
type CandidateLine = Judgement['candidates'][number]

/** A judged offer, with everything used to rank offers. Amounts are in minor units. */
export type Candidate = Omit<Verdict, 'reason'> & {
  readonly reason: StatusReason | null
  readonly ruling: Ruling
  /** The user's part, credited or deducted at checkout. */
  readonly reward: bigint
  readonly credited: bigint
  readonly share: bigint
  /**
   * The reward, or what an ineligible offer would have paid if every rule had passed; null if the offer's currency
   * differs from the purchase's.
   */
  readonly ideal: Amounts | null
}

// People read only the first few. With hundreds of offers, a full list would add a page to every purchase.
export const CANDIDATES_MAX = 20

/** @param ranked the candidates, best first */
export function buildJudgement(match: BrandMatch, ranked: readonly Candidate[]): Judgement {
  const [first, second] = ranked
  const chosen = first?.eligible === true ? first : null
  const next = chosen !== null && second?.eligible === true ? second : null
  return {
    matching: presentMatch(match),
    candidates: ranked.slice(0, CANDIDATES_MAX).map(toCandidateLine),
    more_candidates: Math.max(0, ranked.length - CANDIDATES_MAX),
    chosen: chosen?.offer.offerUid ?? null,
    chosen_by: chosen === null ? null : betterIn(chosen, next),
    chosen_over: next?.offer.offerUid ?? null,
  }
}

// The object shapes in a stored judgment. Only evidence from a name includes the strategy that found it.
const { pack, unpack } = createPacker([
  ['matching', 'candidates', 'more_candidates', 'chosen', 'chosen_by', 'chosen_over'],
  ['brand_uid', 'band', 'score', 'method', 'reason', 'proposed_brand_uid', 'evidence', 'runner_up'],
  ['field', 'value', 'matched'],
  ['field', 'value', 'matched', 'kind'],
  ['field', 'value', 'matched', 'kind', 'strategy'],
  ['brand_uid', 'score'],
  ['offer_uid', 'offer_version', 'eligible', 'status_reason', 'rules', 'user_cashback', 'would_earn', 'would_share'],
  ['rule', 'value', 'bound', 'passed'],
])
export const toStored: (judgement: Judgement) => object = pack

/** In older rows, rules are lists or objects with property names, and properties added later are missing. */
type OldRule = RuleLine | readonly [rule: string, value: string | null, bound: string | null, passed: boolean]

/** @param stored empty if nothing was judged, as for a refund of an unknown purchase */
export function restoreJudgement(stored: object): Judgement {
  const judgement = unpack(stored) as Partial<Judgement>
  const { matching = presentMatch(noMatch), candidates = [], more_candidates = 0 } = judgement
  const { chosen = null, chosen_by = null, chosen_over = null } = judgement
  return {
    matching,
    more_candidates,
    chosen,
    chosen_by,
    chosen_over,
    candidates: candidates.map((candidate) => ({ ...candidate, rules: candidate.rules.map(toRule) })),
  }
}

function toRule(stored: OldRule): RuleLine {
  if ('rule' in stored) return stored
  const [rule, value, bound, passed] = stored
  return { rule, value, bound, passed }
}

/** The current state of a purchase. `paid` holds the posted amounts; if nothing was posted, `reason` explains why. */
type Standing = {
  readonly terms: Terms | null
  readonly goods: Goods | null
  readonly bound: Bound | null
  readonly paid: Amounts
  readonly currency: string
  readonly reason: string | null
}

/** Combines a stored judgment with the current result and arithmetic. */
export function asItStands(judgement: Judgement, standing: Standing): Trace {
  const { terms, paid, currency, reason } = standing
  const isSame = judgement.chosen === (terms?.offerUid ?? null)
  return {
    ...judgement,
    chosen: terms?.offerUid ?? null,
    chosen_by: isSame ? judgement.chosen_by : null,
    chosen_over: isSame ? judgement.chosen_over : null,
    offer_version: terms?.offerVersion ?? null,
    status_reason: reason,
    user_reward: toJsonNumber(paid.user + paid.discount, currency),
    arithmetic: buildArithmetic(standing),
  }
}

function buildArithmetic({ terms, goods, bound, paid, reason }: Standing): Trace['arithmetic'] {
  if (terms === null || goods === null) return null
  const { amounts, arithmetic } = applyBound(terms, computeTarget(terms, goods), bound)
  const isWithheld = reason !== null && isNothing(paid) && !isNothing(amounts)
  // Shows the split that the reward would have had.
  return isWithheld ? { ...arithmetic, withheld_for: reason } : arithmetic
}

function betterIn(chosen: Candidate, next: Candidate | null): Trace['chosen_by'] {
  if (next === null) return 'only_eligible'
  if (chosen.reward !== next.reward) return 'user_reward'
  return chosen.share !== next.share ? 'publisher_share' : 'age'
}

function toCandidateLine({ offer, eligible, reason, rules, credited, ideal }: Candidate): CandidateLine {
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

/** Adds the names of the judged offers to a decision, for readability, if the offers are still in the catalog. */
export function addOfferNames(trace: Trace, { offers }: Pick<Catalog, 'offers'>): Trace {
  const candidates = trace.candidates.map(({ offer_uid, ...judged }) => {
    const offer = offers.get(offer_uid)
    return { offer_uid, ...(offer === undefined ? {} : { offer_name: offer.name }), ...judged }
  })
  return { ...trace, candidates }
}
