import { toDay } from '../../../platform/calendar.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { newUuid } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { getPublisher, type Publisher, publisherNow } from '../../../tenants/publishers/index.ts'
import type { ReportRefusal } from '../errors.ts'
import { insertOrders } from '../orders/queries.ts'
import type { ReportWorkDeps } from '../orders/work.ts'
import * as queries from './queries.ts'
import { computeEnd, listPeriodsDue, toFirstDay } from './rules.ts'
import type { ReportSchedule } from './schedule.ts'

type Which = Pick<ReportSchedule, 'kind' | 'every'>

/**
 * Schedules a report after each period, starting with the current one, or changes the format of an existing schedule.
 */
export async function setSchedule(
  tx: Tx,
  publisher: Publisher,
  { kind, every, format }: Pick<ReportSchedule, 'kind' | 'every' | 'format'>,
  now: Date,
): Promise<ReportSchedule> {
  const nextDay = toFirstDay(every, toDay(now, publisher.timeZone))
  const dueAt = computeEnd(every, nextDay, publisher.timeZone)
  return queries.upsertSchedule(tx, publisher.id, { kind, every, format, nextDay, dueAt, createdAt: now })
}

/** @throws Refusal report_schedule_not_found */
export async function endSchedule(tx: Tx, publisher: Publisher, which: Which): Promise<ReportSchedule> {
  const ended = await queries.deleteSchedule(tx, publisher.id, which)
  if (ended === null)
    throw new Refusal<ReportRefusal>('report_schedule_not_found', 'There is no such schedule.', { field: 'kind' })
  return ended
}

/** Orders reports for a publisher's completed periods, each exactly once. */
export async function orderScheduled(tx: Tx, publisher: Publisher, now: Date): Promise<void> {
  const { id, timeZone } = publisher
  const due = (await queries.lockDue(tx, id, now)).map((schedule) => {
    const { every, nextDay } = schedule
    const { due: periods, next } = listPeriodsDue(every, nextDay, now, timeZone)
    return { schedule, periods, next }
  })
  const orders = due.flatMap(({ schedule: { kind, every, format }, periods }) =>
    periods.map(({ from, to }) => {
      const reportId = newUuid<'report'>()
      return { reportId, kind, format, firstDay: from, lastDay: to, schedule: every, createdAt: now }
    }),
  )
  if (orders.length > 0) await insertOrders(tx, id, orders)
  // The time zone may have changed, so the end of the next period is recomputed even if no period is over.
  const moved = due.map(({ schedule: { kind, every }, next }) => {
    return { kind, every, nextDay: next, dueAt: computeEnd(every, next, timeZone) }
  })
  if (moved.length > 0) await queries.moveSchedules(tx, id, moved)
}

/** Orders the due reports of all publishers. Called by the worker. */
export async function orderAllScheduled({ db, clock, log }: ReportWorkDeps): Promise<boolean> {
  for (const publisherId of await queries.listDuePublishers(db.reader, clock.now())) {
    try {
      const publisher = await getPublisher(db.reader, publisherId)
      await db.transaction((tx) => orderScheduled(tx, publisher, publisherNow(publisher, clock)))
    } catch (error) {
      // A failure for one publisher must not hold up the others.
      log.error({ err: error, publisher_id: publisherId }, "a publisher's scheduled reports failed")
    }
  }
  return false
}
