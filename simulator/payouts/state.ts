/**
 * The bank's data, as plain data within the simulator's state. External keys are quoted (`toKey`), so that none can be
 * `__proto__` or a number, which would come before the others in the object's key order.
 */
export type PayoutsState = {
  /** The number of payouts recorded across all accounts, which is also the number of the newest payout. */
  recorded: number
  accounts: Record<string, PayingAccount>
}

export type PayingAccount = {
  readonly account: string
  /** The latest time passed by a call; null before the first call. */
  askedAt: string | null
  /** By reference, in recording order. */
  payouts: Record<string, Payout>
  /** Append-only. The sequence number of an event is its position, counted from 1. */
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

/** The content of a request. A repeat must match it. */
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

/** A future outcome. Without a due time, it happens at the next call. */
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
