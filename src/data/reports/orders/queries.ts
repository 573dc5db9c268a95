import { asTable, type Reader, selectColumns, type Tx } from '../../../platform/db/database.ts'
import type { Paging } from '../../../platform/http/index.ts'
import { buildPageClauses } from '../../../platform/http/lists/page-clauses.ts'
import type { PublisherId } from '../../../platform/ids.ts'
import { nowOfPublisher } from '../../../tenants/publishers/index.ts'
import type { ReportKind } from '../columns.ts'
import { REPORT, type ReportFailure, type ReportId, type ReportOrder, type ReportStatus } from './order.ts'

const columns = (reader: Reader) => selectColumns(reader, 'r', REPORT.columns)

type NewOrder = Pick<ReportOrder, 'reportId' | 'kind' | 'format' | 'firstDay' | 'lastDay' | 'schedule' | 'createdAt'>

/** Stores orders, skipping periods that the same schedule has already ordered. */
export async function insertOrders(tx: Tx, publisherId: PublisherId, orders: readonly NewOrder[]): Promise<void> {
  await tx`
    insert into report_orders (publisher_id, report_id, kind, format, first_day, last_day, schedule, created_at)
    select ${publisherId}, report_id, kind, format, first_day, last_day, schedule, created_at
    from ${asTable(tx, orders, {
      reportId: 'uuid',
      kind: 'plain',
      format: 'plain',
      firstDay: 'date',
      lastDay: 'date',
      schedule: 'plain',
      createdAt: 'timestamptz',
    })}
    on conflict do nothing`
}

/** Counts a publisher's queued and running reports, excluding scheduled ones. */
export async function countOpen(reader: Reader, publisherId: PublisherId): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    select count(*)::int as count from report_orders
    where publisher_id = ${publisherId} and due_at is not null and schedule is null`
  return row?.count ?? 0
}

/**
 * Finds a report of one publisher, or of any publisher if `publisherId` is null, for a signed link. The signature
 * proves that the link was issued for this report.
 */
export async function findOrder(
  reader: Reader,
  publisherId: PublisherId | null,
  reportId: ReportId,
): Promise<ReportOrder | null> {
  const [row] = await reader<ReportOrder[]>`
    -- all publishers: without a publisher, the ID is from a link that we signed
    select ${columns(reader)} from report_orders r
    where r.report_id = ${reportId} ${publisherId === null ? reader`` : reader`and r.publisher_id = ${publisherId}`}`
  return row ?? null
}

export const ORDER_SORTS = ['created_at'] as const

type OrderFilter = { readonly kind: ReportKind | null; readonly status: ReportStatus | null }

export async function listOrders(
  reader: Reader,
  publisherId: PublisherId,
  filter: OrderFilter,
  paging: Paging<(typeof ORDER_SORTS)[number]>,
): Promise<ReportOrder[]> {
  const byDefault = { field: 'created_at', descending: true } as const
  return reader<ReportOrder[]>`
    select ${columns(reader)} from report_orders r
    where r.publisher_id = ${publisherId} ${matching(reader, filter)}
    ${buildPageClauses(reader, { created_at: reader`r.created_at` }, paging, byDefault, reader`r.report_id`)}`
}

export async function countOrders(reader: Reader, publisherId: PublisherId, filter: OrderFilter): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    select count(*)::int as count from report_orders r where r.publisher_id = ${publisherId} ${matching(reader, filter)}`
  return row?.count ?? 0
}

const matching = (reader: Reader, { kind, status }: OrderFilter) => reader`
  ${kind === null ? reader`` : reader`and r.kind = ${kind}`}
  ${status === null ? reader`` : reader`and r.status = ${status}`}`

/** A report held by a process until its lease expires or another attempt begins. */
type HeldReport = Pick<ReportOrder, 'publisherId' | 'reportId' | 'attempt'>

/**
 * Claims a due report, for one publisher or for any. Publishers take turns, starting with the one whose last report
 * began longest ago, and each has at most one running report. If the process that was generating the claimed report
 * died, its attempt counts as a failure.
 */
export async function claimOrder(
  reader: Reader,
  publisherId: PublisherId | null,
  { now, leasedUntil }: { readonly now: Date; readonly leasedUntil: Date },
): Promise<ReportOrder | null> {
  const [row] = await reader<ReportOrder[]>`
    -- all publishers: the worker makes the reports of all
    update report_orders r set status = 'running', attempt = r.attempt + 1,
      failures = r.failures + (r.status = 'running')::int, due_at = ${leasedUntil}, begun_at = ${now}
    from (
      select o.publisher_id, o.report_id from report_orders o
      where o.due_at <= ${now} ${publisherId === null ? reader`` : reader`and o.publisher_id = ${publisherId}`}
        and not exists (
          select from report_orders other
          where other.publisher_id = o.publisher_id and other.status = 'running' and other.due_at > ${now}
        )
      order by (select max(before.begun_at) from report_orders before where before.publisher_id = o.publisher_id)
        nulls first, o.due_at, o.report_id
      limit 1
      for update skip locked
    ) due
    where r.publisher_id = due.publisher_id and r.report_id = due.report_id
    returning ${columns(reader)}`
  return row ?? null
}

export async function renewLeases(reader: Reader, held: readonly HeldReport[], leasedUntil: Date): Promise<void> {
  await reader`
    -- all publishers: the worker makes the reports of all
    update report_orders r set due_at = ${leasedUntil}
    from ${asTable(reader, held, { publisherId: 'uuid', reportId: 'uuid', attempt: 'int4' })}
    where r.publisher_id = given.publisher_id and r.report_id = given.report_id and r.attempt = given.attempt
      and r.status = 'running'`
}

export type Finished = {
  readonly rowCount: bigint
  readonly byteCount: bigint
  readonly sha256: Buffer
  readonly finishedAt: Date
  readonly expiresAt: Date
}

/** Returns null if this attempt no longer holds the report. */
export async function markReady(tx: Tx, held: HeldReport, finished: Finished): Promise<ReportOrder | null> {
  const [row] = await tx<ReportOrder[]>`
    update report_orders r set status = 'ready', due_at = null, row_count = ${finished.rowCount},
      byte_count = ${finished.byteCount}, sha256 = ${finished.sha256}, finished_at = ${finished.finishedAt},
      expires_at = ${finished.expiresAt}, files_due_at = ${finished.expiresAt}
    where r.publisher_id = ${held.publisherId} and ${isHeld(tx, held)}
    returning ${columns(tx)}`
  return row ?? null
}

/** Releases the report for a retry. */
export async function releaseOrder(
  reader: Reader,
  held: HeldReport,
  { failures, dueAt }: { readonly failures: number; readonly dueAt: Date },
): Promise<void> {
  await reader`
    update report_orders r set status = 'queued', failures = ${failures}, due_at = ${dueAt} where r.publisher_id = ${held.publisherId} and ${isHeld(reader, held)}`
}

export async function markFailed(reader: Reader, held: HeldReport, reason: ReportFailure, now: Date): Promise<void> {
  await reader`
    update report_orders r set status = 'failed', reason = ${reason}, due_at = null, finished_at = ${now},
      files_due_at = ${now}
    where r.publisher_id = ${held.publisherId} and ${isHeld(reader, held)}`
}

const isHeld = (reader: Reader, { reportId, attempt }: HeldReport) => reader`
  r.report_id = ${reportId} and r.attempt = ${attempt} and r.status = 'running'`

/** Returns true if some process is currently generating a report for the publisher. */
export async function isRunning(reader: Reader, publisherId: PublisherId, now: Date): Promise<boolean> {
  const rows = await reader`
    select from report_orders where publisher_id = ${publisherId} and status = 'running' and due_at > ${now}`
  return rows.length > 0
}

/** Expires all the publisher's finished reports. Reports being generated start over. */
export async function expireAll(tx: Tx, publisherId: PublisherId, now: Date): Promise<void> {
  await tx`
    update report_orders set status = 'expired', files_due_at = ${now}
    where publisher_id = ${publisherId} and status = 'ready'`
  await tx`
    update report_orders set status = 'queued', due_at = '-infinity'
    where publisher_id = ${publisherId} and status = 'running'`
}

/** Expires and returns reports whose files are due for removal. */
export async function expireDue(
  reader: Reader,
  publisherId: PublisherId | null,
  realNow: Date,
  limit: number,
): Promise<ReportOrder[]> {
  return reader<ReportOrder[]>`
    -- all publishers: the worker removes the files of all
    update report_orders r set status = case when r.status = 'ready' then 'expired' else r.status end
    from (
      select o.publisher_id, o.report_id
      from publishers p join report_orders o on o.publisher_id = p.publisher_id
      where o.files_due_at <= ${nowOfPublisher(reader, realNow)}
        ${publisherId === null ? reader`` : reader`and p.publisher_id = ${publisherId}`}
      order by o.files_due_at
      limit ${limit}
      for update of o skip locked
    ) due
    where r.publisher_id = due.publisher_id and r.report_id = due.report_id
    returning ${columns(reader)}`
}

/** Sets the time when a report's files are next due for removal; null once they are removed. */
export async function setFilesDue(
  reader: Reader,
  { publisherId, reportId }: Pick<ReportOrder, 'publisherId' | 'reportId'>,
  filesDueAt: Date | null,
): Promise<void> {
  await reader`
    update report_orders set files_due_at = ${filesDueAt} where publisher_id = ${publisherId} and report_id = ${reportId}`
}

/** Returns the age in seconds of the oldest report that is queued or running. */
export async function readOldestOpenAge(reader: Reader, realNow: Date): Promise<number> {
  const [row] = await reader<{ seconds: number | null }[]>`
    -- all publishers: for whoever watches the service
    select extract(epoch from max(${nowOfPublisher(reader, realNow)} - r.created_at))::float8 as seconds
    from report_orders r join publishers p on p.publisher_id = r.publisher_id
    where r.due_at is not null`
  return row?.seconds ?? 0
}
