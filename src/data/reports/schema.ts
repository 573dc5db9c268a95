import Type from 'typebox'
import { dayField, enumField, strictObject } from '../../platform/http/index.ts'
import { LINE_FORMATS } from './formats.ts'

export const ReportQuery = strictObject({
  from: Type.Optional(dayField("First day of purchase, inclusive, in the publisher's time zone.")),
  to: Type.Optional(dayField('Last day, inclusive; at most ten years later. Defaults to today.')),
  format: Type.Optional(enumField(LINE_FORMATS, 'Defaults to csv.')),
})
