import { type Options, stringify } from 'csv-stringify/sync'
import { formatDecimal } from '../../../platform/money.ts'
import { escapeFormula } from '../../../platform/text/csv.ts'
import type { PayoutEntry, PayoutFile, PayoutWriter } from './payout-file.ts'

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
type Row = Readonly<Partial<Record<(typeof COLUMNS)[number], string | null>>>

function writeCsv({ entries, currency }: PayoutFile, guard: Options): string {
  const rows = entries.map((entry) => toRow(entry, currency))
  return stringify(rows, { ...guard, header: true, columns: [...COLUMNS], record_delimiter: 'windows' })
}

function toRow({ reference, amount, account }: PayoutEntry, currency: string): Row {
  const row = {
    reference,
    amount: formatDecimal(amount, currency),
    currency,
    holder_name: account.holderName,
    type: account.type,
  }
  return account.type === 'iban'
    ? { ...row, iban: account.iban, bic: account.bic }
    : {
        ...row,
        routing_number: account.routingNumber,
        account_number: account.accountNumber,
        account_type: account.accountType,
      }
}
