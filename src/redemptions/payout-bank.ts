import type { PayoutAccount } from './files/bank-account.ts'

/** A payment that a bank is to make. */
export type PayoutOrder = {
  /** Which of the bank's customers pays. */
  readonly account: string
  /** The bank makes one payment for each reference, however often it is told. */
  readonly reference: string
  /** A decimal of major units, such as 12.34. */
  readonly amount: string
  readonly currency: string
  readonly destination: PayoutAccount
}

/** `message` and `code` are the bank's own. */
type OrderAnswer =
  | { readonly isAccepted: true; readonly payoutReference: string }
  | {
      readonly isAccepted: false
      readonly code: string
      readonly message: string
      /** Whether no payment to this destination can ever arrive. */
      readonly isDestinationWrong: boolean
    }

type BankEvent = {
  readonly reference: string
  readonly payoutReference: string
  readonly outcome: 'paid' | 'failed' | 'returned'
  readonly code: string | null
  readonly message: string | null
}

/**
 * A bank that pays out when it is told. Every call may throw: then nothing is known, and it is repeated later.
 */
export type PayoutBank = {
  /** @param at the caller's current time, because a sandbox may be ahead of real time. */
  pay(order: PayoutOrder, at: Date): Promise<OrderAnswer>
  /** What became of the payments of an account: what follows a position, in order. */
  listEvents(
    account: string,
    after: bigint,
    at: Date,
  ): Promise<{ readonly events: readonly BankEvent[]; readonly nextAfter: bigint }>
}
