import { addDays, type Day, toWeekday } from '../../platform/calendar.ts'
import type { Period } from '../catalog/index.ts'

/** The first day of the LIFETIME period. */
export const LIFETIME_START: Day = '1970-01-01'

/** Returns the first day of the period that contains a day. Weeks start on Monday. */
export function findPeriodStart(period: Period, day: Day): Day {
  switch (period) {
    case 'DAY':
      return day
    case 'WEEK':
      return addDays(day, -toWeekday(day))
    case 'MONTH':
      return `${day.slice(0, 7)}-01`
    case 'LIFETIME':
      return LIFETIME_START
  }
}
