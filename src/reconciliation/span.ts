import { addDays, type Day, startOfDay } from '../platform/calendar.ts'
import type { Publisher } from '../publishers/index.ts'

/** Some days of a publisher in its time zone, by its clock: instants, the first inclusive and the last exclusive. */
export type ComparedSpan = {
  readonly publisher: Publisher
  readonly from: Date
  readonly until: Date
  /** Both inclusive. */
  readonly days: { readonly from: Day; readonly to: Day }
  /** Deliveries of events that were recorded before are not all kept; in real time. */
  readonly deliveriesSince: Date
}

export function comparedSpan(publisher: Publisher, days: ComparedSpan['days'], deliveriesSince: Date): ComparedSpan {
  const { timeZone } = publisher
  return {
    publisher,
    days,
    deliveriesSince,
    from: startOfDay(days.from, timeZone),
    until: startOfDay(addDays(days.to, 1), timeZone),
  }
}
