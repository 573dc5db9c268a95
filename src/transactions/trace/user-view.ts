import type { Amounts, LimitedBy, RuleLine } from '../../offers/index.ts'
import { decimalText, toJsonNumber } from '../../platform/money.ts'
import type { StatusReason } from '../../rewards/index.ts'
import { moneyText, SENTENCES } from './sentences.ts'
import type { Trace, UserView } from './trace-schema.ts'

/** A decision with the amounts that are posted for it. */
export type Explained = { readonly trace: Trace; readonly paid: Amounts; readonly currency: string }

type Step = UserView['steps'][number]

export function userView({ trace, paid, currency }: Explained): UserView {
  const reason = trace.status_reason as StatusReason | null
  return {
    offer_uid: trace.chosen,
    status_reason: reason,
    user_cashback: toJsonNumber(paid.user, currency),
    user_discount: toJsonNumber(paid.discount, currency),
    sentence: reason === null ? rewardText(paid, currency) : SENTENCES[reason](lineFor(trace, reason), currency),
    steps: stepsOf(trace, paid, currency),
  }
}

/** The first failed rule of the best candidate with this reason. */
function lineFor({ candidates }: Trace, reason: StatusReason): RuleLine | null {
  const nearest = candidates.find((one) => !one.eligible && one.status_reason === reason)
  return nearest?.rules.find(({ passed }) => !passed) ?? null
}

const LIMITS: Readonly<Record<LimitedBy, string>> = {
  user_limit: 'This is as much as the offer still gives you in this period.',
  budget_left: 'This is as much as was left of the offer.',
  voucher_code: 'The code was used before.',
}

function stepsOf({ arithmetic }: Trace, paid: Amounts, currency: string): Step[] {
  if (arithmetic === null) return []
  const money = (amount: string): string => moneyText(amount, currency)
  const { amount, refunded, eligible_amount, limited_by } = arithmetic
  const reward = decimalText(paid.user + paid.discount, currency)
  const steps: Step[] = [{ step: 'spent', amount, sentence: `You spent ${money(amount)}.` }]
  if (isMore(refunded))
    steps.push({ step: 'returned', amount: refunded, sentence: `${money(refunded)} of it was returned or cancelled.` })
  if (isMore(amount) && eligible_amount !== amount)
    steps.push({
      step: 'counted',
      amount: eligible_amount,
      sentence: `${money(eligible_amount)} of it counts for this offer.`,
    })
  if (limited_by !== undefined) steps.push({ step: 'limited', amount: reward, sentence: LIMITS[limited_by] })
  return [...steps, { step: 'reward', amount: reward, sentence: rewardText(paid, currency) }]
}

function rewardText({ user, discount }: Amounts, currency: string): string {
  return discount > 0n
    ? `You saved ${moneyText(decimalText(discount, currency), currency)} at the till.`
    : `You get ${moneyText(decimalText(user, currency), currency)} back.`
}

function isMore(amount: string): boolean {
  return /[1-9]/.test(amount)
}
