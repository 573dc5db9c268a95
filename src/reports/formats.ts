import { csvText } from '../platform/csv.ts'
import type { ShownTransaction } from '../rewards/index.ts'
import { CELL_END, type Notation, NULL_CELL, ROW_END } from './cells.ts'
import { CURRENCY, FIELDS, WRITERS } from './columns.ts'

export type ReportFormat = Notation & {
  readonly mediaType: string
  readonly head: string
  /** What precedes the value of each field. */
  readonly before: readonly string[]
  /** What follows the last. */
  readonly end: string
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

/** The line of a transaction. */
export function lineOf({ before, end, none, textOf }: ReportFormat, shown: ShownTransaction): string {
  const cells = FIELDS.map((field, at) => {
    const value = shown[field]
    return before[at] + (value === null ? none : typeof value === 'number' ? String(value) : textOf(value))
  })
  return cells.join('') + end
}

/**
 * The lines of whole rows in the text format of COPY. Written here, not by SQL: the server prints the columns as they
 * are while this process writes the rows before. Formatting instants and amounts in SQL took the server longer.
 */
export function linesOf(format: ReportFormat, rows: string): string {
  let lines = ''
  for (const row of rows.split(ROW_END).slice(0, -1)) lines += copiedLine(format, row.split(CELL_END))
  return lines
}

function copiedLine(format: ReportFormat, cells: readonly string[]): string {
  if (cells.length !== WRITERS.length) throw new Error('the row has other columns than were asked for')
  const { before, end, none } = format
  const currency = cells[CURRENCY] ?? ''
  let line = ''
  for (let at = 0; at < WRITERS.length; at++) {
    const cell = cells[at]
    line += before[at]
    line += cell === undefined || cell === NULL_CELL ? none : WRITERS[at]?.(cell, format, currency)
  }
  return line + end
}
