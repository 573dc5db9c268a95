import type { Amounts, LimitedBy, RuleLine } from '../../../catalog/offers/index.ts'
import { floorShare, formatDecimal, PPM, percentToPpm, ppmToPercent, toJsonNumber } from '../../../platform/money.ts'
import type { StatusReason } from '../rewards/statuses.ts'
import type { Trace, UserView } from '../trace-schema.ts'
import type { Conditional } from './conditions.ts'
import { describeConditional, formatMoney, SENTENCES } from './sentences.ts'

/** A decision with the amounts posted for it. */
export type Explained = {
  readonly trace: Trace
  readonly paid: Amounts
  readonly currency: string
  /** The reward and conditions of a hypothetical purchase; null if no condition is open. */
  readonly conditional?: Conditional | null
}

type Step = UserView['steps'][number]

export function buildUserView({ trace, paid, currency, conditional = null }: Explained): UserView {
  const reason = trace.status_reason as StatusReason | null
  const sentence =
    reason === null
      ? rewardText(paid, currency)
      : conditional === null
        ? SENTENCES[reason](findRefusingRule(trace), currency)
        : describeConditional(conditional, currency)
  return {
    offer_uid: trace.chosen,
    status_reason: reason,
    user_cashback: toJsonNumber(paid.user, currency),
    user_discount: toJsonNumber(paid.discount, currency),
    sentence,
    ...(conditional !== null && { conditional: presentConditional(conditional) }),
    steps: buildSteps(trace, paid, currency),
  }
}

/**
 * Returns the failed rule that explains the decision: the first failed rule of the best candidate rejected for that
 * reason.
 */
export function findRefusingRule({ candidates, status_reason }: Trace): RuleLine | null {
  const nearest = candidates.find((one) => !one.eligible && one.status_reason === status_reason)
  return nearest?.rules.find(({ passed }) => !passed) ?? null
}

const LIMITS: Readonly<Record<LimitedBy, string>> = {
  user_limit: 'This is all that is left of the offer for you in this period.',
  budget_left: 'This is all that was left of the offer.',
  voucher_code: 'The code has already been used.',
}

function buildSteps({ arithmetic }: Trace, paid: Amounts, currency: string): Step[] {
  if (arithmetic === null) return []
  const money = (amount: string): string => formatMoney(amount, currency)
  const { amount, refunded, eligible_amount, limited_by } = arithmetic
  const reward = formatDecimal(paid.user + paid.discount, currency)
  const steps: Step[] = [{ step: 'spent', amount, sentence: `You spent ${money(amount)}.` }]
  if (isMore(refunded))
    steps.push({ step: 'returned', amount: refunded, sentence: `${money(refunded)} of it was refunded or canceled.` })
  if (isMore(amount) && eligible_amount !== amount)
    steps.push({
      step: 'counted',
      amount: eligible_amount,
      sentence: `${money(eligible_amount)} of it counts for this offer.`,
    })
  if (!('withheld_for' in arithmetic)) steps.push(...listRates(arithmetic, currency))
  if (limited_by !== undefined) steps.push({ step: 'limited', amount: reward, sentence: LIMITS[limited_by] })
  return [...steps, { step: 'reward', amount: reward, sentence: rewardText(paid, currency) }]
}

/** Lists the rates that applied to parts of the purchase, each reduced to the user's share, as offers display them. */
function listRates({ parts, fee_percent, share_percent }: NonNullable<Trace['arithmetic']>, currency: string): Step[] {
  const rest = PPM - toPpm(fee_percent) - toPpm(share_percent)
  return parts
    .filter(({ unrounded }) => isMore(unrounded))
    .map(({ rate_percent, eligible_amount }): Step => {
      const amount = eligible_amount
      if (rate_percent === null) return { step: 'rate', amount, sentence: 'This offer pays a fixed amount.' }
      const netPpm = floorShare(toPpm(rate_percent), rest)
      const net = ppmToPercent(Number(netPpm))
      const sentence = `You earn ${net}% of ${formatMoney(amount, currency)}.`
      return { step: 'rate', amount, rate_percent: net, sentence }
    })
}

function presentConditional({ offerUid, reward, conditions }: Conditional): NonNullable<UserView['conditional']> {
  return { offer_uid: offerUid, reward, conditions: conditions.map(({ rule }) => rule) }
}

function toPpm(percent: number): bigint {
  return BigInt(percentToPpm(percent) ?? 0)
}

function rewardText({ user, discount }: Amounts, currency: string): string {
  return discount > 0n
    ? `You saved ${formatMoney(formatDecimal(discount, currency), currency)} at checkout.`
    : `You get ${formatMoney(formatDecimal(user, currency), currency)} back.`
}

function isMore(amount: string): boolean {
  return /[1-9]/.test(amount)
}
