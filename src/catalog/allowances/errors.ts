export type AllowanceRefusal = 'offer_unknown' | 'offer_not_available' | 'codes_exhausted' | 'user_not_active'
