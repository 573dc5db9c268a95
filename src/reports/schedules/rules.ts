import { addDays, type Day, startOfDay } from '../../platform/calendar.ts'
import type { Every } from '../orders/order.ts'
import type { DayRange } from '../rules.ts'

/** How many missed periods are ordered after an outage; older ones can be ordered by a call. */
const MISSED_MAX: Readonly<Record<Every, number>> = { day: 31, month: 12 }

/** The day or month that begins on a day. */
function periodFrom(every: Every, first: Day): DayRange {
  return { from: first, to: addDays(nextFirst(every, first), -1) }
}

/** The first day of the period in which a day is. */
export function firstOf(every: Every, day: Day): Day {
  return every === 'day' ? day : `${day.slice(0, 'yyyy-MM-'.length)}01`
}

/** When a period is over. */
export function endOf(every: Every, first: Day, timeZone: string): Date {
  return startOfDay(nextFirst(every, first), timeZone)
}

/** The periods since `first` that are over, oldest first and at most so many, and the one that follows them. */
export function periodsDue(
  every: Every,
  first: Day,
  now: Date,
  timeZone: string,
): { readonly due: readonly DayRange[]; readonly next: Day } {
  const due: DayRange[] = []
  let next = first
  for (; endOf(every, next, timeZone) <= now; next = nextFirst(every, next)) {
    due.push(periodFrom(every, next))
    if (due.length > MISSED_MAX[every]) due.shift()
  }
  return { due, next }
}

// A day in the month after the one that begins on some first day.
const INTO_NEXT_MONTH = 31

function nextFirst(every: Every, first: Day): Day {
  return every === 'day' ? addDays(first, 1) : firstOf('month', addDays(first, INTO_NEXT_MONTH))
}
