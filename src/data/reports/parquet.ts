import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import { DAY_MS } from '../../platform/calendar.ts'
import { getExponent } from '../../platform/money.ts'
import { CELL_END, type CellType, type Notation, NULL_CELL } from './cells.ts'
import { findCurrencyIndex, getWriter, type ReportColumn } from './columns.ts'
import { type RowWriter, splitRows } from './formats.ts'

/**
 * Writes Apache Parquet one row group at a time, in constant memory. Text and IDs are stored as strings, instants as
 * UTC timestamps in milliseconds, days as dates, and amounts as decimals in major units.
 */

// Encoding a group of this size blocks the process for a tenth of a second.
const GROUP_ROWS = 5_000
// Enough decimals for any currency. In 64 bits, they leave 14 exact digits before the decimal point.
const DECIMALS = 4
const DIGITS = 18

const RAW: Notation = { none: '', quote: '', encodeText: (text) => text }

type Primitive = Exclude<CellType, object>
type Value = string | bigint | number | null
const ELEMENTS: Readonly<Record<Primitive, Omit<SchemaElement, 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  money: { type: 'INT64', converted_type: 'DECIMAL', precision: DIGITS, scale: DECIMALS },
  day: { type: 'INT32', converted_type: 'DATE' },
  instant: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
}

/** Converts a cell to the value that the column stores. */
const VALUES: Readonly<Record<Primitive, (written: string, cell: string, currency: string) => Value>> = {
  text: (written) => written,
  integer: (_, cell) => BigInt(cell),
  money: (_, cell, currency) => BigInt(cell) * 10n ** BigInt(DECIMALS - getExponent(currency)),
  day: (written) => Date.parse(written) / DAY_MS,
  instant: (written) => BigInt(Date.parse(written)),
}

export function createParquetWriter(columns: readonly ReportColumn[]): RowWriter {
  const primitives = columns.map(({ type }): Primitive => (typeof type === 'object' ? 'text' : type))
  const writers = columns.map(getWriter)
  const currency = findCurrencyIndex(columns)
  const bytes = new ByteWriter()
  const schema: SchemaElement[] = [
    { name: 'report', num_children: columns.length },
    ...columns.map(
      ({ name }, at): SchemaElement => ({
        name,
        repetition_type: 'OPTIONAL',
        ...ELEMENTS[primitives[at] ?? 'text'],
      }),
    ),
  ]
  const parquet = new ParquetWriter({ writer: bytes, schema, createdBy: 'laurel' })
  let waiting: Value[][] = columns.map(() => [])
  let count = 0

  const take = (): Uint8Array => {
    const taken = bytes.getBytes().slice()
    bytes.index = 0
    return taken
  }
  const writeGroup = (): void => {
    const columnData = columns.map(
      // Without a dictionary, because writing one doubles the time and compression saves just as much without it.
      ({ name }, at): ColumnSource => ({ name, data: waiting[at] ?? [], encoding: 'PLAIN', offsetIndex: false }),
    )
    parquet.write({ columnData, rowGroupSize: GROUP_ROWS })
    waiting = columns.map(() => [])
  }
  const addRow = (row: string): void => {
    const cells = row.split(CELL_END)
    if (cells.length !== columns.length) throw new Error('the row has different columns than requested')
    const of = cells[currency] ?? ''
    for (const [at, cell] of cells.entries()) {
      const written = cell === NULL_CELL ? null : (writers[at]?.(cell, RAW, of) ?? null)
      waiting[at]?.push(written === null ? null : VALUES[primitives[at] ?? 'text'](written, cell, of))
    }
    count++
    if (count % GROUP_ROWS === 0) writeGroup()
  }
  return {
    head: take(),
    add: (copied) => {
      for (const row of splitRows(copied)) addRow(row)
      return take()
    },
    end: () => {
      if (count % GROUP_ROWS > 0) writeGroup()
      parquet.finish()
      return take()
    },
    count: () => count,
  }
}
