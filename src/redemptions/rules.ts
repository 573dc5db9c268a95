import type { Balances } from '../ledger/index.ts'
import type { MoneyLimits, PayoutMethod, Publisher } from '../publishers/index.ts'

/**
 * The life of a redemption.
 *
 * A user asks for money that is available. It is `requested`, and the amount is held, so that it cannot be asked for
 * twice. Once enough people have approved it, or none needs to, it is `approved`. It is `sent` when whoever pays has been
 * told: the publisher by the event itself, the bank by a file or a call, the supplier of gift cards by an order. Until
 * then it can be cancelled. What is sent ends `paid` or `failed`, and a payment can still come back: then it is
 * `returned`.
 *
 *     requested ──> approved ──> sent ──> paid ──> returned
 *         └───────────┴─> cancelled  └─> failed
 *
 * Held money leaves only with `paid`. With `failed` and `cancelled` it is released, and with `returned` it is credited
 * again; both repay the user's debt first, because meanwhile a purchase may have been refunded.
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

/** The money of these is held. */
export const OPEN: readonly RedemptionStatus[] = ['requested', 'approved', 'sent']

export function isOpen(status: RedemptionStatus): boolean {
  return OPEN.includes(status)
}

/**
 * Why a redemption was not paid out: cancelled by the publisher, declined by an operator, the destination does not exist
 * or is closed, or not paid for any other reason.
 */
export const REASONS = ['cancelled', 'declined', 'destination_invalid', 'not_paid'] as const
export type Reason = (typeof REASONS)[number]

/** What whoever pays says. `unpaid`: the money is not with the user, whether it had been paid before or not. */
const OUTCOMES = ['paid', 'failed', 'returned', 'unpaid'] as const
export type ReportedOutcome = (typeof OUTCOMES)[number]

/**
 * The status after an outcome; the same one if that is known already; null if it contradicts what is known. An old
 * answer may be read again, so `paid` says nothing new about money that has come back since.
 */
export function statusAfter(status: RedemptionStatus, outcome: ReportedOutcome): RedemptionStatus | null {
  const to = outcome === 'unpaid' ? (status === 'paid' || status === 'returned' ? 'returned' : 'failed') : outcome
  if (to === status || (to === 'paid' && status === 'returned')) return status
  return mayBecome(status, to) ? to : null
}

/** Amounts are those in the currency of the redemption. */
type Limits = Pick<MoneyLimits, 'redemptionMinimum' | 'redemptionUserDayMax'> &
  Pick<Publisher, 'redemptionUserDayCount'>
/** What the user has redeemed today: the amount in one currency, in minor units, and the number in all. */
export type UsedToday = { readonly amount: bigint; readonly count: number }

export type RequestFault = 'balance_insufficient' | 'redemption_below_minimum' | 'redemption_limit_reached'

/** Whether it matters what the user has redeemed today. */
export function hasDayLimit({
  redemptionUserDayMax,
  redemptionUserDayCount,
}: Pick<Limits, 'redemptionUserDayMax' | 'redemptionUserDayCount'>): boolean {
  return redemptionUserDayMax !== null || redemptionUserDayCount !== null
}

/** Why this amount cannot be redeemed now, or null. */
export function requestFault(
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

/** How many different people must approve an amount. */
export function approvalsFor(
  amount: bigint,
  {
    redemptionReviewAbove,
    redemptionTwoPeopleAbove,
  }: Pick<MoneyLimits, 'redemptionReviewAbove' | 'redemptionTwoPeopleAbove'>,
): number {
  if (redemptionTwoPeopleAbove !== null && amount > redemptionTwoPeopleAbove) return 2
  return redemptionReviewAbove !== null && amount > redemptionReviewAbove ? 1 : 0
}

/** A gift card is shown to the user, who needs no account for it. */
export function usesDestination(method: PayoutMethod): boolean {
  return method !== 'gift_card'
}

/** Banks pay to an account; the publisher may know another way. */
export function needsBankAccount(method: PayoutMethod): boolean {
  return method === 'file' || method === 'simulated'
}

/**
 * The states that an approved redemption goes through at once. The event itself tells the publisher to pay, and the same
 * commit orders a gift card, so there is no time between; a bank is told later.
 */
export function statesOfApproval(method: PayoutMethod): readonly RedemptionStatus[] {
  return method === 'publisher' || method === 'gift_card' ? ['approved', 'sent'] : ['approved']
}
