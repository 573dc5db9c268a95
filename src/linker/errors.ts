/**
 * With the status and title each has at the edge:
 * link_not_found 404 "Nothing is linked there", institution_not_found 404 "Unknown institution",
 * account_already_linked 409 "Account linked for another user",
 * redirect_uri_not_allowed 400 "Redirect URI not allowed", android_package_not_allowed 400 "Android package not allowed",
 * redirect_uri_and_android_package 400 "One return address only", linker_token_rejected 422 "Token rejected by the provider",
 * linker_failed 502 "The provider answered wrongly", linker_unavailable 503 "The provider is unavailable",
 * linker_timeout 504 "The provider did not answer in time", webhook_unverified 401 "Not the provider's signature",
 * provider_account_in_use 409 "The provider account is in use", refund_not_found 404 "No such open refund",
 * refund_settled 409 "The refund is settled", refund_mismatch 422 "Not the purchase of this refund" (shown to the operator only).
 */
export type LinkerRefusal =
  | 'link_not_found'
  | 'institution_not_found'
  | 'redirect_uri_not_allowed'
  | 'android_package_not_allowed'
  | 'redirect_uri_and_android_package'
  | 'account_already_linked'
  | 'linker_token_rejected'
  | 'linker_failed'
  | 'linker_unavailable'
  | 'linker_timeout'
  | 'webhook_unverified'
  | 'provider_account_in_use'
  | 'refund_not_found'
  | 'refund_settled'
  | 'refund_mismatch'
