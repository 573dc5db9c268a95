/**
 * What the bank remembers, as plain data within the simulator's state. Keys from outside are quoted (`keyOf`), so that
 * none is `__proto__`, and none is a number, which would come before the others in the order of an object's members.
 */
export type PayoutsState = {
  /** How many payouts were recorded; numbers them over all accounts. */
  recorded: number
  accounts: Record<string, PayingAccount>
}

export type PayingAccount = {
  readonly account: string
  /** The latest present that a question named. */
  askedAt: string | null
  /** By reference, in the order in which they were recorded. */
  payouts: Record<string, Payout>
  /** Only ever appended to: the sequence of an event is its place, counted from 1. */
  events: PayoutEvent[]
  /** Calls that were answered 503 without being recorded, by reference. */
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

/** What the account's holder asked for; the same again is a repeat. */
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
  /** By the caller's clock. */
  readonly acceptedAt: string
  status: PayoutStatus
  planned: PlannedStep[]
}

/** Without a due time it happens at the next question. */
export type PlannedStep = { readonly type: Outcome; readonly code: string | null; readonly dueAt: string | null }

/** As it is sent. */
export type PayoutEvent = {
  readonly sequence: number
  readonly payout_id: string
  readonly reference: string
  readonly type: Outcome
  readonly code: string | null
  readonly message: string | null
  readonly at: string
}

export function emptyPayouts(): PayoutsState {
  return { recorded: 0, accounts: {} }
}

export function keyOf(text: string): string {
  return JSON.stringify(text)
}
