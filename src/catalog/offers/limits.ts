import { formatDecimal } from '../../platform/money.ts'
import type { Offer, Period, UserLimit } from '../catalog/index.ts'
import type { Judged, RuleRow } from './rule-line.ts'

/** The allowances that remain for this user and this purchase. */
export type LimitFacts = {
  /** True if the user had activated the offer by the time of the purchase. */
  readonly isActivated: boolean
  /** The uses and rewards already taken by the user's other purchases in the periods that contain this purchase. */
  readonly taken: ReadonlyMap<Period, Taken>
  /** The commission that the budgets still allow for this purchase, in minor units; null if the offer has no budget. */
  readonly budgetLeft: bigint | null
  /** The state of the voucher code reported with the purchase. */
  readonly code: CodeState
}
export type Taken = { readonly uses: number; readonly reward: bigint }

/** `own` means handed out to this user for this offer and still unused. */
export type CodeState = 'own' | 'used' | 'expired' | 'not handed to this user' | 'none'

export const noLimitFacts: LimitFacts = { isActivated: false, taken: new Map(), budgetLeft: null, code: 'none' }
const nothingTaken: Taken = { uses: 0, reward: 0n }

/** Returns true if judging the offer requires reading activations or allowances. */
export function isLimited({ conditions }: Offer): boolean {
  return (
    conditions.activationRequired ||
    conditions.uniqueCodes ||
    conditions.userLimits.length > 0 ||
    conditions.budgets.length > 0
  )
}

/**
 * Checks activation, voucher code and user limits: whether anything is left for the purchase, not how much.
 * `computeRewardLeft` and `budgetLeft` determine how much.
 */
export function limitRules(offer: Offer, { limits }: { readonly limits: LimitFacts }): RuleRow[] {
  const { activationRequired, uniqueCodes, userLimits } = offer.conditions
  const { isActivated, code } = limits
  const activated = isActivated ? 'activated' : 'not activated'
  const codeReason = code === 'used' ? 'voucher_code_used' : 'voucher_code_mismatch'
  return [
    activationRequired && ['activation', activated, 'activated before the purchase', isActivated, 'not_activated'],
    // The code is worth money, so the trace shows only its state.
    uniqueCodes && ['voucher_code', code, 'own', code === 'own', codeReason],
    ...userLimits.flatMap((limit) => userLimitRules(offer, limit, limits)),
  ]
}

function userLimitRules({ currency }: Offer, { period, uses, reward }: UserLimit, limits: LimitFacts): RuleRow[] {
  const taken = limits.taken.get(period) ?? nothingTaken
  const rewarded = formatDecimal(taken.reward, currency)
  const fewer = `fewer than ${uses} per ${period}`
  const less = `less than ${formatDecimal(reward ?? 0n, currency)} per ${period}`
  const reason = 'user_limit_reached'
  return [
    uses !== null && ['user_limit_uses', String(taken.uses), fewer, taken.uses < uses, reason],
    reward !== null && ['user_limit_reward', rewarded, less, taken.reward < reward, reason],
  ]
}

/** Returns the most that the limits allow for the user's part, in minor units; null if no limit caps rewards. */
export function computeRewardLeft(limits: readonly UserLimit[], taken: LimitFacts['taken']): bigint | null {
  const left = limits.flatMap(({ period, reward }) =>
    reward === null ? [] : [reward - (taken.get(period)?.reward ?? 0n)],
  )
  return left.length === 0 ? null : left.map((one) => (one > 0n ? one : 0n)).reduce((a, b) => (a < b ? a : b))
}

/**
 * Accepts a purchase only if the budget covers its whole reward. The trace hides the remaining budget because
 * publishers share budgets, and each could otherwise infer what the others' users earn.
 */
export function checkBudget(offer: Offer, gross: bigint, budgetLeft: bigint): Judged {
  return {
    rule: 'budget',
    value: formatDecimal(gross, offer.currency),
    bound: 'at most what is left',
    passed: gross <= budgetLeft,
    reason: 'budget_exhausted',
  }
}
