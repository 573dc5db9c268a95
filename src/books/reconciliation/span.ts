import { addDays, type Day, startOfDay } from '../../platform/calendar.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'

/** The days to compare, in the publisher's time zone and on its clock. `from` is inclusive, `until` exclusive. */
export type ComparedSpan = {
  readonly publisher: Publisher
  readonly from: Date
  readonly until: Date
  /** Both inclusive. */
  readonly days: { readonly from: Day; readonly to: Day }
  /** Deliveries of events recorded before this real time may no longer be stored. */
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
