import Type from 'typebox'
import { dayField, enumOf } from '../platform/http/index.ts'
import { FIELDS } from './columns.ts'
import { csvText } from './csv.ts'

export type ReportFormat = {
  readonly mediaType: string
  readonly head: string
  /** What stands before the value of each field, and after the last. */
  readonly before: readonly string[]
  readonly end: string
  readonly none: string
  /** What stands around a text that needs no escaping, and any text as it is written, with that. */
  readonly quote: string
  readonly textOf: (text: string) => string
}

export const FORMATS = {
  csv: {
    mediaType: 'text/csv; charset=utf-8',
    head: `${FIELDS.join(',')}\r\n`,
    before: FIELDS.map((_, at) => (at === 0 ? '' : ',')),
    end: '\r\n',
    none: '',
    quote: '',
    textOf: csvText,
  },
  ndjson: {
    mediaType: 'application/x-ndjson',
    head: '',
    before: FIELDS.map((field, at) => `${at === 0 ? '{' : ','}"${field}":`),
    end: '}\n',
    none: 'null',
    quote: '"',
    textOf: (text) => JSON.stringify(text),
  },
} as const satisfies Readonly<Record<string, ReportFormat>>

/** The line of a row, from the values of its fields in their order. */
export function lineOf(format: ReportFormat, values: readonly (string | number | null)[]): string {
  const cells = values.map((value, at) => {
    const shown = value === null ? format.none : typeof value === 'number' ? String(value) : format.textOf(value)
    return format.before[at] + shown
  })
  return cells.join('') + format.end
}

export const ReportQuery = Type.Object(
  {
    from: Type.Optional(dayField("First day of purchase, inclusive, in the publisher's time zone.")),
    to: Type.Optional(dayField('Last day, inclusive; today when left out. Ten years at most.')),
    format: Type.Optional(enumOf(['csv', 'ndjson'], 'csv when left out.')),
  },
  { additionalProperties: false },
)
