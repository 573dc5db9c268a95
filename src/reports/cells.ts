import { encodeId } from '../platform/ids.ts'
import { exponentOf, toJsonNumber } from '../platform/money.ts'

/** How a format writes null and text. `quote` encloses text that needs no escaping. */
export type Notation = {
  readonly none: string
  readonly quote: string
  readonly textOf: (text: string) => string
}

/** What the cells of a column are: ids are those of the interface, with this prefix. */
export type CellType = 'text' | 'integer' | 'money' | 'day' | 'instant' | { readonly id: string }

/** Writes a cell that is not null, given as PostgreSQL prints it. The currency is that of its row. */
export type WriteCell = (cell: string, notation: Notation, currency: string) => string

// The text format of COPY: a line for each row, tabs between cells, and a backslash before what could be taken for
// either.
export const ROW_END = '\n'
export const CELL_END = '\t'
export const NULL_CELL = '\\N'
const ESCAPE = /\\(.)/g
const ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

export const writeText: WriteCell = (cell, notation) =>
  notation.textOf(
    cell.includes('\\') ? cell.replace(ESCAPE, (_, escaped: string) => ESCAPED[escaped] ?? escaped) : cell,
  )

export const writeInteger: WriteCell = (cell) => cell

/** Minor units, as the number that `toJsonNumber` makes of them prints. */
export const writeMoney: WriteCell = (cell, _, currency) =>
  // A double holds up to 15 digits exactly.
  String(cell.length <= 15 ? Number(cell) / 10 ** exponentOf(currency) : toJsonNumber(BigInt(cell), currency))

export const writeDay: WriteCell = (cell, { quote }) => quote + finite(cell) + quote

/** An instant in UTC as `toISOString` writes it: milliseconds, rounded down. */
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

/** @throws RangeError for infinity, which no calendar holds */
function finite(cell: string): string {
  if (cell.endsWith('y')) throw new RangeError(`${cell} is not a time`)
  return cell
}

/** TypeID of a UUID. */
export function idWriter(prefix: string): WriteCell {
  return (cell, { quote }) => quote + encodeId(prefix, cell) + quote
}
