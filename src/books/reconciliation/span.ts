import { addDays, type Day, startOfDay } from '../../platform/calendar.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'

/** A publisher's days in its time zone and by its clock. Instants: the first inclusive, the last exclusive. */
export type ComparedSpan = {
  readonly publisher: Publisher
  readonly from: Date
  readonly until: Date
  /** Both inclusive. */
  readonly days: { readonly from: Day; readonly to: Day }
  /** Not all deliveries of events recorded before this real time are retained. */
  readonly deliveriesSince: Date
}

export function toComparedSpan(publisher: Publisher, days: ComparedSpan['days'], deliveriesSince: Date): ComparedSpan {
  const { timeZone } = publisher
  return {
    publisher,
    days,
    deliveriesSince,
    from: startOfDay(days.from, timeZone),
    until: startOfDay(addDays(days.to, 1), timeZone),
  }
}
