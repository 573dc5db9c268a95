import type { Offer, Period, UserLimit } from '../catalog/index.ts'
import { decimalText } from '../platform/money.ts'
import type { Judged, RuleRow } from './rule-line.ts'

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
export function limitRules(offer: Offer, { limits }: { readonly limits: LimitFacts }): RuleRow[] {
  const { activationRequired, uniqueCodes, userLimits } = offer.conditions
  const { isActivated, code } = limits
  const activated = isActivated ? 'activated' : 'not activated'
  const codeReason = code === 'used' ? 'voucher_code_used' : 'voucher_code_mismatch'
  return [
    activationRequired && ['activation', activated, 'activated before the purchase', isActivated, 'not_activated'],
    // The code is worth money and is not shown in the trace.
    uniqueCodes && ['voucher_code', code, 'own', code === 'own', codeReason],
    ...userLimits.flatMap((limit) => userLimitRules(offer, limit, limits)),
  ]
}

function userLimitRules({ currency }: Offer, { period, uses, reward }: UserLimit, limits: LimitFacts): RuleRow[] {
  const taken = limits.taken.get(period) ?? nothingTaken
  const rewarded = decimalText(taken.reward, currency)
  const fewer = `fewer than ${uses} per ${period}`
  const less = `less than ${decimalText(reward ?? 0n, currency)} per ${period}`
  const reason = 'user_limit_reached'
  return [
    uses !== null && ['user_limit_uses', String(taken.uses), fewer, taken.uses < uses, reason],
    reward !== null && ['user_limit_reward', rewarded, less, taken.reward < reward, reason],
  ]
}

/** The most that the user's part may be, in minor units; null: as much as the terms give. */
export function rewardLeft(limits: readonly UserLimit[], taken: LimitFacts['taken']): bigint | null {
  const left = limits.flatMap(({ period, reward }) =>
    reward === null ? [] : [reward - (taken.get(period)?.reward ?? 0n)],
  )
  return left.length === 0 ? null : least(left.map((one) => (one > 0n ? one : 0n)))
}

/**
 * A purchase is eligible only if the budget covers its whole reward. How much is left is not shown: publishers share
 * budgets, and each would see what the others' users earn.
 */
export function budgetRule(offer: Offer, gross: bigint, budgetLeft: bigint): Judged {
  return {
    rule: 'budget',
    value: decimalText(gross, offer.currency),
    bound: 'at most what is left',
    passed: gross <= budgetLeft,
    reason: 'budget_exhausted',
  }
}

function least(amounts: readonly bigint[]): bigint {
  return amounts.reduce((a, b) => (a < b ? a : b))
}
