import { addDays, toTime, toWeekday } from '../../platform/calendar.ts'
import type { Offer, Weekday } from '../catalog/index.ts'
import type { Purchase } from './purchase.ts'
import type { RuleRow } from './rule-line.ts'

const WEEK: readonly Weekday[] = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN']

/** Checks the validity period, days of the week and hours, all in the publisher's time zone. */
export function checkTimes(offer: Offer, purchase: Purchase): RuleRow[] {
  const { startDate: first, endDate: last } = offer
  const { days, hours } = offer.conditions
  const { day } = purchase
  const possible = days.length > 0 ? getWeekdays(offer, purchase) : []
  const isOnDay = possible.some((one) => days.includes(one))
  const time = hours === null ? null : getPurchaseTime(purchase)
  return [
    first !== null && ['start_date', day, first, day >= first, 'offer_not_started'],
    last !== null && ['end_date', day, last, day <= last, 'offer_ended'],
    days.length > 0 && ['days', possible.join(' or '), days.join(', '), isOnDay, 'outside_days'],
    hours !== null && [
      'hours',
      time,
      `${hours.from}–${hours.to}`,
      time === null || isWithin(hours, time),
      'outside_hours',
    ],
  ]
}

type Hours = NonNullable<Offer['conditions']['hours']>

/** Returns null if only the day is known. */
function getPurchaseTime({ at, timeZone, dateOnly }: Purchase): string | null {
  return dateOnly ? null : toTime(at, timeZone)
}

function passesMidnight({ from, to }: Hours): boolean {
  return to <= from
}

function isWithin(hours: Hours, time: string): boolean {
  return passesMidnight(hours) ? time >= hours.from || time < hours.to : time >= hours.from && time < hours.to
}

/**
 * Returns the days of the week to which the purchase may belong. Hours that run past midnight belong to the day on
 * which they begin. If the time of day is unknown, both days are possible.
 */
function getWeekdays({ conditions: { hours } }: Offer, purchase: Purchase): Weekday[] {
  const own = weekdayAt(purchase.day)
  if (hours === null || !passesMidnight(hours)) return [own]
  const time = getPurchaseTime(purchase)
  const before = weekdayAt(addDays(purchase.day, -1))
  if (time === null) return [own, before]
  return [time < hours.to ? before : own]
}

function weekdayAt(day: string): Weekday {
  return WEEK[toWeekday(day)] ?? 'MON'
}
