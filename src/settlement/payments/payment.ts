import type { Day } from '../../platform/calendar.ts'
import type { Id, PublisherId } from '../../platform/ids.ts'

export type PaymentId = Id<'payment'>

/** Seen from the service: money came in, or went out. */
export const DIRECTIONS = ['received', 'paid'] as const
export type Direction = (typeof DIRECTIONS)[number]

/**
 * With whom a payment settles: what an advertiser owes for a publisher's users, what a publisher has earned, what was
 * paid out to users by a method, or the service's own fees.
 */
export const PAYMENT_PARTIES = ['advertiser', 'publisher', 'payouts', 'service'] as const
export type PaymentParty = (typeof PAYMENT_PARTIES)[number]

export type Payment = {
  readonly paymentId: PaymentId
  readonly publisherId: PublisherId
  readonly externalRef: string
  readonly direction: Direction
  readonly party: PaymentParty
  /** The brand of an advertiser, the method of payouts, otherwise empty. */
  readonly owner: string
  readonly currency: string
  readonly amount: bigint
  readonly valueDate: Day
  readonly note: string | null
  /** The payment that this one takes back. */
  readonly reverses: PaymentId | null
  /** The payment that took this one back. */
  readonly reversedBy: PaymentId | null
  readonly createdAt: Date
  readonly createdBy: string
}

/** What the payment is: with whom, which way, and how much. */
export type PaymentTerms = Pick<Payment, 'direction' | 'party' | 'owner' | 'currency' | 'amount'>
