import type { Reader, Tx } from '../../../platform/db/database.ts'
import { newUuid } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import type { ReportKind } from '../columns.ts'
import type { ReportRefusal } from '../errors.ts'
import type { ReportFormat } from '../formats.ts'
import type { DayRange } from '../rules.ts'
import { type ReportId, type ReportOrder, reportNotFound } from './order.ts'
import * as queries from './queries.ts'

// More than anyone can use at a time. The limit is not exact, because two concurrent calls may both be accepted as the
// last.
const OPEN_MAX = 20

/**
 * Orders a report.
 * @throws Refusal report_queue_full
 */
export async function orderReport(
  tx: Tx,
  publisher: Publisher,
  { kind, format, period }: { readonly kind: ReportKind; readonly format: ReportFormat; readonly period: DayRange },
  now: Date,
): Promise<ReportOrder> {
  if ((await queries.countOpen(tx, publisher.id)) >= OPEN_MAX)
    throw new Refusal<ReportRefusal>(
      'report_queue_full',
      `${OPEN_MAX} of your reports are pending. Order this one when the first of them is ready.`,
    )
  const reportId = newUuid<'report'>()
  const { from: firstDay, to: lastDay } = period
  await queries.insertOrders(tx, publisher.id, [
    { reportId, kind, format, firstDay, lastDay, schedule: null, createdAt: now },
  ])
  return getReport(tx, publisher, reportId)
}

/** @throws Refusal report_not_found */
export async function getReport(reader: Reader, publisher: Publisher, reportId: ReportId): Promise<ReportOrder> {
  const order = await queries.findOrder(reader, publisher.id, reportId)
  if (order === null) throw reportNotFound()
  return order
}

/**
 * Expires all the publisher's reports after one of its users is erased, because it is unknown which files contain the
 * user's data. The reports can be ordered again.
 */
export async function expireReports(tx: Tx, publisher: Publisher, now: Date): Promise<void> {
  await queries.expireAll(tx, publisher.id, now)
}
