export type LeavingRefusal = 'erasure_not_found' | 'erasure_unconfirmed' | 'redemption_under_way' | 'order_under_way'
