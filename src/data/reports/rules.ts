import { addDays, type Day } from '../../platform/calendar.ts'

/** The period of a report: calendar days in the publisher's time zone, both inclusive. */
export type DayRange = { readonly from: Day; readonly to: Day }
export type PeriodFault = { readonly field: 'from' | 'to'; readonly message: string }

// Ten years, including leap days.
export const PERIOD_DAYS_MAX = 3_653
// Days outside these bounds are typos, and PostgreSQL handles them differently from JavaScript.
const EARLIEST: Day = '1970-01-01'
const LATEST: Day = '2999-12-31'

/**
 * Returns the requested period, or the error in the request. `to` defaults to today, and `from` to the earliest day
 * that the maximum length allows.
 */
export function resolvePeriod(
  asked: { readonly from?: Day; readonly to?: Day },
  today: Day,
): { readonly period: DayRange } | { readonly fault: PeriodFault } {
  const to = asked.to ?? today
  if (to < EARLIEST || to > LATEST) return outside('to')
  const earliest = later(addDays(to, 1 - PERIOD_DAYS_MAX), EARLIEST)
  const from = asked.from ?? earliest
  if (from < EARLIEST || from > LATEST) return outside('from')
  if (from > to) return { fault: { field: 'from', message: `must not be after ${to}, the last day` } }
  if (from < earliest)
    return {
      fault: { field: 'from', message: `must not be before ${earliest}, because a report covers at most ten years` },
    }
  return { period: { from, to } }
}

function outside(field: 'from' | 'to') {
  return { fault: { field, message: `must be a date from ${EARLIEST} to ${LATEST}` } } as const
}

function later(a: Day, b: Day): Day {
  return a > b ? a : b
}
