import Type from 'typebox'
import { dayField, enumOf } from '../platform/http/index.ts'
import { type presentTransaction, TransactionSchema } from '../rewards/index.ts'
import { type Cell, csvLine } from './csv.ts'

export type ShownTransaction = ReturnType<typeof presentTransaction>

export type ReportFormat = {
  readonly mediaType: string
  readonly head: string
  readonly lineOf: (shown: ShownTransaction) => string
}

/** A row has the fields of a transaction as the interface shows it, in its order: a new field is a new last column. */
export const COLUMNS = Object.keys(TransactionSchema.properties) as readonly (keyof ShownTransaction)[]

export const FORMATS = {
  csv: {
    mediaType: 'text/csv; charset=utf-8',
    head: csvLine(COLUMNS),
    lineOf: (shown) => csvLine(COLUMNS.map((column): Cell => shown[column])),
  },
  ndjson: {
    mediaType: 'application/x-ndjson',
    head: '',
    lineOf: (shown) => `${JSON.stringify(shown)}\n`,
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
