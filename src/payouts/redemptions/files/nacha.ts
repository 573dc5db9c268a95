import { isRoutingNumber } from './bank-account.ts'
import { toNachaText } from './bank-text.ts'
import {
  type NachaPayer,
  type Payer,
  type PayoutEntry,
  type PayoutFile,
  type PayoutWriter,
  PURPOSE,
  sumEntries,
} from './payout-file.ts'

/**
 * Writes ACH files as specified in NACHA's operating rules: lines of 94 columns in blocks of ten. A file contains one
 * batch of consumer credits (PPD). The bank itself debits the total from the payer's account.
 */
export const nachaWriter: PayoutWriter = { findPayerFault, findEntryFault, findFileFault, write: writeNacha }

export const LINE_WIDTH = 94
const LINES_PER_BLOCK = 10
/**
 * The number of characters available for a reference. The file contains only the end of the reference, which the bank
 * repeats in its response.
 */
export const INDIVIDUAL_ID_WIDTH = 15
// Batch columns hold a six-digit count, a twelve-digit sum and ten-digit amounts.
const ENTRIES_MAX = 999_999
const TOTAL_MAX = 999_999_999_999n
const AMOUNT_MAX = 9_999_999_999n
const HASH_MODULUS = 10_000_000_000n
const CREDITS_ONLY = '220'
const BATCH_NUMBER = digits(1, 7)
const CREDIT_CODES = { checking: '22', savings: '32' } as const
// A single character distinguishes the files created on the same day.
const MODIFIERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

function findPayerFault({ name, nacha }: Payer): string | null {
  if (nacha === null) return 'the payer has no details for NACHA files'
  if (toNachaText(name, 16) === '') return 'the name of the payer is empty'
  if (!/^[0-9A-Z]{10}$/.test(nacha.companyId)) return 'the company id must be ten digits or uppercase letters'
  if (!isRoutingNumber(nacha.odfiRouting)) return 'the routing number of the sending bank is invalid'
  if (!isRoutingNumber(nacha.immediateDestination)) return 'the routing number of the destination is invalid'
  if (toNachaText(nacha.immediateDestinationName, 23) === '') return 'the name of the destination is empty'
  return /^[0-9A-Z]{9,10}$/.test(nacha.immediateOrigin)
    ? null
    : 'the immediate origin must be nine or ten digits or uppercase letters'
}

function findEntryFault({ account, amount }: PayoutEntry, currency: string): string | null {
  if (currency !== 'USD') return 'NACHA files can only pay US dollars'
  if (account.type !== 'us_bank_account') return 'NACHA files can only pay to US bank accounts'
  return amount > AMOUNT_MAX ? 'the amount is too large for a NACHA file' : null
}

function findFileFault({ entries, numberOfDay }: PayoutFile): string | null {
  if (entries.length > ENTRIES_MAX) return `a NACHA file can hold at most ${ENTRIES_MAX} entries`
  if (sumEntries(entries) > TOTAL_MAX) return 'the sum of the amounts is too large for a NACHA file'
  if (new Set(entries.map(toIndividualId)).size < entries.length) return 'two references have the same ending'
  return MODIFIERS[numberOfDay - 1] === undefined
    ? `at most ${MODIFIERS.length} NACHA files can be created per day`
    : null
}

function writeNacha(file: PayoutFile): string {
  const { nacha } = file.payer
  if (nacha === null) throw new RangeError('the payer has no details for NACHA files')
  const lines = [
    fileHeader(file, nacha),
    batchHeader(file, nacha),
    ...file.entries.map((entry, index) => entryDetail(entry, index + 1, nacha)),
    batchControl(file, nacha),
  ]
  const blocks = Math.ceil((lines.length + 1) / LINES_PER_BLOCK)
  lines.push(fileControl(file, blocks))
  while (lines.length < blocks * LINES_PER_BLOCK) lines.push('9'.repeat(LINE_WIDTH))
  return `${lines.join('\n')}\n`
}

function fileHeader(file: PayoutFile, nacha: NachaPayer): string {
  const created = file.createdAt.toISOString()
  return line([
    '101',
    nacha.immediateDestination.padStart(10),
    nacha.immediateOrigin.padStart(10),
    shortDay(created),
    created.slice(11, 16).replace(':', ''),
    MODIFIERS[file.numberOfDay - 1] ?? '',
    digits(LINE_WIDTH, 3),
    digits(LINES_PER_BLOCK, 2),
    '1',
    name(nacha.immediateDestinationName, 23),
    name(file.payer.name, 23),
    file.fileId.slice(-8).padEnd(8),
  ])
}

function batchHeader({ payer, payOn }: PayoutFile, nacha: NachaPayer): string {
  return line([
    '5',
    CREDITS_ONLY,
    name(payer.name, 16),
    blank(20),
    nacha.companyId,
    'PPD',
    PURPOSE.padEnd(10),
    blank(6),
    shortDay(payOn),
    // The settlement date, filled in by the network operator.
    blank(3),
    '1',
    toBankNumber(nacha.odfiRouting),
    BATCH_NUMBER,
  ])
}

function entryDetail(entry: PayoutEntry, sequence: number, nacha: NachaPayer): string {
  const { account, amount } = entry
  if (account.type !== 'us_bank_account') throw new RangeError(`${entry.reference} is not paid to a US bank account`)
  return line([
    '6',
    CREDIT_CODES[account.accountType],
    account.routingNumber,
    account.accountNumber.padEnd(17),
    digits(amount, 10),
    toIndividualId(entry),
    name(account.holderName, 22),
    blank(2),
    // No addenda records.
    '0',
    toBankNumber(nacha.odfiRouting),
    digits(sequence, 7),
  ])
}

function batchControl({ entries }: PayoutFile, nacha: NachaPayer): string {
  return line([
    '8',
    CREDITS_ONLY,
    digits(entries.length, 6),
    digits(computeHash(entries), 10),
    digits(0, 12),
    digits(sumEntries(entries), 12),
    nacha.companyId,
    blank(19 + 6),
    toBankNumber(nacha.odfiRouting),
    BATCH_NUMBER,
  ])
}

function fileControl({ entries }: PayoutFile, blocks: number): string {
  return line([
    '9',
    digits(1, 6),
    digits(blocks, 6),
    digits(entries.length, 8),
    digits(computeHash(entries), 10),
    digits(0, 12),
    digits(sumEntries(entries), 12),
    blank(39),
  ])
}

/**
 * Computes the entry hash: the last ten digits of the sum of the recipients' routing numbers, without their check
 * digits.
 */
function computeHash(entries: readonly PayoutEntry[]): bigint {
  const sum = entries.reduce(
    (total, { account }) =>
      total + (account.type === 'us_bank_account' ? BigInt(toBankNumber(account.routingNumber)) : 0n),
    0n,
  )
  return sum % HASH_MODULUS
}

function toIndividualId({ reference }: PayoutEntry): string {
  return reference.slice(-INDIVIDUAL_ID_WIDTH)
}

/** Returns a routing number without its check digit. */
function toBankNumber(routingNumber: string): string {
  return routingNumber.slice(0, 8)
}

/** Returns the day at the beginning of a string as YYMMDD. */
function shortDay(text: string): string {
  return text.slice(2, 10).replaceAll('-', '')
}

function name(text: string, width: number): string {
  return toNachaText(text, width).padEnd(width)
}

function digits(value: bigint | number, width: number): string {
  return value.toString().padStart(width, '0')
}

function blank(width: number): string {
  return ' '.repeat(width)
}

/**
 * Joins the fields of a line and checks its width, because a field that is too wide would shift all the fields after
 * it, and a corrupt file must never be sent.
 */
function line(fields: readonly string[]): string {
  const text = fields.join('')
  if (text.length !== LINE_WIDTH) throw new RangeError(`a line of ${text.length} columns instead of ${LINE_WIDTH}`)
  return text
}
