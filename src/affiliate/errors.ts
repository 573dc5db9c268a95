export type AffiliateRefusal =
  | 'tracking_link_not_found'
  | 'postback_unauthorized'
  | 'postback_invalid'
  | 'network_invalid'
