import type { Amounts, Terms } from '../offers/index.ts'
import type { Day } from '../platform/calendar.ts'
import type { TransactionId, UserId } from '../platform/ids.ts'

/**
 * A transaction is what publishers see of a purchase: derived from its source events, with the reward it earns.
 *
 * PENDING   a reward is accrued, or the purchase is held until its place is confirmed
 * EARNED    the reward has matured; final. What comes later is carried by a further transaction that adjusts this one
 * CANCELLED nothing is earned; the reason says why. A late clearing or a corrected amount can bring it back to PENDING
 */
type Status = 'PENDING' | 'EARNED' | 'CANCELLED'

export const STATUS_REASONS = [
  'user_inactive',
  'terms_not_accepted',
  'source_not_eligible',
  'card_not_linked',
  'before_card_linked',
  'offer_not_started',
  'offer_ended',
  'outside_days',
  'outside_hours',
  'currency_mismatch',
  'below_min_spend',
  'offer_already_used',
  'not_activated',
  'user_limit_reached',
  'budget_exhausted',
  'voucher_code_used',
  'not_a_new_customer',
  'not_a_lapsed_customer',
  'voucher_code_mismatch',
  'denomination_mismatch',
  'channel_not_eligible',
  'location_unconfirmed',
  'store_not_participating',
  'no_commission_group',
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
] as const satisfies readonly string[]
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
  /** What is posted for this row. */
  readonly amounts: Amounts
  readonly availableOn: Day | null
  readonly maturesAt: Date | null
  /** When a pending purchase that has not cleared lapses. */
  readonly lapsesAt: Date | null
  readonly earnedAt: Date | null
  readonly adjusts: TransactionId | null
  /** The version of the catalog by which the purchase is judged; null: decided before versions were kept. */
  readonly judgedIn: number | null
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}
