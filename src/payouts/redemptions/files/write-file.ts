import { isDay } from '../../../platform/calendar.ts'
import { findAccountFault } from './bank-account.ts'
import { csvWriter } from './csv-file.ts'
import { nachaWriter } from './nacha.ts'
import { pain001Writer } from './pain001.ts'
import {
  type Payer,
  type PayoutEntry,
  type PayoutFile,
  type PayoutFormat,
  type PayoutWriter,
  REFERENCE,
} from './payout-file.ts'

const WRITERS: Readonly<Record<PayoutFormat, PayoutWriter>> = {
  nacha: nachaWriter,
  'pain.001': pain001Writer,
  csv: csvWriter,
}

const FILE_ID = /^[0-9A-Z]{1,26}$/
const CURRENCY = /^[A-Z]{3}$/

/** Returns the reason why files of this format cannot be created for the payer, or null. */
export function findPayerFault(format: PayoutFormat, payer: Payer): string | null {
  return WRITERS[format].findPayerFault(payer)
}

/** Returns the reason why a file of this format cannot pay the entry, or null. */
export function findEntryFault(format: PayoutFormat, entry: PayoutEntry, currency: string): string | null {
  if (!REFERENCE.test(entry.reference)) return 'the reference must be 26 digits or uppercase letters'
  if (entry.amount <= 0n) return 'the amount must be greater than zero'
  const fault = findAccountFault(entry.account)
  return fault === null ? WRITERS[format].findEntryFault(entry, currency) : `${fault.field} ${fault.message}`
}

/**
 * Returns the file as text.
 * @throws RangeError if a bank would not accept the file. Check entries individually with `findEntryFault` first.
 */
export function writePayoutFile(format: PayoutFormat, file: PayoutFile): string {
  const fault = findFileFault(format, file)
  if (fault !== null) throw new RangeError(`file ${file.fileId} cannot be written: ${fault}`)
  return WRITERS[format].write(file)
}

/**
 * Returns the file as originally written, as confirmed by `isThat`, or undefined if it cannot be restored. Skips
 * validation, because the entries passed it when the file was created, and newer rules might reject a file that the
 * bank already has.
 */
export function rewritePayoutFile(
  format: PayoutFormat,
  file: PayoutFile,
  isThat: (text: string) => boolean,
): string | undefined {
  const { write, writeFormerly = write } = WRITERS[format]
  return [write, writeFormerly]
    .values()
    .map((writeIt) => writeIt(file))
    .find(isThat)
}

/**
 * Returns the reason why the file cannot be written, or null. The reason identifies an entry by its reference, never by
 * its account.
 */
export function findFileFault(format: PayoutFormat, file: PayoutFile): string | null {
  if (!FILE_ID.test(file.fileId)) return 'the id must be up to 26 digits or uppercase letters'
  if (!isDay(file.payOn)) return 'the payment date does not exist'
  if (!CURRENCY.test(file.currency)) return 'the currency must be three letters'
  if (file.entries.length === 0) return 'there are no payouts to pay'
  const payer = findPayerFault(format, file.payer)
  if (payer !== null) return payer
  const references = new Set<string>()
  for (const entry of file.entries) {
    const fault = references.has(entry.reference) ? 'appears twice' : findEntryFault(format, entry, file.currency)
    if (fault !== null) return `${entry.reference}: ${fault}`
    references.add(entry.reference)
  }
  return WRITERS[format].findFileFault(file)
}
