import type { PayoutAccount } from '../files/bank-account.ts'

/** A payment for a bank to make. */
export type PayoutOrder = {
  /** The bank customer that pays. */
  readonly account: string
  /** Idempotency key: the bank makes one payment per reference, however often it receives the order. */
  readonly reference: string
  /** A decimal in major units, such as 12.34. */
  readonly amount: string
  readonly currency: string
  readonly destination: PayoutAccount
}

/** `message` and `code` come from the bank. */
type OrderAnswer =
  | { readonly isAccepted: true; readonly payoutReference: string }
  | {
      readonly isAccepted: false
      readonly code: string
      readonly message: string
      /** True if no payment to this destination can succeed. */
      readonly isDestinationWrong: boolean
    }

type BankEvent = {
  readonly reference: string
  readonly payoutReference: string
  readonly outcome: 'paid' | 'failed' | 'returned'
  readonly code: string | null
  readonly message: string | null
}

/** A bank that pays on request. If a call throws, its outcome is unknown, and the call is retried later. */
export type PayoutBank = {
  /** @param at the caller's current time, because a sandbox can be ahead of real time. */
  pay(order: PayoutOrder, at: Date): Promise<OrderAnswer>
  /** Lists the events of an account's payments after a position, in order. */
  listEvents(
    account: string,
    after: bigint,
    at: Date,
  ): Promise<{ readonly events: readonly BankEvent[]; readonly nextAfter: bigint }>
}
