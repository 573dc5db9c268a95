import { type Amounts, RULE_REASONS, type Terms } from '../../catalog/offers/index.ts'
import type { Day } from '../../platform/calendar.ts'
import type { TransactionId, UserId } from '../../platform/ids.ts'

/**
 * A purchase as publishers see it, derived from its source events, with its reward.
 *
 * PENDING   A reward is accrued, or the purchase's store has yet to be confirmed.
 * EARNED    The reward has matured and is final. Later changes become adjustments: transactions that refer to it.
 * CANCELLED Nothing is earned, for the reason given. A late clearing or a corrected amount makes it PENDING again.
 */
export const STATUSES = ['PENDING', 'EARNED', 'CANCELLED'] as const
type Status = (typeof STATUSES)[number]

export const STATUS_REASONS = [
  ...RULE_REASONS,
  'no_reward_value',
  'unmatched',
  'no_offer',
  'refunded',
  'reversed',
  'declined',
  'authorization_expired',
  'original_unknown',
  'merged',
  'stacked',
  'adjusted',
] as const
export type StatusReason = (typeof STATUS_REASONS)[number]

export type Transaction = {
  readonly userId: UserId
  readonly transactionId: TransactionId
  readonly source: string
  readonly externalId: string
  readonly brandUid: string | null
  readonly matchMethod: string
  readonly merchantName: string | null
  readonly merchantDescriptor: string | null
  readonly orderId: string | null
  readonly accountId: string | null
  readonly currency: string
  readonly amount: bigint
  readonly refunded: bigint
  readonly authorizedAt: Date
  readonly clearedOn: Day | null
  readonly status: Status
  readonly statusReason: StatusReason | null
  readonly offerUid: string | null
  readonly offerType: string | null
  readonly rewardType: string | null
  readonly terms: Terms | null
  /** The amounts posted for this transaction. */
  readonly amounts: Amounts
  readonly availableOn: Day | null
  readonly maturesAt: Date | null
  /** When a pending purchase lapses unless it clears. */
  readonly lapsesAt: Date | null
  readonly earnedAt: Date | null
  readonly adjusts: TransactionId | null
  /** The catalog version that the purchase is judged against; null if it was decided before versions were stored. */
  readonly judgedIn: number | null
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/**
 * Returns the reason why a purchase earns nothing. If a matured reward was clawed back completely, returns the reason
 * for the latest clawback.
 *
 * @param rows the transaction and its adjustments
 */
export function findStatusReason(rows: readonly Transaction[]): StatusReason | null {
  const reason = rows.find(({ adjusts }) => adjusts === null)?.statusReason ?? null
  const left = rows.reduce((sum, { amounts }) => sum + amounts.gross, 0n)
  if (reason !== null || left !== 0n) return reason
  const earned = rows.filter(({ status }) => status === 'EARNED')
  // Ids sort by creation and are unique.
  const [newest] = earned.toSorted((a, b) => (a.transactionId > b.transactionId ? -1 : 1))
  return newest?.statusReason ?? null
}
