export type TransactionRefusal =
  | 'event_conflict'
  | 'transaction_not_found'
  | 'brand_unknown'
  | 'offer_unknown'
  | 'amount_invalid'
  | 'date_invalid'
