import { asTable, type Reader, selectColumns, type Tx } from '../../../platform/db/database.ts'
import type { PublisherId } from '../../../platform/ids.ts'
import { nowOfPublisher } from '../../../tenants/publishers/index.ts'
import { type ReportSchedule, SCHEDULE } from './schedule.ts'

const columns = (reader: Reader) => selectColumns(reader, 'report_schedules', SCHEDULE.columns)

/** Stores a schedule, or changes the format of an existing one without changing its next period. */
export async function upsertSchedule(
  tx: Tx,
  publisherId: PublisherId,
  schedule: ReportSchedule,
): Promise<ReportSchedule> {
  const [row] = await tx<ReportSchedule[]>`
    insert into report_schedules ${tx({ ...schedule, publisherId }, 'publisherId', ...SCHEDULE.columns)}
    on conflict (publisher_id, kind, every) do update set format = excluded.format
    returning ${columns(tx)}`
  if (row === undefined) throw new Error('the schedule was not stored')
  return row
}

export async function deleteSchedule(
  tx: Tx,
  publisherId: PublisherId,
  { kind, every }: Pick<ReportSchedule, 'kind' | 'every'>,
): Promise<ReportSchedule | null> {
  const [row] = await tx<ReportSchedule[]>`
    delete from report_schedules where publisher_id = ${publisherId} and kind = ${kind} and every = ${every}
    returning ${columns(tx)}`
  return row ?? null
}

export async function listSchedules(reader: Reader, publisherId: PublisherId): Promise<ReportSchedule[]> {
  return reader<ReportSchedule[]>`
    select ${columns(reader)} from report_schedules where publisher_id = ${publisherId} order by kind, every`
}

export async function listDuePublishers(reader: Reader, realNow: Date): Promise<PublisherId[]> {
  const rows = await reader<{ publisherId: PublisherId }[]>`
    -- all publishers: the worker's round
    select p.publisher_id from publishers p
    where exists (
      select from report_schedules s
      where s.publisher_id = p.publisher_id and s.due_at <= ${nowOfPublisher(reader, realNow)})`
  return rows.map(({ publisherId }) => publisherId)
}

/** Locks the due schedules, so that the second of two concurrent processes sees what the first has ordered. */
export async function lockDue(tx: Tx, publisherId: PublisherId, now: Date): Promise<ReportSchedule[]> {
  return tx<ReportSchedule[]>`
    select ${columns(tx)} from report_schedules
    where publisher_id = ${publisherId} and due_at <= ${now}
    order by kind, every
    for update`
}

export async function moveSchedules(
  tx: Tx,
  publisherId: PublisherId,
  moved: readonly Pick<ReportSchedule, 'kind' | 'every' | 'nextDay' | 'dueAt'>[],
): Promise<void> {
  await tx`
    update report_schedules s set next_day = given.next_day, due_at = given.due_at
    from ${asTable(tx, moved, { kind: 'plain', every: 'plain', nextDay: 'date', dueAt: 'timestamptz' })}
    where s.publisher_id = ${publisherId} and s.kind = given.kind and s.every = given.every`
}
