import type { Offer, Period, UserLimit } from '../catalog/index.ts'
import { decimalText } from '../platform/money.ts'
import type { Judged } from './rule-line.ts'

/** What the offer still allows this user for this purchase. */
export type LimitFacts = {
  /** The user had activated the offer when the purchase was made. */
  readonly isActivated: boolean
  /** What the user's other purchases hold, for the period of each kind in which this one lies. */
  readonly taken: ReadonlyMap<Period, Taken>
  /** Commission that the budgets leave for this purchase, in minor units; null: the offer has no budget. */
  readonly budgetLeft: bigint | null
  /** The state of the code that the purchase names. */
  readonly code: CodeState
}
export type Taken = { readonly uses: number; readonly reward: bigint }

/** `own`: handed to this user for this offer, and unused. */
export type CodeState = 'own' | 'used' | 'expired' | 'not handed to this user' | 'none'

export const noLimitFacts: LimitFacts = { isActivated: false, taken: new Map(), budgetLeft: null, code: 'none' }
const nothingTaken: Taken = { uses: 0, reward: 0n }

/** Whether the offer has allowances or activations, whose state must be read. */
export function isLimited({ conditions }: Offer): boolean {
  return (
    conditions.activationRequired ||
    conditions.uniqueCodes ||
    conditions.userLimits.length > 0 ||
    conditions.budgets.length > 0
  )
}

/** Whether anything is left for the purchase; `rewardLeft` and `budgetLeft` say how much. */
export function limitRules(offer: Offer, { limits }: { readonly limits: LimitFacts }): Judged[] {
  const { activationRequired, uniqueCodes, userLimits } = offer.conditions
  const rules: Judged[] = []
  if (activationRequired)
    rules.push({
      rule: 'activation',
      value: limits.isActivated ? 'activated' : 'not activated',
      bound: 'activated before the purchase',
      passed: limits.isActivated,
      reason: 'not_activated',
    })
  if (uniqueCodes)
    rules.push({
      rule: 'voucher_code',
      // The code is worth money and is not shown in the trace.
      value: limits.code,
      bound: 'own',
      passed: limits.code === 'own',
      reason: limits.code === 'used' ? 'voucher_code_used' : 'voucher_code_mismatch',
    })
  return [...rules, ...userLimits.flatMap((limit) => userLimitRules(offer, limit, limits))]
}

function userLimitRules(offer: Offer, { period, uses, reward }: UserLimit, limits: LimitFacts): Judged[] {
  const taken = limits.taken.get(period) ?? nothingTaken
  const reason = 'user_limit_reached'
  const rules: Judged[] = []
  if (uses !== null)
    rules.push({
      rule: 'user_limit_uses',
      value: String(taken.uses),
      bound: `fewer than ${uses} per ${period}`,
      passed: taken.uses < uses,
      reason,
    })
  if (reward !== null)
    rules.push({
      rule: 'user_limit_reward',
      value: decimalText(taken.reward, offer.currency),
      bound: `less than ${decimalText(reward, offer.currency)} per ${period}`,
      passed: taken.reward < reward,
      reason,
    })
  return rules
}

/** The most that the user's part may be, in minor units; null: as much as the terms give. */
export function rewardLeft(limits: readonly UserLimit[], taken: LimitFacts['taken']): bigint | null {
  const left = limits.flatMap(({ period, reward }) =>
    reward === null ? [] : [reward - (taken.get(period)?.reward ?? 0n)],
  )
  return left.length === 0 ? null : least(left.map((one) => (one > 0n ? one : 0n)))
}

/** A purchase is eligible only if the budget covers its whole reward. */
export function budgetRule(offer: Offer, gross: bigint, budgetLeft: bigint): Judged {
  return {
    rule: 'budget',
    value: decimalText(gross, offer.currency),
    bound: `at most ${decimalText(budgetLeft, offer.currency)}`,
    passed: gross <= budgetLeft,
    reason: 'budget_exhausted',
  }
}

function least(amounts: readonly bigint[]): bigint {
  return amounts.reduce((a, b) => (a < b ? a : b))
}
