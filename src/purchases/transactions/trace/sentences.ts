import type { RuleLine } from '../../../catalog/offers/index.ts'
import { type Day, isDay } from '../../../platform/calendar.ts'
import type { StatusReason } from '../../rewards/index.ts'
import type { Conditional } from './conditions.ts'

/** @param line the failed rule; null if the reason is not an offer's rule or the trace no longer shows it */
type Sentence = (line: RuleLine | null, currency: string) => string

/** The sentence that tells the user each reason. Reveals nothing about other purchases, codes or commission. */
export const SENTENCES: Readonly<Record<StatusReason, Sentence>> = {
  user_inactive: () => 'Your account was not active when you bought.',
  terms_not_accepted: () => 'You had not accepted the terms when you bought.',
  source_not_eligible: () => 'This way of paying or ordering is not part of the offer.',
  card_not_linked: () => 'The card you paid with was not linked when you bought.',
  before_card_linked: () => 'You bought before you linked this card.',
  offer_not_started: (line) => ofDays(line, 'this offer began on', 'This offer had not begun when you bought.'),
  offer_ended: (line) => ofDays(line, 'this offer ended on', 'This offer had ended when you bought.'),
  outside_days: (line) =>
    `This offer ${
      line?.bound == null
        ? 'did not hold on that day'
        : `holds on ${listText(
            weekdaysIn(line.bound).map((day) => `${day}s`),
            'and',
          )}`
    }.`,
  outside_hours: (line) =>
    line?.bound == null
      ? 'This offer did not hold at that hour.'
      : `This offer holds from ${line.bound.replace('–', ' to ')}.`,
  currency_mismatch: () => 'This offer is not paid in the currency of this purchase.',
  below_min_spend: (line, currency) =>
    line?.value == null || line.bound === null
      ? 'You spent less than this offer asks for.'
      : `You spent ${moneyText(line.value, currency)}; this offer asks for at least ${moneyText(line.bound, currency)}.`,
  offer_already_used: () => 'This offer can be used once, and you have used it.',
  not_activated: () => 'You had not activated this offer when you bought.',
  user_limit_reached: () => 'You have used this offer as often or as much as it allows.',
  budget_exhausted: () => 'This offer had run out when you bought.',
  voucher_code_used: () => 'This code was used before.',
  not_a_new_customer: () => 'This offer is for new customers of the shop.',
  not_a_lapsed_customer: () => 'This offer is for customers who have not bought at the shop for a while.',
  voucher_code_mismatch: () => 'The code of this offer was not used, or is not yours.',
  denomination_mismatch: (line, currency) =>
    line?.bound == null
      ? 'This offer is for gift cards of other amounts.'
      : `This offer is for gift cards of ${listText(
          line.bound.split(', ').map((one) => moneyText(one, currency)),
          'or',
        )}.`,
  channel_not_eligible: (line) =>
    line?.bound === 'ONLINE' ? 'This offer is for purchases online.' : 'This offer is for purchases in a store.',
  location_unconfirmed: () => 'We do not know in which store you bought; this offer is paid once that is confirmed.',
  store_not_participating: () => 'The store where you bought is not part of this offer.',
  no_commission_group: () => 'Nothing of what you bought is part of this offer.',
  no_reward_value: () => 'What you bought comes to no reward.',
  unmatched: () => 'We did not recognise a shop with an offer in this purchase.',
  no_offer: () => 'The shop had no offer when you bought.',
  refunded: () => 'You got money back for this purchase; what came back earns nothing.',
  reversed: () => 'This purchase was cancelled.',
  declined: () => 'This payment was declined.',
  authorization_expired: () => 'This purchase was not confirmed in time.',
  original_unknown: () => 'We do not know the purchase that this money came back from.',
  merged: () => 'This is part of another purchase of yours.',
  stacked: () => 'This purchase already counts: it was also reported in another way.',
  adjusted: () => 'The amount of this purchase was corrected.',
}

/** Conditions worded as sentence endings, by rule name. */
const CONDITIONS: Readonly<Record<string, (bound: string) => string>> = {
  user_active: () => 'you accept the terms first',
  card_linked: () => 'you link a card first and pay with it',
  start_date: (bound) => `you buy on ${isDay(bound) ? dayText(bound, true) : bound} or later`,
  days: (bound) =>
    `you buy on ${listText(
      weekdaysIn(bound).map((day) => `a ${day}`),
      'or',
    )}`,
  hours: (bound) => `you buy between ${bound.replace('–', ' and ')}`,
  activation: () => 'you activate the offer first',
  voucher_code: () => 'you use a code of the offer',
  store: (bound) => `you buy ${/^\d+ listed stores?$/.test(bound) ? "at one of the offer's stores" : `in ${bound}`}`,
  commission_group: () => 'what you buy is part of the offer',
}

export function conditionalText({ reward, isDiscount, conditions }: Conditional, currency: string): string {
  const amount = reward === null ? null : moneyText(String(reward), currency)
  const earned = amount === null ? 'You earn a reward' : isDiscount ? `You save ${amount}` : `You get ${amount} back`
  const phrases = conditions.map(({ rule, bound }) => CONDITIONS[rule]?.(bound ?? '') ?? rule)
  return `${earned} if ${listText(phrases, 'and')}.`
}

/** @param amount decimal text in major units */
export function moneyText(amount: string, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount as Intl.StringNumericLiteral)
}

function ofDays(line: RuleLine | null, offer: string, otherwise: string): string {
  const [bought, bound] = [line?.value ?? '', line?.bound ?? '']
  if (!isDay(bought) || !isDay(bound)) return otherwise
  const isSameYear = bought.slice(0, 4) === bound.slice(0, 4)
  return `Bought on ${dayText(bought, !isSameYear)}; ${offer} ${dayText(bound, !isSameYear)}.`
}

function dayText(day: Day, withYear: boolean): string {
  const options = { month: 'long', day: 'numeric', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat('en-US', withYear ? { ...options, year: 'numeric' } : options).format(new Date(day))
}

const WEEK: Readonly<Record<string, string>> = {
  MON: 'Monday',
  TUE: 'Tuesday',
  WED: 'Wednesday',
  THU: 'Thursday',
  FRI: 'Friday',
  SAT: 'Saturday',
  SUN: 'Sunday',
}

function weekdaysIn(bound: string): string[] {
  return bound.split(', ').map((day) => WEEK[day] ?? day)
}

function listText(parts: readonly string[], last: 'and' | 'or'): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} ${last} ${parts.at(-1)}`
}
