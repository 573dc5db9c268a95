import type { Day } from '../../../platform/calendar.ts'
import type { PayoutAccount } from './bank-account.ts'

export const PAYOUT_FORMATS = ['nacha', 'pain.001', 'csv'] as const
export type PayoutFormat = (typeof PAYOUT_FORMATS)[number]

/** Payment instructions for a bank, independent of the format. */
export type PayoutFile = {
  /** A unique ID of up to 26 digits and uppercase letters. */
  readonly fileId: string
  /**
   * The sequence number of the file among the payer's files of the same format created on the same UTC day, starting at
   * 1. NACHA files use it to distinguish those files.
   */
  readonly numberOfDay: number
  readonly createdAt: Date
  /** The day the money should arrive. */
  readonly payOn: Day
  readonly currency: string
  readonly payer: Payer
  readonly entries: readonly PayoutEntry[]
}

export type PayoutEntry = {
  /** 26 digits and uppercase letters. Banks repeat it, or its last 15 characters, in their responses. */
  readonly reference: string
  /** In minor units. */
  readonly amount: bigint
  readonly account: PayoutAccount
}

/** The operating company's details as a bank customer. Formats whose details are null are unavailable. */
export type Payer = {
  readonly name: string
  readonly nacha: NachaPayer | null
  /** The account that pain.001 files pay from. */
  readonly account: { readonly iban: string; readonly bic: string | null } | null
}

export type NachaPayer = {
  /** Ten characters assigned by the bank, usually 1 followed by the tax ID. */
  readonly companyId: string
  /** The routing number of the originating bank. */
  readonly odfiRouting: string
  /** The recipient of the file, usually the same bank. */
  readonly immediateDestination: string
  readonly immediateDestinationName: string
  /** Nine or ten characters assigned by the bank. */
  readonly immediateOrigin: string
}

export const REFERENCE = /^[0-9A-Z]{26}$/

/** The payment description on recipients' statements. */
export const PURPOSE = 'CASHBACK'

/** The rules and the writer of one format. The rules apply in addition to those for every file. */
export type PayoutWriter = {
  readonly findPayerFault: (payer: Payer) => string | null
  readonly findEntryFault: (entry: PayoutEntry, currency: string) => string | null
  readonly findFileFault: (file: PayoutFile) => string | null
  /** Requires a file that passed all checks. */
  readonly write: (file: PayoutFile) => string
  /**
   * Writes the file as an earlier version did, because files created by that version must be reproduced unchanged.
   * Omitted if the text is the same.
   */
  readonly writeFormerly?: (file: PayoutFile) => string
}

export function sumEntries(entries: readonly PayoutEntry[]): bigint {
  return entries.reduce((total, { amount }) => total + amount, 0n)
}
