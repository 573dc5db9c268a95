import { encodeId } from '../../platform/ids.ts'
import { getExponent, toJsonNumber } from '../../platform/money.ts'

/** The notation for nulls and text in one format. `quote` encloses values that never need escaping. */
export type Notation = {
  readonly none: string
  readonly quote: string
  readonly encodeText: (text: string) => string
}

/** The type of a column's cells. IDs are API IDs with the given prefix. */
export type CellType = 'text' | 'integer' | 'money' | 'day' | 'instant' | { readonly id: string }

/** Writes a non-null cell, given PostgreSQL's text output and the currency of the row. */
export type WriteCell = (cell: string, notation: Notation, currency: string) => string

// COPY's text format: one line per row, tabs between cells, and a backslash before any character that could be mistaken
// for a line break or a tab.
export const ROW_END = '\n'
export const CELL_END = '\t'
export const NULL_CELL = '\\N'
const ESCAPE = /\\(.)/g
const ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

export const writeText: WriteCell = (cell, notation) =>
  notation.encodeText(
    cell.includes('\\') ? cell.replace(ESCAPE, (_, escaped: string) => ESCAPED[escaped] ?? escaped) : cell,
  )

export const writeInteger: WriteCell = (cell) => cell

/** Writes minor units as the number that `toJsonNumber` returns. */
export const writeMoney: WriteCell = (cell, _, currency) =>
  // A double is exact up to 15 digits.
  String(cell.length <= 15 ? Number(cell) / 10 ** getExponent(currency) : toJsonNumber(BigInt(cell), currency))

export const writeDay: WriteCell = (cell, { quote }) => quote + finite(cell) + quote

/** Writes an instant like `toISOString`: in UTC, rounded down to milliseconds. */
export const writeInstant: WriteCell = (cell, { quote }) => {
  const day = finite(cell).slice(0, DAY_LENGTH)
  const time = cell.slice(DAY_LENGTH + 1, -OFFSET_LENGTH)
  const ms = time.length === SECONDS_LENGTH ? '.000' : time.slice(SECONDS_LENGTH, MS_LENGTH).padEnd(4, '0')
  return `${quote}${day}T${time.slice(0, SECONDS_LENGTH)}${ms}Z${quote}`
}

const DAY_LENGTH = '2026-10-02'.length
const SECONDS_LENGTH = '10:15:30'.length
const MS_LENGTH = '10:15:30.000'.length
const OFFSET_LENGTH = '+00'.length

/** @throws RangeError for infinity, which is not a calendar date */
function finite(cell: string): string {
  if (cell.endsWith('y')) throw new RangeError(`${cell} is not a time`)
  return cell
}

/** Writes a UUID as a TypeID. */
export function createIdWriter(prefix: string): WriteCell {
  return (cell, { quote }) => quote + encodeId(prefix, cell) + quote
}
