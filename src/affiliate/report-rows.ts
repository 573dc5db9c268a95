import { parse } from 'csv-parse/sync'
import { fieldsIn, isAbsent, valueAt } from './field-values.ts'
import type { Format } from './formats/format.ts'
import type { Content } from './rules.ts'

/** A row of a report, with its line in a CSV, or its place in the list of a JSON report, from 1. */
export type ReportRow = { readonly line: number; readonly content: Content }

/** More than a network reports of the sales of months. */
const ROWS_MAX = 200_000

/**
 * The rows of a report as a network exports it: JSON if it begins like JSON, otherwise CSV with a line of titles. Or why
 * it has none that can be read.
 */
export function rowsOf(text: string, format: Format): { readonly rows: readonly ReportRow[] } | { fault: string } {
  const read = /^\uFEFF?\s*[[{]/.test(text) ? jsonRows(text, format) : csvRows(text, format)
  if ('rows' in read && read.rows.length > ROWS_MAX) return { fault: `has more than ${ROWS_MAX} rows; split it` }
  return read
}

function jsonRows(text: string, format: Format): ReturnType<typeof rowsOf> {
  const report = parsed(text)
  if (report === undefined) return { fault: 'is not JSON' }
  const more = format.partialAt === null ? undefined : valueAt(report, format.partialAt)
  if (more === false || (typeof more === 'string' && more !== ''))
    return { fault: 'is only a part of the report; ask for fewer days, or for larger pages' }
  const list = Array.isArray(report) ? report : valueAt(report, format.rows)
  if (!Array.isArray(list)) return { fault: `has no list of rows${format.rows === '' ? '' : ` at ${format.rows}`}` }
  const other = list.findIndex((row) => typeof row !== 'object' || row === null || Array.isArray(row))
  if (other >= 0) return { fault: `has something else than a row at ${other + 1}` }
  return { rows: list.map((content, index) => ({ line: index + 1, content: content as Content })) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

function csvRows(text: string, format: Format): ReturnType<typeof rowsOf> {
  const [titles = ''] = text.split('\n', 1)
  const delimiter = [',', ';', '\t'].toSorted((a, b) => titles.split(b).length - titles.split(a).length)[0] ?? ','
  try {
    const [first = []] = parse(text, { bom: true, delimiter, toLine: 1 }) as unknown as string[][]
    // A page that says that something went wrong is text, too.
    const find = fieldsIn(Object.fromEntries(first.map((title) => [title, title])), format.fields)
    if (isAbsent(find('amount').value)) return { fault: `has no column ${find('amount').name}` }
    const records = parse(text, {
      bom: true,
      columns: true,
      delimiter,
      info: true,
      skipEmptyLines: true,
    }) as unknown as { record: Record<string, string>; info: { lines: number } }[]
    return { rows: records.map(({ record, info }) => ({ line: info.lines, content: filled(record) })) }
  } catch (error) {
    return { fault: `is not CSV: ${error instanceof Error ? error.message : 'it cannot be read'}` }
  }
}

/** An empty cell says nothing. */
function filled(record: Record<string, string>): Content {
  return Object.fromEntries(Object.entries(record).filter(([name, value]) => name !== '' && !isAbsent(value)))
}
