export type SettlementRefusal =
  | 'payment_not_found'
  | 'payment_conflict'
  | 'payment_not_reversible'
  | 'statement_not_found'
  | 'month_not_over'
  | 'month_out_of_order'
  | 'bookings_open'
