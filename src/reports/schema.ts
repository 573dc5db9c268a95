import Type from 'typebox'
import { dayField, enumOf } from '../platform/http/index.ts'
import { FIELDS } from './columns.ts'
import { type Cell, csvLine } from './csv.ts'

export type ReportFormat = {
  readonly mediaType: string
  readonly head: string
  /** The line of a row, from the values of its fields in their order. */
  readonly lineOf: (values: readonly Cell[]) => string
}

export const FORMATS = {
  csv: { mediaType: 'text/csv; charset=utf-8', head: csvLine(FIELDS), lineOf: csvLine },
  ndjson: {
    mediaType: 'application/x-ndjson',
    head: '',
    lineOf: (values) => `${JSON.stringify(Object.fromEntries(FIELDS.map((field, at) => [field, values[at]])))}\n`,
  },
} as const satisfies Readonly<Record<string, ReportFormat>>

export const ReportQuery = Type.Object(
  {
    from: Type.Optional(dayField("First day of purchase, inclusive, in the publisher's time zone.")),
    to: Type.Optional(dayField('Last day, inclusive; today when left out. Ten years at most.')),
    format: Type.Optional(enumOf(['csv', 'ndjson'], 'csv when left out.')),
  },
  { additionalProperties: false },
)
