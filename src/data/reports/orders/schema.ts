import Type, { type Static } from 'typebox'
import {
  dayField,
  enumField,
  idField,
  instantField,
  namedObject,
  namedStrictObject,
  nullable,
  pageQuery,
  secretField,
  strictObject,
} from '../../../platform/http/index.ts'
import { encodeId } from '../../../platform/ids.ts'
import { REPORT_KINDS } from '../columns.ts'
import { REPORT_FORMATS } from '../formats.ts'
import { EVERY, FAILURES, REPORT_STATUSES, type ReportOrder } from './order.ts'

const KIND =
  'transactions: by day of purchase. users: by day of registration. rewards: by day of booking. redemptions: by day of request. deliveries: by day of the event.'
export const kindField = () => enumField(REPORT_KINDS, KIND)
export const formatField = (description: string) => enumField(REPORT_FORMATS, description)

export const OrderParams = Type.Object({ report_id: idField('The report (rpt_…).') })

export const NewOrderSchema = namedStrictObject('NewReport', {
  kind: kindField(),
  day: Type.Optional(dayField("A single day, in the publisher's time zone, instead of `from` and `to`.")),
  from: Type.Optional(dayField("First day, inclusive, in the publisher's time zone. Defaults to ten years ago.")),
  to: Type.Optional(dayField('Last day, inclusive. Defaults to today.')),
  format: Type.Optional(formatField('Defaults to csv.')),
})

export const OrderQuery = strictObject({
  kind: Type.Optional(enumField(REPORT_KINDS, 'Only reports of this kind.')),
  status: Type.Optional(enumField(REPORT_STATUSES, 'Only reports with this status.')),
  ...pageQuery,
})

export const FileQuery = strictObject({
  expires: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Part of the URL returned by the API.',
  }),
  signature: Type.String({ maxLength: 100, description: 'Part of the URL returned by the API.' }),
})

export const OrderSchema = namedObject('Report', {
  report_id: Type.String(),
  kind: kindField(),
  from: Type.String({ description: 'First day, yyyy-MM-dd.' }),
  to: Type.String({ description: 'Last day, inclusive, yyyy-MM-dd.' }),
  format: formatField('Format of the file.'),
  schedule: nullable(enumField(EVERY, 'The schedule that ordered it, or null if an API call did.')),
  status: enumField(
    REPORT_STATUSES,
    'expired: the file was removed because of its age or because a user was erased; order it again.',
  ),
  reason: nullable(
    enumField(
      FAILURES,
      'Why it failed after several attempts. storage_failed: the file could not be stored. reading_failed: the data could not be read or took too long; order a shorter period. interrupted: the service stopped during every attempt.',
    ),
  ),
  rows: nullable(Type.Integer({ description: 'Number of rows in the file, not counting a header.' })),
  bytes: nullable(Type.Integer({ description: 'Size of the file in bytes.' })),
  sha256: nullable(Type.String({ description: 'Hash of the file, in hexadecimal.' })),
  created_at: instantField('When it was ordered.'),
  finished_at: nullable(instantField('When it became ready, or failed.')),
  expires_at: nullable(instantField('When its file is removed.')),
})
type ShownReport = Static<typeof OrderSchema>

export const LinkedOrderSchema = namedObject('ReportWithLink', {
  ...OrderSchema.properties,
  url: nullable(secretField('Download URL, usable by anyone who has it; null unless the report is ready.')),
  url_expires_at: nullable(instantField('When the URL expires, in real time. Each response has a new URL.')),
})

export function presentReport(order: ReportOrder): ShownReport {
  return {
    report_id: encodeId('rpt', order.reportId),
    kind: order.kind,
    from: order.firstDay,
    to: order.lastDay,
    format: order.format,
    schedule: order.schedule,
    status: order.status,
    reason: order.reason,
    rows: order.rowCount === null ? null : Number(order.rowCount),
    bytes: order.byteCount === null ? null : Number(order.byteCount),
    sha256: order.sha256?.toString('hex') ?? null,
    created_at: order.createdAt.toISOString(),
    finished_at: order.finishedAt?.toISOString() ?? null,
    expires_at: order.expiresAt?.toISOString() ?? null,
  }
}

export const queuedExample: ShownReport = {
  report_id: 'rpt_01kbjyt5v3f4nvj5yq5yfypr9v',
  kind: 'redemptions',
  from: '2026-11-01',
  to: '2026-11-30',
  format: 'csv',
  schedule: null,
  status: 'queued',
  reason: null,
  rows: null,
  bytes: null,
  sha256: null,
  created_at: '2026-12-01T08:00:00.000Z',
  finished_at: null,
  expires_at: null,
}
export const readyExample: ShownReport = {
  ...queuedExample,
  status: 'ready',
  rows: 1_204,
  bytes: 221_532,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  finished_at: '2026-12-01T08:00:01.250Z',
  expires_at: '2026-12-31T08:00:01.250Z',
}
