import type { RequestFault } from './rules.ts'

/** Statuses and titles are in src/refusals-money.ts. */
export type RedemptionRefusal =
  | RequestFault
  | 'redemption_not_found'
  | 'redemption_conflict'
  | 'redemption_status'
  | 'redemption_method_not_allowed'
  | 'redemption_approved_by_you'
  | 'amount_invalid'
  | 'destination_not_found'
  | 'destination_missing'
  | 'destination_cooling_down'
  | 'destination_invalid'
  | 'payer_missing'
  | 'payout_file_not_found'
  | 'payout_file_gone'
  | 'payout_file_empty'
  | 'payout_file_invalid'
  | 'payout_answer_unreadable'
