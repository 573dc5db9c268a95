import type { PayoutAccount } from './bank-account.ts'
import type { Payer, PayoutEntry, PayoutFile } from './payout-file.ts'

/** Shared fixtures for the payout file tests. */

export const CHECKING: PayoutAccount = {
  type: 'us_bank_account',
  holderName: 'Ada Lovelace',
  routingNumber: '021000021',
  accountNumber: '123456789',
  accountType: 'checking',
}
export const SAVINGS: PayoutAccount = {
  ...CHECKING,
  holderName: 'Zoë Åström-O’Neill',
  routingNumber: '121000248',
  accountNumber: '00012345678901234',
  accountType: 'savings',
}
export const GERMAN: PayoutAccount = {
  type: 'iban',
  holderName: 'Jörg Weiß & Söhne',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
}
export const FRENCH: PayoutAccount = {
  type: 'iban',
  holderName: 'Αλέξης Ζορμπάς',
  iban: 'FR1420041010050500013M02606',
  bic: null,
}

export const PAYER: Payer = {
  name: 'Laurel Rewards, Inc.',
  nacha: {
    companyId: '1234567890',
    odfiRouting: '091000019',
    immediateDestination: '091000019',
    immediateDestinationName: 'Example Bank',
    immediateOrigin: '123456789',
  },
  account: { iban: 'NL91ABNA0417164300', bic: 'ABNANL2A' },
}

export function makeReference(number: number): string {
  return `01K7ZQ${String(number).padStart(20, '0')}`
}

export function makeEntries(...rows: readonly (readonly [bigint, PayoutAccount])[]): PayoutEntry[] {
  return rows.map(([amount, account], index) => ({ reference: makeReference(index + 1), amount, account }))
}

export function makeFile(entries: readonly PayoutEntry[], changes: Partial<PayoutFile> = {}): PayoutFile {
  return {
    fileId: '01K7ZQ0000000000000000FILE',
    numberOfDay: 1,
    createdAt: new Date('2026-03-04T15:16:17.891Z'),
    payOn: '2026-03-06',
    currency: 'USD',
    payer: PAYER,
    entries,
    ...changes,
  }
}
