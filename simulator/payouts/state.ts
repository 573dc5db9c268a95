/**
 * The bank's data, stored as plain data in the simulator's state. External keys are quoted (`toKey`), so that none can
 * be `__proto__` or a number, which would come first in the object's key order.
 */
export type PayoutsState = {
  /** The number of payouts recorded across all accounts, which is also the newest payout's number. */
  recorded: number
  accounts: Record<string, PayingAccount>
}

export type PayingAccount = {
  readonly account: string
  /** The latest time that a call has passed; null before the first call. */
  askedAt: string | null
  /** Keyed by reference, in recording order. */
  payouts: Record<string, Payout>
  /** Append-only. An event's sequence number is its 1-based position. */
  events: PayoutEvent[]
  /** The number of calls answered with 503 without recording a payout, by reference. */
  unrecorded: Record<string, number>
}

export type Destination =
  | {
      readonly type: 'us_bank_account'
      readonly holder_name: string
      readonly routing_number: string
      readonly account_number: string
      readonly account_type: 'checking' | 'savings'
    }
  | { readonly type: 'iban'; readonly holder_name: string; readonly iban: string; readonly bic: string | null }

export const OUTCOMES = ['paid', 'failed', 'returned'] as const
export type Outcome = (typeof OUTCOMES)[number]
export type PayoutStatus = 'accepted' | Outcome

/** The content of a payout request, which a repeat must match. */
export type PayoutContent = {
  readonly amount: string
  readonly currency: string
  readonly destination: Destination
}

export type Payout = {
  readonly payoutId: string
  readonly number: number
  readonly account: string
  readonly reference: string
  readonly content: PayoutContent
  /** On the caller's clock. */
  readonly acceptedAt: string
  status: PayoutStatus
  planned: PlannedStep[]
}

/** A future outcome. Without a due time, it takes effect on the next call. */
export type PlannedStep = { readonly type: Outcome; readonly code: string | null; readonly dueAt: string | null }

/** An event as sent to callers. */
export type PayoutEvent = {
  readonly sequence: number
  readonly payout_id: string
  readonly reference: string
  readonly type: Outcome
  readonly code: string | null
  readonly message: string | null
  readonly at: string
}

export function createEmptyPayouts(): PayoutsState {
  return { recorded: 0, accounts: {} }
}

export function toKey(text: string): string {
  return JSON.stringify(text)
}
