import { RULE_REASONS } from '../../../catalog/offers/index.ts'

/**
 * The statuses of a transaction:
 *
 * PENDING   A reward is accrued, or the purchase's store has yet to be confirmed.
 * EARNED    The reward has matured and is final. Later changes become adjustments: transactions that refer to it.
 * CANCELLED Nothing is earned, for the reason given. A late clearing or a corrected amount makes it PENDING again.
 */
export const STATUSES = ['PENDING', 'EARNED', 'CANCELLED'] as const

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
