/** Statuses and titles are in src/refusals-purchases.ts. */
export type GiftCardRefusal =
  | 'offer_unknown'
  | 'offer_not_available'
  | 'denomination_invalid'
  | 'gift_card_order_not_found'
  | 'gift_card_order_conflict'
  | 'gift_card_order_status'
  | 'gift_card_not_found'
  | 'gift_card_status'
  | 'card_revealed'
  | 'gift_card_unavailable'
  | 'gift_card_supplier_missing'
  | 'gift_card_supplier_unavailable'
