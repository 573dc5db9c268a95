import type { Day } from '../../platform/calendar.ts'
import type { PayoutAccount } from './bank-account.ts'

export const PAYOUT_FORMATS = ['nacha', 'pain.001', 'csv'] as const
export type PayoutFormat = (typeof PAYOUT_FORMATS)[number]

/** What a bank is asked to pay, in whichever format. */
export type PayoutFile = {
  /** Up to 26 digits and upper-case letters, unique. */
  readonly fileId: string
  /** 1 for the first file that the payer makes on the day of createdAt in UTC. NACHA tells the files of a day apart by it. */
  readonly numberOfDay: number
  readonly createdAt: Date
  /** The day on which the money should arrive. */
  readonly payOn: Day
  readonly currency: string
  readonly payer: Payer
  readonly entries: readonly PayoutEntry[]
}

export type PayoutEntry = {
  /** 26 digits and upper-case letters. Banks repeat it, or its last 15 characters, in their answers. */
  readonly reference: string
  /** Minor units. */
  readonly amount: bigint
  readonly account: PayoutAccount
}

/** What the operating company is to its bank. A format whose part is null is not offered. */
export type Payer = {
  readonly name: string
  readonly nacha: NachaPayer | null
  /** The account that pain.001 pays from. */
  readonly account: { readonly iban: string; readonly bic: string | null } | null
}

export type NachaPayer = {
  /** Ten characters that the bank assigns, mostly 1 and the tax number. */
  readonly companyId: string
  /** The routing number of the bank that sends the payments. */
  readonly odfiRouting: string
  /** Where the file goes: mostly the same bank. */
  readonly immediateDestination: string
  readonly immediateDestinationName: string
  /** Nine or ten characters that the bank assigns. */
  readonly immediateOrigin: string
}

export const REFERENCE = /^[0-9A-Z]{26}$/

/** What recipients read about the payment on their statements. */
export const PURPOSE = 'CASHBACK'

/** The rules and the writing of one format. The faults are those that the format adds to the rules of every file. */
export type PayoutWriter = {
  readonly faultOfPayer: (payer: Payer) => string | null
  readonly faultOfEntry: (entry: PayoutEntry, currency: string) => string | null
  readonly faultOfFile: (file: PayoutFile) => string | null
  /** Expects a file without faults. */
  readonly write: (file: PayoutFile) => string
  /** As an earlier version wrote it, where the text differs: a file that was made by it keeps its text. */
  readonly writeFormerly?: (file: PayoutFile) => string
}

export function totalOf(entries: readonly PayoutEntry[]): bigint {
  return entries.reduce((total, { amount }) => total + amount, 0n)
}
