import type { RuleLine } from '../../catalog/offers/index.ts'
import { type Day, isDay } from '../../platform/calendar.ts'
import { type Explained, findRefusingRule, type StatusReason } from '../../purchases/transactions/index.ts'
import { formatCount, formatDay, formatList, formatMoney, formatTime, formatWeekdays } from './formats.ts'
import type { PortalWords } from './words.ts'

type Reading = { readonly words: PortalWords; readonly today: Day; readonly currency: string }

/**
 * Returns the reason a purchase earned nothing, with the figures of the rule that refused it; null if it earned
 * something.
 */
export function describeReason(reading: Reading, { trace }: Explained): string | null {
  const reason = trace.status_reason as StatusReason | null
  if (reason === null) return null
  return withFigures(reading, reason, findRefusingRule(trace)) ?? reading.words.reasons[reason]
}

/** Returns the reason with its figures; null if the reason has none or the decision no longer contains them. */
function withFigures({ words, today, currency }: Reading, reason: StatusReason, line: RuleLine | null): string | null {
  const { value, bound } = line ?? { value: null, bound: null }
  if (bound === null) return null
  const { figures } = words
  const money = (amount: string): string => formatMoney(words, amount, currency)
  switch (reason) {
    case 'below_min_spend':
      return value === null ? null : figures.belowMinSpend(money(value), money(bound))
    case 'offer_not_started':
      return isDay(bound) ? figures.notStarted(formatDay(words, bound, today)) : null
    case 'offer_ended':
      return isDay(bound) ? figures.ended(formatDay(words, bound, today)) : null
    case 'outside_days':
      return figures.outsideDays(formatWeekdays(words, bound.split(', '), 'and'))
    case 'outside_hours': {
      const [from, to] = bound.split('–')
      return from === undefined || to === undefined
        ? null
        : figures.outsideHours(formatTime(words, from), formatTime(words, to))
    }
    case 'denomination_mismatch':
      return figures.denominations(formatList(words, bound.split(', ').map(money), 'or'))
    case 'channel_not_eligible':
      return bound === 'ONLINE' ? figures.onlineOnly : figures.inStoreOnly
    case 'user_limit_reached':
      return limitText({ words, today, currency }, line?.rule ?? '', bound)
    case 'not_a_new_customer':
      return daysIn(words, bound, figures.newCustomers)
    case 'not_a_lapsed_customer':
      return daysIn(words, bound, figures.lapsedCustomers)
    default:
      return null
  }
}

/** Describes a user limit, given its bound, such as `fewer than 3 per MONTH` or `less than 10.00 per MONTH`. */
function limitText({ words, currency }: Reading, rule: string, bound: string): string | null {
  const [, bounded = '', period = ''] = /than ([\d.]+) per (\w+)$/.exec(bound) ?? []
  const per = Object.entries(words.figures.periods).find(([name]) => name === period)?.[1]
  if (per === undefined) return null
  return rule === 'user_limit_uses'
    ? words.figures.usesReached(formatCount(words, Number(bounded)), per)
    : words.figures.rewardReached(formatMoney(words, bounded, currency), per)
}

/** Describes a bound that ends with the length of its window: `none in 365 days`. */
function daysIn(words: PortalWords, bound: string, text: (days: string) => string): string | null {
  const days = /(\d+) days$/.exec(bound)?.[1]
  return days === undefined ? null : text(formatCount(words, Number(days)))
}

/** Describes a condition that a future purchase must still meet as something the user can do. */
export function describeCondition({ words, today }: Omit<Reading, 'currency'>, { rule, bound }: RuleLine): string {
  const { conditions } = words
  const text = bound ?? ''
  const [from = '', to = ''] = text.split('–')
  const texts: Readonly<Record<string, () => string>> = {
    user_active: () => conditions.terms,
    card_linked: () => conditions.card,
    start_date: () => conditions.startDate(isDay(text) ? formatDay(words, text, today) : text),
    days: () => conditions.days(formatWeekdays(words, text.split(', '), 'or')),
    hours: () => conditions.hours(formatTime(words, from), formatTime(words, to)),
    activation: () => conditions.activation,
    voucher_code: () => conditions.code,
    store: () => (/^\d+ listed stores?$/.test(text) ? conditions.store : conditions.place(text)),
    commission_group: () => conditions.goods,
  }
  return texts[rule]?.() ?? text
}
