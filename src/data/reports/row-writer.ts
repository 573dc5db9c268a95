import type { ReportColumn } from './columns.ts'
import { buildLineFormat, formatLines, type ReportFormat, type RowWriter, splitRows } from './formats.ts'
import { createParquetWriter } from './parquet.ts'

export function createRowWriter(columns: readonly ReportColumn[], format: ReportFormat): RowWriter {
  if (format === 'parquet') return createParquetWriter(columns)
  const lines = buildLineFormat(columns, format)
  let count = 0
  return {
    head: lines.head,
    add: (copied) => {
      const rows = splitRows(copied)
      count += rows.length
      return formatLines(lines, rows)
    },
    end: () => '',
    count: () => count,
  }
}
