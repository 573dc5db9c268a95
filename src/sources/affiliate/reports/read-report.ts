import { Refusal } from '../../../platform/refusal.ts'
import type { AffiliateRefusal } from '../errors.ts'
import type { Format } from '../formats/format.ts'
import { isNoSale, readSale, type Sale } from '../sales/read-sale.ts'
import { type ReportRow, readReportRows } from './report-rows.ts'

export type ReadRow = ReportRow & { readonly sale: Sale }

// As many lines as a person would correct in one go. Any others are only counted.
const FAULTS_SHOWN = 20

/**
 * Reads the sales in a report.
 * @throws Refusal report_invalid that lists each invalid line
 */
export function readReport(text: string, format: Format): ReadRow[] {
  const read = readReportRows(text, format)
  if ('fault' in read) throw reportRefusal([`The report ${read.fault}.`])
  const faults: string[] = []
  const rows = read.rows.flatMap((row) => {
    if (isNoSale(row.content, format)) return []
    const one = readSale(row.content, format)
    if ('sale' in one) return [{ ...row, sale: one.sale }]
    faults.push(`line ${row.line}: ${one.faults.map(({ field, message }) => `${field} ${message}`).join(', ')}`)
    return []
  })
  if (faults.length > 0) throw reportRefusal(faults)
  return rows
}

export function reportRefusal(faults: readonly string[]): Refusal<AffiliateRefusal> {
  const shown = faults.slice(0, FAULTS_SHOWN)
  const more = faults.length > shown.length ? [`and ${faults.length - shown.length} more`] : []
  return new Refusal<AffiliateRefusal>('report_invalid', [...shown, ...more].join('\n'))
}
