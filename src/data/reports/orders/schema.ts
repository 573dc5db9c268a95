import Type from 'typebox'
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
import { REPORT_KINDS } from '../columns.ts'
import { REPORT_FORMATS } from '../formats.ts'
import { REPORT, REPORT_STATUSES } from './order.ts'

export const OrderParams = Type.Object({ report_id: idField('The report (rpt_…).') })

export const NewOrderSchema = namedStrictObject('NewReport', {
  kind: REPORT.schema.properties.kind,
  day: Type.Optional(dayField("A single day, in the publisher's time zone, instead of `from` and `to`.")),
  from: Type.Optional(dayField("First day, inclusive, in the publisher's time zone. Defaults to ten years ago.")),
  to: Type.Optional(dayField('Last day, inclusive. Defaults to today.')),
  format: Type.Optional(enumField(REPORT_FORMATS, 'Defaults to csv.')),
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

export const LinkedOrderSchema = namedObject('ReportWithLink', {
  ...REPORT.schema.properties,
  url: nullable(secretField('Download URL, usable by anyone who has it; null unless the report is ready.')),
  url_expires_at: nullable(instantField('When the URL expires, in real time. Each response has a new URL.')),
})
