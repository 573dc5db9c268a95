import type { RuleLine } from '../../../catalog/offers/index.ts'
import { type Day, isDay } from '../../../platform/calendar.ts'
import type { StatusReason } from '../rewards/statuses.ts'
import type { Conditional } from './conditions.ts'

/** @param line the failed rule; null if the reason is not an offer's rule or the trace no longer includes it */
type Sentence = (line: RuleLine | null, currency: string) => string

/**
 * The sentences that explain each reason to the user. They reveal nothing about other purchases, codes or commission.
 */
export const SENTENCES: Readonly<Record<StatusReason, Sentence>> = {
  user_inactive: () => 'Your account was not active when you made this purchase.',
  terms_not_accepted: () => 'You had not accepted the terms when you made this purchase.',
  source_not_eligible: () => 'This way of paying or ordering does not count for this offer.',
  card_not_linked: () => 'The card you paid with was not linked when you made this purchase.',
  before_card_linked: () => 'You made this purchase before you linked the card.',
  offer_not_started: (line) =>
    ofDays(line, 'this offer began on', 'This offer had not begun when you made this purchase.'),
  offer_ended: (line) => ofDays(line, 'this offer ended on', 'This offer had ended when you made this purchase.'),
  outside_days: (line) =>
    `This offer ${
      line?.bound == null
        ? 'was not valid on that day'
        : `is valid on ${listText(
            weekdaysIn(line.bound).map((day) => `${day}s`),
            'and',
          )}`
    }.`,
  outside_hours: (line) =>
    line?.bound == null
      ? 'This offer was not valid at that time of day.'
      : `This offer is valid from ${line.bound.replace('–', ' to ')}.`,
  currency_mismatch: () => 'This offer does not pay out in the currency of this purchase.',
  below_min_spend: (line, currency) =>
    line?.value == null || line.bound === null
      ? 'You spent less than this offer requires.'
      : `You spent ${formatMoney(line.value, currency)}, but this offer requires at least ` +
        `${formatMoney(line.bound, currency)}.`,
  offer_already_used: () => 'This offer can be used once, and you have already used it.',
  not_activated: () => 'You had not activated this offer when you made this purchase.',
  user_limit_reached: () => 'You have already used this offer as often, or for as much, as it allows.',
  budget_exhausted: () => 'This offer was used up when you made this purchase.',
  voucher_code_used: () => 'This code has already been used.',
  not_a_new_customer: () => "This offer is for the shop's new customers.",
  not_a_lapsed_customer: () => 'This offer is for customers who have not shopped there for a while.',
  voucher_code_mismatch: () => "This offer's code was not used, or does not belong to you.",
  denomination_mismatch: (line, currency) =>
    line?.bound == null
      ? 'This offer is for gift cards in other amounts.'
      : `This offer is for gift cards of ${listText(
          line.bound.split(', ').map((one) => formatMoney(one, currency)),
          'or',
        )}.`,
  channel_not_eligible: (line) =>
    line?.bound === 'ONLINE' ? 'This offer is for online purchases.' : 'This offer is for in-store purchases.',
  location_unconfirmed: () => 'We do not know which store you shopped at. This offer pays once that is confirmed.',
  store_not_participating: () => 'The store where you shopped is not part of this offer.',
  no_commission_group: () => 'None of the items you bought is part of this offer.',
  no_reward_value: () => 'The reward for this purchase comes to zero.',
  unmatched: () => 'We did not recognize a shop with an offer in this purchase.',
  no_offer: () => 'The shop had no offer when you made this purchase.',
  refunded: () => 'You were refunded for this purchase. The refunded amount earns nothing.',
  reversed: () => 'This purchase was canceled.',
  declined: () => 'This payment was declined.',
  authorization_expired: () => 'This purchase was not confirmed in time.',
  original_unknown: () => 'We do not know which purchase this refund belongs to.',
  merged: () => 'This belongs to another one of your purchases.',
  stacked: () => 'This purchase already counts, because it was also reported another way.',
  adjusted: () => 'The amount of this purchase was corrected.',
}

/** Conditions as sentence endings, by rule name. */
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
  voucher_code: () => "you use one of the offer's codes",
  store: (bound) => `you buy ${/^\d+ listed stores?$/.test(bound) ? "at one of the offer's stores" : `in ${bound}`}`,
  commission_group: () => 'your items are part of the offer',
}

export function describeConditional({ reward, isDiscount, conditions }: Conditional, currency: string): string {
  const amount = reward === null ? null : formatMoney(String(reward), currency)
  const earned = amount === null ? 'You earn a reward' : isDiscount ? `You save ${amount}` : `You get ${amount} back`
  const phrases = conditions.map(({ rule, bound }) => CONDITIONS[rule]?.(bound ?? '') ?? rule)
  return `${earned} if ${listText(phrases, 'and')}.`
}

/** @param amount a decimal string in major units */
export function formatMoney(amount: string, currency: string): string {
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
