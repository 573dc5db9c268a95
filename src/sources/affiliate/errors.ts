export type AffiliateRefusal =
  | 'tracking_link_not_found'
  | 'postback_unauthorized'
  | 'postback_invalid'
  | 'postback_not_found'
  | 'postback_settled'
  | 'postback_mismatch'
  | 'network_invalid'
  | 'report_invalid'
