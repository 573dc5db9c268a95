import { findGrouped } from '../../../platform/money.ts'
import { readDelimited } from '../../../platform/text/delimited.ts'
import type { Format } from '../formats/format.ts'
import type { Content } from '../rules.ts'
import { createFieldFinder, getValueAt, isAbsent } from '../sales/field-values.ts'

/** A row of a report, with its line in a CSV or its position in a JSON list, counted from 1. */
export type ReportRow = { readonly line: number; readonly content: Content }

/** More than any network reports, even for months of sales. */
const ROWS_MAX = 200_000

/**
 * Returns the rows of a network's exported report, or the reason it cannot be read. Text that begins like JSON is
 * parsed as JSON. Any other text is parsed as CSV with a header line.
 */
export function readReportRows(
  text: string,
  format: Format,
): { readonly rows: readonly ReportRow[] } | { fault: string } {
  const read = /^\uFEFF?\s*[[{]/.test(text) ? jsonRows(text, format) : csvRows(text, format)
  if ('rows' in read && read.rows.length > ROWS_MAX) return { fault: `has more than ${ROWS_MAX} rows; split it` }
  return read
}

function jsonRows(text: string, format: Format): ReturnType<typeof readReportRows> {
  const report = parsed(text)
  if (report === undefined) return { fault: 'is not valid JSON' }
  const more = format.partialAt === null ? undefined : getValueAt(report, format.partialAt)
  if (more === false || (typeof more === 'string' && more !== ''))
    return { fault: 'is incomplete; request fewer days, or larger pages' }
  const list = Array.isArray(report) ? report : getValueAt(report, format.rows)
  if (!Array.isArray(list)) return { fault: `has no list of rows${format.rows === '' ? '' : ` at ${format.rows}`}` }
  const other = list.findIndex((row) => typeof row !== 'object' || row === null || Array.isArray(row))
  if (other >= 0) return { fault: `contains something other than a row at position ${other + 1}` }
  return { rows: list.map((content, index) => ({ line: index + 1, content: content as Content })) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

function csvRows(text: string, format: Format): ReturnType<typeof readReportRows> {
  const find = (cells: readonly string[]) =>
    createFieldFinder(Object.fromEntries(cells.map((cell) => [cell, cell])), format.fields)
  // The text might be an error page, so the header must contain the amount column.
  const table = readDelimited(text, (cells) => !isAbsent(find(cells)('amount').value))
  if (!('rows' in table)) {
    const { titles, fault } = table
    if (!fault.startsWith('has')) return { fault }
    const found = titles.length < 2 ? '' : `; its columns are ${titles.join(', ')}`
    return { fault: `has no column ${find([])('amount').name}${found}` }
  }
  const { header, rows } = table
  const wide = rows.find(({ cells }) => cells.slice(header.length).some((cell) => cell !== ''))
  if (wide !== undefined) return { fault: `has more cells on line ${wide.line} than the header row` }
  const amountAt = header.indexOf(String(find(header)('amount').value))
  const grouped = findGrouped(rows.map(({ cells }) => cells[amountAt] ?? ''))
  if (grouped !== null)
    return {
      fault: `has amounts such as ${grouped}, which are ambiguous (thousands or decimals); write two decimal places`,
    }
  return {
    rows: rows.map(({ line, cells }) => ({
      line,
      content: filled(Object.fromEntries(header.map((title, at) => [title, cells[at] ?? '']))),
    })),
  }
}

/** Drops empty cells, which carry no information. */
function filled(record: Record<string, string>): Content {
  return Object.fromEntries(Object.entries(record).filter(([name, value]) => name !== '' && !isAbsent(value)))
}
