import { type Day, startOfDay } from '../../platform/calendar.ts'

/** A calendar month as yyyy-MM, which sorts chronologically as text. */
export type Month = string

export function monthAfter(month: Month): Month {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
}

export function monthBefore(month: Month): Month {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 1 ? `${year - 1}-12` : `${year}-${String(number - 1).padStart(2, '0')}`
}

/** Returns the number of months from the first month to the second. */
export function monthsBetween(first: Month, second: Month): number {
  const [one, other] = [first, second].map((month) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5)))
  return (other ?? 0) - (one ?? 0)
}

/** Returns the instant at which a month ends in a time zone. */
export function endOfMonth(month: Month, timeZone: string): Date {
  const firstDay: Day = `${monthAfter(month)}-01`
  return startOfDay(firstDay, timeZone)
}

/** The state of the books for closing a month: the last closed month, and when this one ends. */
type BooksState = {
  readonly last: { readonly month: Month } | null
  readonly endsAt: Date
  /** The current time on these books' clock. */
  readonly now: Date
}

type CloseFault = 'month_out_of_order' | 'month_not_over'

/** Returns the reason the month cannot be closed now; null if it can be. Months must be closed in order. */
export function findCloseFault(month: Month, { last, endsAt, now }: BooksState): CloseFault | null {
  if (last !== null && monthAfter(last.month) !== month) return 'month_out_of_order'
  return now < endsAt ? 'month_not_over' : null
}
