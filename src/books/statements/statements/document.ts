import type { Account, JournalKind } from '../../../ledger/index.ts'
import type { PublisherId } from '../../../platform/ids.ts'
import type { Month } from '../month-rules.ts'
import type { Direction } from '../payments/payment.ts'

export const STATEMENT_KINDS = ['advertiser', 'publisher', 'service'] as const
export type StatementKind = (typeof STATEMENT_KINDS)[number]

/**
 * The content of a statement. Amounts are decimal strings in major units, because sums may exceed the range of a
 * number.
 */
export type StatementDocument = {
  readonly statement_id: string
  readonly kind: StatementKind
  /** The brand, the publisher (pub_…) or `service`. */
  readonly party: string
  readonly environment: string
  readonly currency: string
  readonly month: Month
  /**
   * The statement contains everything that took effect before this instant, was booked by the cut, and is not in an
   * earlier statement.
   */
  readonly ends_at: string
  readonly cut_at: string
  /** The hash of the previous month's statement, which links the statements into a chain. */
  readonly previous_sha256: string | null
  readonly balances: readonly BalanceLine[]
  readonly movements: readonly MovementLine[]
  readonly payments: readonly PaymentLine[]
  /** The amounts that an advertiser still owes, by month; null for other parties. */
  readonly ageing: Ageing | null
  readonly control: ControlTotal
}

/**
 * The balances of an account, or, if there is a detail, of the part of it that belongs to one publisher or payout
 * method.
 */
export type BalanceLine = {
  readonly account: Account
  readonly detail: string | null
  readonly opening: string
  readonly increase: string
  readonly decrease: string
  readonly closing: string
}

export type MovementLine = {
  readonly movement: string
  readonly detail: string | null
  readonly count: number
  readonly amount: string
}

export type PaymentLine = {
  readonly payment_id: string
  readonly publisher_id: string
  readonly external_ref: string
  readonly value_date: string
  readonly direction: Direction
  readonly amount: string
  readonly reverses: string | null
  /** The months that an advertiser's payment settles. Any excess becomes a credit. */
  readonly matched: readonly MonthAmount[]
  readonly unmatched: string
}

type MonthAmount = { readonly month: Month; readonly amount: string }

export type Ageing = {
  /** Open amounts, oldest month first. */
  readonly open: readonly MonthAmount[]
  /** The amount paid or reversed beyond what was owed. */
  readonly credit: string
  /** The part of an earlier credit that this month's charges used up. */
  readonly credit_used: string
  readonly current: string
  readonly days_1_30: string
  readonly days_31_60: string
  readonly days_61_90: string
  readonly days_over_90: string
}

/** The sum of the absolute amounts of all postings in the statement, which reveals missing postings. */
type ControlTotal = { readonly total: string; readonly journals: number; readonly postings: number }

/** The postings of one kind of journal on one account and side. */
export type ActivityLine = {
  readonly publisherId: PublisherId
  readonly kind: JournalKind
  readonly account: Account
  readonly owner: string
  /**
   * The number of journals with such a posting. `journals` counts only those whose first posting in the statement is on
   * this line.
   */
  readonly count: number
  readonly journals: number
  /** Debits are positive. */
  readonly amount: bigint
}

/** A payment by or to the statement's party. Amounts are positive for money coming in. */
export type StatementPayment = {
  readonly paymentId: string
  readonly publisherId: PublisherId
  readonly externalRef: string
  readonly valueDate: string
  readonly direction: Direction
  readonly amount: bigint
  readonly reverses: string | null
}
