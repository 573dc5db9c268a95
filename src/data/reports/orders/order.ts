import { instantField, nullable } from '../../../platform/http/index.ts'
import { decodeId, type Id, type PublisherId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { bigInteger, day, hash, id, instant, oneOf } from '../../../platform/resource/fields.ts'
import { column, type ResourceRow, resource } from '../../../platform/resource/resource.ts'
import { REPORT_KINDS } from '../columns.ts'
import type { ReportRefusal } from '../errors.ts'
import { REPORT_FORMATS } from '../formats.ts'

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
const FAILURES = ['storage_failed', 'reading_failed', 'interrupted'] as const
export type ReportFailure = (typeof FAILURES)[number]

/** The frequency of a schedule, which orders a report after each day or each month. */
export const EVERY = ['day', 'month'] as const
export type Every = (typeof EVERY)[number]

export const REPORT = resource(
  'Report',
  {
    report_id: id('rpt', { example: 'rpt_01kbjyt5v3f4nvj5yq5yfypr9v' }),
    kind: oneOf(REPORT_KINDS, {
      example: 'redemptions',
      description:
        'transactions: by day of purchase. users: by day of registration. rewards: by day of booking. redemptions: by day of request. deliveries: by day of the event.',
    }),
    from: day({ property: 'firstDay', example: '2026-11-01', description: 'First day, yyyy-MM-dd.' }),
    to: day({ property: 'lastDay', example: '2026-11-30', description: 'Last day, inclusive, yyyy-MM-dd.' }),
    format: oneOf(REPORT_FORMATS, { example: 'csv', description: 'Format of the file.' }),
    schedule: oneOf(EVERY, {
      nullable: true,
      example: null,
      description: 'The schedule that ordered it, or null if an API call did.',
    }),
    status: oneOf(REPORT_STATUSES, {
      example: 'ready',
      description: 'expired: the file was removed because of its age or because a user was erased; order it again.',
    }),
    reason: oneOf(FAILURES, {
      nullable: true,
      example: null,
      description:
        'Why it failed after several attempts. storage_failed: the file could not be stored. reading_failed: the data could not be read or took too long; order a shorter period. interrupted: the service stopped during every attempt.',
    }),
    rows: bigInteger({
      property: 'rowCount',
      nullable: true,
      example: 1_204,
      description: 'Number of rows in the file, not counting a header.',
    }),
    bytes: bigInteger({
      property: 'byteCount',
      nullable: true,
      example: 221_532,
      description: 'Size of the file in bytes.',
    }),
    sha256: hash({
      nullable: true,
      example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      description: 'Hash of the file, in hexadecimal.',
    }),
    created_at: {
      ...instant({ example: '2026-12-01T08:00:00.000Z' }),
      schema: instantField('When it was ordered.'),
    },
    finished_at: {
      ...instant({ nullable: true, example: '2026-12-01T08:00:01.250Z' }),
      schema: nullable(instantField('When it became ready, or failed.')),
    },
    expires_at: {
      ...instant({ nullable: true, example: '2026-12-31T08:00:01.250Z' }),
      schema: nullable(instantField('When its file is removed.')),
    },
  },
  {
    publisherId: column<PublisherId>(),
    /** Incremented at each start, and part of the stored file's name. */
    attempt: column<number>(),
    failures: column<number>(),
  },
)

export type ReportOrder = ResourceRow<typeof REPORT>

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
