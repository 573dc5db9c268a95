import type { Offer, Weekday } from '../catalog/index.ts'
import { addDays, timeOf, weekdayOf } from '../platform/calendar.ts'
import type { Purchase } from './purchase.ts'
import type { Judged } from './rule-line.ts'

const WEEK: readonly Weekday[] = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN']

/** When an offer is valid: first and last day, days of the week, hours. In the publisher's time zone. */
export function timeRules(offer: Offer, purchase: Purchase): Judged[] {
  const { startDate, endDate } = offer
  const { days, hours } = offer.conditions
  const rules: Judged[] = []
  if (startDate !== null)
    rules.push({
      rule: 'start_date',
      value: purchase.day,
      bound: startDate,
      passed: purchase.day >= startDate,
      reason: 'offer_not_started',
    })
  if (endDate !== null)
    rules.push({
      rule: 'end_date',
      value: purchase.day,
      bound: endDate,
      passed: purchase.day <= endDate,
      reason: 'offer_ended',
    })
  if (days.length > 0) {
    const possible = weekdaysOf(offer, purchase)
    rules.push({
      rule: 'days',
      value: possible.join(' or '),
      bound: days.join(', '),
      passed: possible.some((day) => days.includes(day)),
      reason: 'outside_days',
    })
  }
  if (hours !== null) {
    const time = timeOfPurchase(purchase)
    rules.push({
      rule: 'hours',
      value: time,
      bound: `${hours.from}–${hours.to}`,
      passed: time === null || isWithin(hours, time),
      reason: 'outside_hours',
    })
  }
  return rules
}

type Hours = NonNullable<Offer['conditions']['hours']>

/** Null: only the day is known. */
function timeOfPurchase({ at, timeZone, dateOnly }: Purchase): string | null {
  return dateOnly ? null : timeOf(at, timeZone)
}

function passesMidnight({ from, to }: Hours): boolean {
  return to <= from
}

function isWithin(hours: Hours, time: string): boolean {
  return passesMidnight(hours) ? time >= hours.from || time < hours.to : time >= hours.from && time < hours.to
}

/**
 * The days of the week for which a purchase can count. Hours past midnight belong to the day on which they begin; if the
 * time of day is unknown, both days count.
 */
function weekdaysOf({ conditions: { hours } }: Offer, purchase: Purchase): Weekday[] {
  const own = weekdayAt(purchase.day)
  if (hours === null || !passesMidnight(hours)) return [own]
  const time = timeOfPurchase(purchase)
  const before = weekdayAt(addDays(purchase.day, -1))
  if (time === null) return [own, before]
  return [time < hours.to ? before : own]
}

function weekdayAt(day: string): Weekday {
  return WEEK[weekdayOf(day)] ?? 'MON'
}
