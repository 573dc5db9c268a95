import type { ReportColumn } from './columns.ts'
import { lineFormat, linesOf, type ReportFormat, type RowWriter, rowsIn } from './formats.ts'
import { createParquetWriter } from './parquet.ts'

export function createRowWriter(columns: readonly ReportColumn[], format: ReportFormat): RowWriter {
  if (format === 'parquet') return createParquetWriter(columns)
  const lines = lineFormat(columns, format)
  let count = 0
  return {
    head: lines.head,
    add: (copied) => {
      const rows = rowsIn(copied)
      count += rows.length
      return linesOf(lines, rows)
    },
    end: () => '',
    count: () => count,
  }
}
