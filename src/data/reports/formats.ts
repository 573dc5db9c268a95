import { formatCsvText } from '../../platform/text/csv.ts'
import { CELL_END, type Notation, NULL_CELL, ROW_END, type WriteCell } from './cells.ts'
import { findCurrencyIndex, getWriter, type ReportColumn } from './columns.ts'

/** A notation plus the fixed text around the values of each row. */
type LineFormat = Notation & {
  readonly names: readonly string[]
  readonly head: string
  /** The text before the value of each column. */
  readonly before: readonly string[]
  /** The text after the last value. */
  readonly end: string
  readonly writers: readonly WriteCell[]
  readonly currency: number
}

/** Converts rows in COPY's text format to the bytes of a report file. */
export type RowWriter = {
  readonly head: string | Uint8Array
  /** Adds complete rows. Returns the next part of the file, which may be empty. */
  add(rows: string): string | Uint8Array
  readonly end: () => string | Uint8Array
  /** Returns the number of rows added. */
  readonly count: () => number
}

export const REPORT_FORMATS = ['csv', 'ndjson', 'parquet'] as const
export type ReportFormat = (typeof REPORT_FORMATS)[number]
/** Formats that can be read line by line while they are being written. */
export const LINE_FORMATS = ['csv', 'ndjson'] as const
type LineFormatName = (typeof LINE_FORMATS)[number]

export const MEDIA_TYPES: Readonly<Record<ReportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
}

export function buildLineFormat(columns: readonly ReportColumn[], format: LineFormatName): LineFormat {
  const names = columns.map(({ name }) => name)
  const common = { names, writers: columns.map(getWriter), currency: findCurrencyIndex(columns) }
  if (format === 'csv')
    return {
      ...common,
      head: `${names.join(',')}\r\n`,
      before: names.map((_, at) => (at === 0 ? '' : ',')),
      end: '\r\n',
      none: '',
      quote: '',
      encodeText: formatCsvText,
    }
  return {
    ...common,
    head: '',
    before: names.map((name, at) => `${at === 0 ? '{' : ','}"${name}":`),
    end: '}\n',
    none: 'null',
    quote: '"',
    encodeText: (text) => JSON.stringify(text),
  }
}

/** Formats a row whose values are as the API returns them. */
export function formatLine(
  { names, before, end, none, encodeText }: LineFormat,
  shown: Readonly<Record<string, string | number | null>>,
): string {
  const cells = names.map((name, at) => {
    const value = shown[name] ?? null
    return before[at] + (value === null ? none : typeof value === 'number' ? String(value) : encodeText(value))
  })
  return cells.join('') + end
}

/** Splits complete rows in COPY's text format. */
export function splitRows(copied: string): string[] {
  return copied.split(ROW_END).slice(0, -1)
}

/**
 * Formats rows in COPY's text format as lines. Formatting them here instead of in SQL lets the server print raw columns
 * while this process formats earlier rows. Formatting instants and amounts in SQL took the server longer.
 */
export function formatLines(format: LineFormat, rows: readonly string[]): string {
  let lines = ''
  for (const row of rows) lines += copiedLine(format, row.split(CELL_END))
  return lines
}

function copiedLine(format: LineFormat, cells: readonly string[]): string {
  const { before, end, none, writers } = format
  if (cells.length !== writers.length) throw new Error('the row has different columns than requested')
  const currency = cells[format.currency] ?? ''
  let line = ''
  for (let at = 0; at < writers.length; at++) {
    const cell = cells[at]
    line += before[at]
    line += cell === undefined || cell === NULL_CELL ? none : writers[at]?.(cell, format, currency)
  }
  return line + end
}
