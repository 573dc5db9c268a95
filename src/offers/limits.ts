import type { Offer, Period, UserLimit } from '../catalog/index.ts'
import { decimalText } from '../platform/money.ts'
import type { Judged, RuleLine } from './rules.ts'

/** What this offer still allows this user for this purchase: part of the circumstances, counted by the caller. */
export type LimitFacts = {
  /** Whether the user had activated the offer when the purchase was made. */
  readonly isActivated: boolean
  /** What the user's other purchases took in the periods of this one. */
  readonly taken: ReadonlyMap<Period, Taken>
  /** The commission that the offer's budgets leave for this purchase; null: it has none. */
  readonly budgetLeft: bigint | null
  /** Of the code that the purchase names. */
  readonly code: CodeState
}
export type Taken = { readonly uses: number; readonly reward: bigint }

/** `own`: handed to this user for this offer and free to be used by this purchase. */
export type CodeState = 'own' | 'used' | 'expired' | 'not handed to this user' | 'none'

export type LimitReason = 'not_activated' | 'user_limit_reached' | 'budget_exhausted' | 'voucher_code_used'

export const noLimitFacts: LimitFacts = { isActivated: false, taken: new Map(), budgetLeft: null, code: 'none' }
const nothingTaken: Taken = { uses: 0, reward: 0n }

/** Whether anything of an offer is counted or handed out, so that its state has to be read. */
export function isLimited({ conditions }: Offer): boolean {
  return (
    conditions.activationRequired ||
    conditions.uniqueCodes ||
    conditions.userLimits.length > 0 ||
    conditions.budgets.length > 0
  )
}

/** What must still be free before a purchase is worth anything; how much the rest may be worth follows in `rewardLeft` and `budgetLeft`. */
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
      // The code itself is worth money and stays out of the trace.
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

/** The most that the user's part of this purchase may be; null: as much as the terms give. */
export function rewardLeft(limits: readonly UserLimit[], taken: LimitFacts['taken']): bigint | null {
  const left = limits.flatMap(({ period, reward }) =>
    reward === null ? [] : [reward - (taken.get(period)?.reward ?? 0n)],
  )
  return left.length === 0 ? null : least(left.map((one) => (one > 0n ? one : 0n)))
}

/** A budget carries the whole reward of a purchase or none of it. */
export function budgetRule(
  offer: Offer,
  gross: bigint,
  budgetLeft: bigint,
): RuleLine & { readonly reason: LimitReason } {
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
