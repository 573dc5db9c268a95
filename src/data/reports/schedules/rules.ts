import { addDays, type Day, startOfDay } from '../../../platform/calendar.ts'
import type { Every } from '../orders/order.ts'
import type { DayRange } from '../rules.ts'

/** The number of missed periods to order after an outage. Older ones can be ordered through the API. */
const MISSED_MAX: Readonly<Record<Every, number>> = { day: 31, month: 12 }

/** Returns the day or month that begins on the given day. */
function periodFrom(every: Every, first: Day): DayRange {
  return { from: first, to: addDays(nextFirst(every, first), -1) }
}

/** Returns the first day of the period that contains the given day. */
export function toFirstDay(every: Every, day: Day): Day {
  return every === 'day' ? day : `${day.slice(0, 'yyyy-MM-'.length)}01`
}

/** Returns the instant when a period ends. */
export function computeEnd(every: Every, first: Day, timeZone: string): Date {
  return startOfDay(nextFirst(every, first), timeZone)
}

/** Returns the latest completed periods since `first`, oldest first, and the start of the next period. */
export function listPeriodsDue(
  every: Every,
  first: Day,
  now: Date,
  timeZone: string,
): { readonly due: readonly DayRange[]; readonly next: Day } {
  const due: DayRange[] = []
  let next = first
  for (; computeEnd(every, next, timeZone) <= now; next = nextFirst(every, next)) {
    due.push(periodFrom(every, next))
    if (due.length > MISSED_MAX[every]) due.shift()
  }
  return { due, next }
}

// Enough days to get from the first of any month into the next month.
const INTO_NEXT_MONTH = 31

function nextFirst(every: Every, first: Day): Day {
  return every === 'day' ? addDays(first, 1) : toFirstDay('month', addDays(first, INTO_NEXT_MONTH))
}
