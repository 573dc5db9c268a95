import type { Day } from '../../../platform/calendar.ts'
import { decodeId, type Id, type PublisherId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { ReportKind } from '../columns.ts'
import type { ReportRefusal } from '../errors.ts'
import type { ReportFormat } from '../formats.ts'

export type ReportId = Id<'report'>

/**
 * queued: waiting for a worker or a retry. running: being generated. ready: its file can be downloaded. failed: could
 * not be generated. expired: its file has been removed, because of its age or a user's erasure.
 *
 *     queued ⇄ running → ready → expired
 *                      ↘ failed
 */
export const REPORT_STATUSES = ['queued', 'running', 'ready', 'failed', 'expired'] as const
export type ReportStatus = (typeof REPORT_STATUSES)[number]

/** The reasons why a report can fail. */
export const FAILURES = ['storage_failed', 'reading_failed', 'interrupted'] as const
export type ReportFailure = (typeof FAILURES)[number]

/** The frequency of a schedule, which orders a report after each day or each month. */
export const EVERY = ['day', 'month'] as const
export type Every = (typeof EVERY)[number]

export type ReportOrder = {
  readonly publisherId: PublisherId
  readonly reportId: ReportId
  readonly kind: ReportKind
  readonly format: ReportFormat
  readonly firstDay: Day
  readonly lastDay: Day
  readonly schedule: Every | null
  readonly status: ReportStatus
  readonly reason: ReportFailure | null
  /** Incremented at each start, and part of the stored file's name. */
  readonly attempt: number
  readonly failures: number
  readonly rowCount: bigint | null
  readonly byteCount: bigint | null
  readonly sha256: Buffer | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
  readonly expiresAt: Date | null
}

/**
 * Parses a report ID.
 * @throws Refusal report_not_found
 */
export function reportIdIn(text: string): ReportId {
  const id = decodeId<'report'>('rpt', text)
  if (id === null) throw reportNotFound()
  return id
}

export function reportNotFound(): Refusal {
  return new Refusal<ReportRefusal>('report_not_found', 'There is no report with this id.', { field: 'report_id' })
}

type Named = Pick<ReportOrder, 'publisherId' | 'reportId' | 'format'>

/** Returns the name under which an attempt's file is stored. */
export function buildStoredName({ publisherId, reportId, format }: Named, attempt: number): string {
  return `reports/${publisherId}/${reportId}-${attempt}.${format}`
}

/** Returns the file name suggested for downloads. */
export function buildFileName({ kind, firstDay, lastDay, format }: ReportOrder): string {
  return `${kind}_${firstDay === lastDay ? firstDay : `${firstDay}_${lastDay}`}.${format}`
}
