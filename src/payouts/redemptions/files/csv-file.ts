import { type Options, stringify } from 'csv-stringify/sync'
import { formatDecimal } from '../../../platform/money.ts'
import { escapeFormula } from '../../../platform/text/csv.ts'
import { toWire } from './bank-account.ts'
import type { PayoutFile, PayoutWriter } from './payout-file.ts'

/**
 * Writes a table for banks and partners that support neither NACHA nor ISO 20022 files. Names that a spreadsheet would
 * treat as formulas get a leading apostrophe.
 */
export const csvWriter: PayoutWriter = {
  findPayerFault: () => null,
  findEntryFault: () => null,
  findFileFault: () => null,
  write: (file) => writeCsv(file, { cast: { string: (text: string) => escapeFormula(text) } }),
  // The library's own formula guard, which covers fewer characters.
  writeFormerly: (file) => writeCsv(file, { escape_formulas: true }),
}

const COLUMNS = [
  'reference',
  'amount',
  'currency',
  'holder_name',
  'type',
  'routing_number',
  'account_number',
  'account_type',
  'iban',
  'bic',
] as const

function writeCsv({ entries, currency }: PayoutFile, guard: Options): string {
  const rows = entries.map(({ reference, amount, account }) => ({
    reference,
    amount: formatDecimal(amount, currency),
    currency,
    ...toWire(account),
  }))
  return stringify(rows, { ...guard, header: true, columns: [...COLUMNS], record_delimiter: 'windows' })
}
