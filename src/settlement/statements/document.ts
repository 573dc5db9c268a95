import type { Account, JournalKind } from '../../ledger/index.ts'
import type { PublisherId } from '../../platform/ids.ts'
import type { Month } from '../closing/rules.ts'
import type { Direction } from '../payments/payment.ts'

export const STATEMENT_KINDS = ['advertiser', 'publisher', 'service'] as const
export type StatementKind = (typeof STATEMENT_KINDS)[number]

/** What a statement says. Amounts are exact decimals of major units, as text, because sums may pass what a number holds. */
export type StatementDocument = {
  readonly statement_id: string
  readonly kind: StatementKind
  /** The brand, the publisher (pub_…), or `service`. */
  readonly party: string
  readonly environment: string
  readonly currency: string
  readonly month: Month
  /** What took effect before this, and was booked until the cut, is in it, unless it is in a statement before. */
  readonly ends_at: string
  readonly cut_at: string
  /** The hash of the statement of the month before, so that statements form a chain. */
  readonly previous_sha256: string | null
  readonly balances: readonly BalanceLine[]
  readonly movements: readonly MovementLine[]
  readonly payments: readonly PaymentLine[]
  /** Of an advertiser: what is still owed, and for which months; otherwise null. */
  readonly ageing: Ageing | null
  readonly control: ControlTotal
}

/** An account; without detail all of it, otherwise the part of a publisher or a payout method. */
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
  /** Of an advertiser: what of it settles which months; what is left is a credit. */
  readonly matched: readonly MonthAmount[]
  readonly unmatched: string
}

type MonthAmount = { readonly month: Month; readonly amount: string }

export type Ageing = {
  /** What is open, the oldest month first. */
  readonly open: readonly MonthAmount[]
  /** Paid or reversed ahead of what is owed. */
  readonly credit: string
  /** What this month's charges took from an earlier credit. */
  readonly credit_used: string
  readonly current: string
  readonly days_1_30: string
  readonly days_31_60: string
  readonly days_61_90: string
  readonly days_over_90: string
}

/** Adds up all postings of the statement without their signs, so that none can be missing unnoticed. */
type ControlTotal = { readonly total: string; readonly journals: number; readonly postings: number }

/** The postings of one kind of journal on one account and side. */
export type ActivityLine = {
  readonly publisherId: PublisherId
  readonly kind: JournalKind
  readonly account: Account
  readonly owner: string
  /** Journals that have such a posting, and those that have no other posting of the statement before it. */
  readonly count: number
  readonly journals: number
  /** Debits are positive. */
  readonly amount: bigint
}

/** A payment of the statement's party; positive where money came in. */
export type StatementPayment = {
  readonly paymentId: string
  readonly publisherId: PublisherId
  readonly externalRef: string
  readonly valueDate: string
  readonly direction: Direction
  readonly amount: bigint
  readonly reverses: string | null
}
