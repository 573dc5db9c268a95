import type { Day } from '../../../platform/calendar.ts'
import type { Id, PublisherId } from '../../../platform/ids.ts'

export type PaymentId = Id<'payment'>

/** From the service's point of view: money coming in or going out. */
export const DIRECTIONS = ['received', 'paid'] as const
export type Direction = (typeof DIRECTIONS)[number]

/**
 * The counterparty determines what a payment settles: an advertiser's debt for a publisher's users, a publisher's
 * earnings, payouts to users by one method, or the service's own fees.
 */
export const PAYMENT_PARTIES = ['advertiser', 'publisher', 'payouts', 'service'] as const
export type PaymentParty = (typeof PAYMENT_PARTIES)[number]

export type Payment = {
  readonly paymentId: PaymentId
  readonly publisherId: PublisherId
  readonly externalRef: string
  readonly direction: Direction
  readonly party: PaymentParty
  /** The brand of an advertiser or the method of payouts; otherwise empty. */
  readonly owner: string
  readonly currency: string
  readonly amount: bigint
  readonly valueDate: Day
  readonly note: string | null
  /** The payment that this one reverses. */
  readonly reverses: PaymentId | null
  /** The payment that reversed this one. */
  readonly reversedBy: PaymentId | null
  readonly createdAt: Date
  readonly createdBy: string
}

/** The counterparty, direction and amount of a payment. */
export type PaymentTerms = Pick<Payment, 'direction' | 'party' | 'owner' | 'currency' | 'amount'>
