import type { Balances } from '../../ledger/index.ts'
import type { MoneyLimits, PayoutMethod, Publisher } from '../../tenants/publishers/index.ts'

/**
 * The life cycle of a redemption.
 *
 * A user requests available money. The redemption is `requested`, and the amount is held so that it cannot be requested
 * twice. Once enough people have approved it, or if none need to, it is `approved`. It is `sent` once the payer has
 * been notified: the publisher by the event itself, the bank by a file or a call, the gift card supplier by an order.
 * Until then, it can be canceled. A sent redemption becomes `paid` or `failed`. If the payment comes back later, the
 * redemption is `returned`.
 *
 *     requested ──> approved ──> sent ──> paid ──> returned
 *         └───────────┴─> cancelled  └─> failed
 *
 * Held money leaves only with `paid`. It is released with `failed` and `cancelled`, and credited again with `returned`.
 * In each case the money first repays the user's debt, because a purchase may have been refunded in the meantime.
 */
export const STATUSES = ['requested', 'approved', 'sent', 'paid', 'failed', 'returned', 'cancelled'] as const
export type RedemptionStatus = (typeof STATUSES)[number]

const NEXT: Readonly<Record<RedemptionStatus, readonly RedemptionStatus[]>> = {
  requested: ['approved', 'cancelled'],
  approved: ['sent', 'cancelled'],
  sent: ['paid', 'failed'],
  paid: ['returned'],
  failed: [],
  returned: [],
  cancelled: [],
}

export function mayBecome(from: RedemptionStatus, to: RedemptionStatus): boolean {
  return NEXT[from].includes(to)
}

/** The statuses in which money is held. */
export const OPEN: readonly RedemptionStatus[] = ['requested', 'approved', 'sent']

export function isOpen(status: RedemptionStatus): boolean {
  return OPEN.includes(status)
}

/**
 * The reasons why a redemption is not paid out: canceled by the publisher, declined by an operator, a destination that
 * does not exist or is closed, or anything else.
 */
export const REASONS = ['cancelled', 'declined', 'destination_invalid', 'not_paid'] as const
export type Reason = (typeof REASONS)[number]

/**
 * The outcomes that a payer can report. `unpaid` means that the user does not have the money, either because it was
 * never paid or because it was returned.
 */
const OUTCOMES = ['paid', 'failed', 'returned', 'unpaid'] as const
export type ReportedOutcome = (typeof OUTCOMES)[number]

/**
 * Returns the status after an outcome, the current status if the outcome is already recorded, or null if the outcome
 * contradicts it. `paid` does not change a returned redemption, because an old response may be read again.
 */
export function deriveStatusAfter(status: RedemptionStatus, outcome: ReportedOutcome): RedemptionStatus | null {
  const to = outcome === 'unpaid' ? (status === 'paid' || status === 'returned' ? 'returned' : 'failed') : outcome
  if (to === status || (to === 'paid' && status === 'returned')) return status
  return mayBecome(status, to) ? to : null
}

/** Amounts are in the currency of the redemption. */
type Limits = Pick<MoneyLimits, 'redemptionMinimum' | 'redemptionUserDayMax'> &
  Pick<Publisher, 'redemptionUserDayCount'>
/** The user's redemptions today: the amount in one currency, in minor units, and the count across all currencies. */
export type UsedToday = { readonly amount: bigint; readonly count: number }

export type RequestFault = 'balance_insufficient' | 'redemption_below_minimum' | 'redemption_limit_reached'

/** Returns true if there is a limit on what a user can redeem per day. */
export function hasDayLimit({
  redemptionUserDayMax,
  redemptionUserDayCount,
}: Pick<Limits, 'redemptionUserDayMax' | 'redemptionUserDayCount'>): boolean {
  return redemptionUserDayMax !== null || redemptionUserDayCount !== null
}

/** Returns the reason why this amount cannot be redeemed now, or null. */
export function findRequestFault(
  amount: bigint,
  { available }: Balances,
  used: UsedToday,
  { redemptionMinimum, redemptionUserDayMax, redemptionUserDayCount }: Limits,
): RequestFault | null {
  if (amount > available || amount <= 0n) return 'balance_insufficient'
  if (amount < redemptionMinimum) return 'redemption_below_minimum'
  if (redemptionUserDayMax !== null && used.amount + amount > redemptionUserDayMax) return 'redemption_limit_reached'
  if (redemptionUserDayCount !== null && used.count + 1 > redemptionUserDayCount) return 'redemption_limit_reached'
  return null
}

/** Returns how many different people must approve an amount. */
export function countApprovals(
  amount: bigint,
  {
    redemptionReviewAbove,
    redemptionTwoPeopleAbove,
  }: Pick<MoneyLimits, 'redemptionReviewAbove' | 'redemptionTwoPeopleAbove'>,
): number {
  if (redemptionTwoPeopleAbove !== null && amount > redemptionTwoPeopleAbove) return 2
  return redemptionReviewAbove !== null && amount > redemptionReviewAbove ? 1 : 0
}

/** Returns false for gift cards, which are revealed to the user and need no account. */
export function usesDestination(method: PayoutMethod): boolean {
  return method !== 'gift_card'
}

/**
 * Returns true for methods in which a bank pays, because a bank needs an account to pay to. A publisher may have other
 * ways to pay.
 */
export function needsBankAccount(method: PayoutMethod): boolean {
  return method === 'file' || method === 'simulated'
}

/**
 * Returns the statuses that a redemption passes through upon approval. The event itself requests payment from the
 * publisher, and a gift card is ordered in the same commit, so both are `sent` immediately. Bank payments are sent
 * later.
 */
export function listApprovalStates(method: PayoutMethod): readonly RedemptionStatus[] {
  return method === 'publisher' || method === 'gift_card' ? ['approved', 'sent'] : ['approved']
}
