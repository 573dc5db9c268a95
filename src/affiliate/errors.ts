/**
 * Status and title of each, for the table of all refusals:
 * tracking_link_not_found 404 "No such link"; postback_unauthorized 401 "Secret missing or wrong";
 * postback_invalid 400 "Invalid report"; network_invalid 400 "Invalid network".
 */
export type AffiliateRefusal =
  | 'tracking_link_not_found'
  | 'postback_unauthorized'
  | 'postback_invalid'
  | 'network_invalid'
