import type { AccountRefusal } from './accounts/index.ts'
import type { AdjustmentRefusal } from './adjustments/index.ts'
import type { AffiliateRefusal } from './affiliate/index.ts'
import type { AllowanceRefusal } from './allowances/index.ts'
import type { CatalogRefusal } from './catalog/index.ts'
import type { ClaimRefusal } from './claims/index.ts'
import type { EventRefusal } from './events/index.ts'
import type { GiftCardRefusal } from './gift-cards/index.ts'
import type { LeavingRefusal } from './leaving/index.ts'
import type { LinkerRefusal } from './linker/index.ts'
import type { OperatorRefusal } from './operators/index.ts'
import type { HttpRefusal } from './platform/http/index.ts'
import type { PortalRefusal } from './portal/index.ts'
import type { PublisherRefusal } from './publishers/index.ts'
import type { ReconciliationRefusal } from './reconciliation/index.ts'
import type { RedemptionRefusal } from './redemptions/index.ts'
import type { ReportRefusal } from './reports/index.ts'
import type { ReviewRefusal } from './reviews/index.ts'
import type { SettlementRefusal } from './settlement/index.ts'
import type { TermsRefusal } from './terms/index.ts'
import type { TransactionRefusal } from './transactions/index.ts'
import type { UserRefusal } from './users/index.ts'

type RefusalCode =
  | HttpRefusal
  | AccountRefusal
  | PublisherRefusal
  | EventRefusal
  | TermsRefusal
  | UserRefusal
  | AffiliateRefusal
  | CatalogRefusal
  | ReviewRefusal
  | AllowanceRefusal
  | TransactionRefusal
  | LinkerRefusal
  | AdjustmentRefusal
  | ClaimRefusal
  | GiftCardRefusal
  | RedemptionRefusal
  | SettlementRefusal
  | ReconciliationRefusal
  | LeavingRefusal
  | ReportRefusal
  | PortalRefusal
  | OperatorRefusal

/** The status and title of each code: a new code without them does not compile. */
export const REFUSALS: Readonly<Record<RefusalCode, { readonly status: number; readonly title: string }>> = {
  invalid_input: { status: 400, title: 'Invalid input' },
  body_unreadable: { status: 400, title: 'Unreadable body' },
  address_unreadable: { status: 400, title: 'Unreadable address' },
  body_too_large: { status: 413, title: 'Body too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  route_not_found: { status: 404, title: 'No such operation' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  overloaded: { status: 503, title: 'Service busy' },
  timeout: { status: 504, title: 'Timed out' },
  internal_error: { status: 500, title: 'Internal error' },

  key_missing: { status: 401, title: 'Missing API key' },
  key_invalid: { status: 401, title: 'Invalid API key' },
  key_expired: { status: 401, title: 'API key expired' },
  key_address_refused: { status: 403, title: 'API key not allowed from this address' },
  session_ended: { status: 401, title: 'Session ended' },
  origin_refused: { status: 403, title: 'Request from another site' },
  session_not_found: { status: 404, title: 'No such session' },
  account_not_found: { status: 404, title: 'No such account' },
  sign_in_failed: { status: 401, title: 'Sign-in failed' },
  sign_in_expired: { status: 401, title: 'Sign-in took too long' },
  sign_in_again: { status: 403, title: 'Sign in again' },
  code_wrong: { status: 400, title: 'Wrong code' },
  password_wrong: { status: 400, title: 'Wrong password' },
  password_guessable: { status: 400, title: 'Password too easy to guess' },
  attempts_exhausted: { status: 429, title: 'Too many attempts' },
  link_expired: { status: 410, title: 'Link used or expired' },
  totp_on: { status: 409, title: 'Authenticator app set up already' },
  email_taken: { status: 409, title: 'E-mail address taken' },
  account_active: { status: 409, title: 'Invitation accepted already' },
  passkey_not_found: { status: 404, title: 'No such passkey' },
  passkey_refused: { status: 422, title: 'Passkey refused' },
  passkey_known: { status: 409, title: 'Passkey added already' },
  passkeys_exhausted: { status: 409, title: 'Too many passkeys' },
  own_account: { status: 409, title: 'Your own account' },
  publisher_moved: { status: 403, title: 'Publisher has moved' },
  scope_missing: { status: 403, title: 'Missing scope' },
  sandbox_only: { status: 403, title: 'Available only in a sandbox' },
  rate_limited: { status: 429, title: 'Too many requests' },
  version_unknown: { status: 400, title: 'Unknown version' },
  publisher_not_found: { status: 404, title: 'No such publisher' },
  key_not_found: { status: 404, title: 'No such key' },
  idempotency_key_reused: { status: 422, title: 'Idempotency key reused' },
  idempotency_key_invalid: { status: 400, title: 'Invalid idempotency key' },
  setting_invalid: { status: 400, title: 'Invalid setting' },
  currency_unknown: { status: 400, title: 'Currency not enabled' },
  not_on_list: { status: 404, title: 'Not on the list' },

  endpoint_not_found: { status: 404, title: 'No such endpoint' },
  delivery_not_found: { status: 404, title: 'No such delivery' },
  webhook_url_refused: { status: 400, title: 'Webhook address refused' },
  replay_range_invalid: { status: 400, title: 'Invalid range' },
  deliveries_waiting: { status: 409, title: 'Deliveries are waiting' },
  too_many_endpoints: { status: 409, title: 'Too many endpoints' },
  feed_position_invalid: { status: 400, title: 'No such position' },
  feed_restored: { status: 409, title: 'Restored from a backup' },
  events_dropped: { status: 410, title: 'Events no longer kept' },
  endpoint_not_enabled: { status: 409, title: 'Endpoint not enabled' },

  terms_not_found: { status: 404, title: 'No such terms' },
  terms_not_published: { status: 404, title: 'No terms published' },
  terms_superseded: { status: 409, title: 'Terms superseded' },
  terms_revision_exists: { status: 409, title: 'Revision exists' },

  user_not_found: { status: 404, title: 'No such user' },
  user_already_exists: { status: 409, title: 'User already exists' },
  erasure_not_found: { status: 404, title: 'No such erasure' },
  erasure_unconfirmed: { status: 400, title: 'Erasure not confirmed' },
  redemption_under_way: { status: 409, title: 'A redemption is in progress' },
  order_under_way: { status: 409, title: 'An order is in progress' },
  user_erased: { status: 409, title: 'User erased' },
  user_not_active: { status: 409, title: 'User not active' },
  user_not_inactive: { status: 409, title: 'User not inactive' },
  attributes_invalid: { status: 400, title: 'Invalid attributes' },

  tracking_link_not_found: { status: 404, title: 'No such link' },
  postback_unauthorized: { status: 401, title: 'Missing or wrong secret' },
  postback_invalid: { status: 400, title: 'Invalid report' },
  postback_not_found: { status: 404, title: 'No such report' },
  postback_settled: { status: 409, title: 'Report already settled' },
  postback_mismatch: { status: 422, title: 'No click for this sale' },
  network_invalid: { status: 400, title: 'Invalid network' },
  statement_unreadable: { status: 400, title: 'Unreadable statement' },
  report_invalid: { status: 400, title: 'Unreadable report' },

  brand_not_found: { status: 404, title: 'No such brand' },
  catalog_invalid: { status: 400, title: 'Invalid catalog' },
  alias_not_found: { status: 404, title: 'No such alias' },
  decider_invalid: { status: 400, title: 'Invalid name' },
  assortment_invalid: { status: 400, title: 'Invalid assortment' },

  review_not_found: { status: 404, title: 'No such review' },
  review_decided: { status: 409, title: 'Already decided' },

  offer_not_available: { status: 409, title: 'Offer not available' },
  codes_exhausted: { status: 409, title: 'No voucher codes left' },

  event_conflict: { status: 409, title: 'Event exists with different content' },
  transaction_not_found: { status: 404, title: 'No such transaction' },
  brand_unknown: { status: 404, title: 'No such brand' },
  offer_unknown: { status: 404, title: 'No such offer' },
  amount_invalid: { status: 400, title: 'Invalid amount' },
  date_invalid: { status: 400, title: 'Invalid date' },
  rematch_not_found: { status: 404, title: 'No such re-match' },
  rematch_unbounded: { status: 400, title: 'No purchases selected' },
  rematch_too_large: { status: 422, title: 'Too many purchases' },
  rematch_undone: { status: 409, title: 'Already undone' },
  rematch_differs: { status: 409, title: 'The result would differ' },

  link_not_found: { status: 404, title: 'Nothing is linked there' },
  institution_not_found: { status: 404, title: 'Unknown institution' },
  redirect_uri_not_allowed: { status: 400, title: 'Redirect URI not allowed' },
  android_package_not_allowed: { status: 400, title: 'Android package not allowed' },
  redirect_uri_and_android_package: { status: 400, title: 'Only one return address allowed' },
  account_already_linked: { status: 409, title: 'Account linked by another user' },
  linker_token_rejected: { status: 422, title: 'Token rejected by the provider' },
  linker_not_configured: { status: 503, title: 'Card linking is not set up' },
  linker_failed: { status: 502, title: 'Unexpected answer from the provider' },
  linker_unavailable: { status: 503, title: 'The provider is unavailable' },
  linker_timeout: { status: 504, title: 'The provider did not answer in time' },
  refund_not_found: { status: 404, title: 'No such unmatched refund' },
  refund_settled: { status: 409, title: 'Refund already settled' },
  refund_mismatch: { status: 422, title: 'Refund does not match this purchase' },
  provider_account_in_use: { status: 409, title: 'The provider account is in use' },
  webhook_unverified: { status: 401, title: 'Signature not verified' },

  adjustment_not_found: { status: 404, title: 'No such adjustment' },
  adjustment_conflict: { status: 409, title: 'Adjustment exists with different content' },
  adjustment_decided: { status: 409, title: 'Already decided' },
  adjustment_proposed_by_you: { status: 409, title: 'Proposed by you' },
  adjustment_invalid: { status: 400, title: 'Invalid adjustment' },
  adjustment_too_large: { status: 409, title: 'Exceeds what the user has or owes' },

  claim_not_found: { status: 404, title: 'No such claim' },
  claim_conflict: { status: 409, title: 'Claim exists with different content' },
  claim_decided: { status: 409, title: 'Already decided' },
  claim_waiting: { status: 409, title: 'Waiting for another person' },
  claim_earns_nothing: { status: 409, title: 'The event earns nothing' },
  claim_above_limit: { status: 409, title: 'Above what one person may grant' },
  claim_notes_full: { status: 409, title: 'Too many notes' },
  denomination_invalid: { status: 422, title: 'Not a denomination of the offer' },
  gift_card_order_not_found: { status: 404, title: 'No such order' },
  gift_card_order_conflict: { status: 409, title: 'Order exists with different content' },
  gift_card_order_status: { status: 409, title: 'Not allowed in this status' },
  gift_card_not_found: { status: 404, title: 'No such card' },
  gift_card_status: { status: 409, title: 'Not allowed in this status' },
  card_revealed: { status: 409, title: 'Code already shown' },
  gift_card_unavailable: { status: 409, title: 'Gift cards not available' },
  gift_card_supplier_missing: { status: 409, title: 'No supplier' },
  gift_card_supplier_unavailable: { status: 503, title: 'Supplier not available' },

  redemption_not_found: { status: 404, title: 'No such redemption' },
  redemption_conflict: { status: 409, title: 'Redemption exists with different content' },
  redemption_status: { status: 409, title: 'Not allowed in this status' },
  redemption_method_not_allowed: { status: 409, title: 'Method not allowed' },
  redemption_below_minimum: { status: 422, title: 'Below the minimum' },
  redemption_limit_reached: { status: 409, title: 'Limit reached' },
  redemption_approved_by_you: { status: 409, title: 'Already approved by you' },
  balance_insufficient: { status: 409, title: 'Insufficient balance' },
  destination_not_found: { status: 404, title: 'No destination' },
  destination_missing: { status: 409, title: 'No payout destination' },
  destination_cooling_down: { status: 409, title: 'Destination changed recently' },
  destination_invalid: { status: 400, title: 'Invalid destination' },
  payer_missing: { status: 409, title: 'No payer configured' },
  payout_file_gone: { status: 409, title: 'Account numbers destroyed' },
  payout_file_not_found: { status: 404, title: 'No such file' },
  payout_file_empty: { status: 409, title: 'Nothing to pay' },
  payout_file_invalid: { status: 400, title: 'Cannot be written in this format' },
  payout_answer_unreadable: { status: 400, title: 'Unreadable answer' },

  payment_not_found: { status: 404, title: 'No such payment' },
  payment_conflict: { status: 409, title: 'Payment exists with different content' },
  payment_not_reversible: { status: 409, title: 'Not reversible' },
  statement_not_found: { status: 404, title: 'No such statement' },
  month_not_over: { status: 409, title: 'Month not over yet' },
  month_out_of_order: { status: 409, title: 'Not the next month' },
  bookings_open: { status: 503, title: 'Bookings in progress' },

  report_not_found: { status: 404, title: 'No such report' },
  report_expired: { status: 410, title: 'Report file no longer available' },
  report_link_expired: { status: 410, title: 'Link expired' },
  report_queue_full: { status: 409, title: 'Too many reports are waiting' },
  report_schedule_not_found: { status: 404, title: 'No such schedule' },

  portal_slug_taken: { status: 409, title: 'Slug taken' },
  portal_setting_invalid: { status: 400, title: 'Invalid setting' },

  role_missing: { status: 403, title: 'Missing role' },
  operator_not_found: { status: 404, title: 'No such operator' },
  operator_name_invalid: { status: 400, title: 'Invalid name' },
  fact_not_found: { status: 404, title: 'No such failed fact' },
  contradiction_not_found: { status: 404, title: 'No such contradiction' },
}
