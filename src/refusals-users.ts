import type { LeavingRefusal } from './data/erasure/index.ts'
import type { ReportRefusal } from './data/reports/index.ts'
import type { EventRefusal } from './events/index.ts'
import type { RefusalText } from './platform/http/index.ts'
import type { LinkerRefusal } from './purchases/linker/index.ts'
import type { TermsRefusal } from './users/terms/index.ts'
import type { UserRefusal } from './users/users/index.ts'

/** Refusals about users and their terms and cards, and about events and reports. */
export const USERS: Readonly<
  Record<UserRefusal | TermsRefusal | LinkerRefusal | LeavingRefusal | EventRefusal | ReportRefusal, RefusalText>
> = {
  user_not_found: {
    status: 404,
    title: 'No such user',
    cause: 'The publisher has no user with this publisher_user_id.',
    remedy: 'Register the user with POST /users, or correct the identifier. It is case-sensitive.',
  },
  user_already_exists: {
    status: 409,
    title: 'User already exists',
    cause:
      'The publisher already has a user with this publisher_user_id. The response contains their ' +
      'svc_user_id and account_status.',
    remedy:
      'Use the existing user. If they are INACTIVE, reactivate them with POST ' +
      '/users/{publisher_user_id}/reactivate.',
  },
  user_erased: {
    status: 409,
    title: 'User erased',
    cause: 'The user with this identifier was erased, and an erased identifier is never reused.',
    remedy: 'Register the user with a different identifier.',
  },
  user_not_active: {
    status: 409,
    title: 'User not active',
    cause: 'The user is INACTIVE, or PENDING where the operation requires an ACTIVE user.',
    remedy: 'Reactivate an INACTIVE user. A PENDING user must accept the current terms first.',
  },
  user_not_inactive: {
    status: 409,
    title: 'User not inactive',
    cause: 'Only an INACTIVE user can be reactivated, and this user is not INACTIVE.',
    remedy: 'No action is needed.',
  },
  attributes_invalid: {
    status: 400,
    title: 'Invalid attributes',
    cause: 'The attributes are not a JSON object, exceed 16 KiB, or are nested more than five levels deep.',
    remedy: 'Send an object, or an object serialized as a JSON string, within these limits.',
  },

  terms_not_found: {
    status: 404,
    title: 'No such terms',
    cause: 'The publisher has no terms document with this tnc_id.',
    remedy: 'Take the id from GET /terms.',
  },
  terms_not_published: {
    status: 404,
    title: 'No terms published',
    cause: 'No terms and conditions have been published yet.',
    remedy: 'Ask the operator to publish them.',
  },
  terms_superseded: {
    status: 409,
    title: 'Terms superseded',
    cause: 'A newer revision, which is now required, has replaced these terms.',
    remedy: 'Show the user the document from GET /terms, and accept that one.',
  },
  terms_revision_exists: {
    status: 409,
    title: 'Revision exists',
    cause: 'A document with this revision has already been published.',
    remedy: 'Use a different revision for the new document.',
  },

  link_not_found: {
    status: 404,
    title: 'No linked card at this institution',
    cause: 'The user has no linked card at this institution.',
    remedy: 'List the linked cards. To link a card for the first time, use GET /linker/link-token/{publisher_user_id}.',
  },
  institution_not_found: {
    status: 404,
    title: 'Unknown institution',
    cause: 'There is no logo for an institution with this id.',
    remedy: 'Use the logo_url of a linked institution.',
  },
  redirect_uri_not_allowed: {
    status: 400,
    title: 'Redirect URI not allowed',
    cause: "The redirect_uri is not https, has a query string, or is not on the publisher's list.",
    remedy: 'Ask the operator to add it to the list.',
  },
  android_package_not_allowed: {
    status: 400,
    title: 'Android package not allowed',
    cause: "The android_package_name is not on the publisher's list.",
    remedy: 'Ask the operator to add it to the list.',
  },
  redirect_uri_and_android_package: {
    status: 400,
    title: 'Only one return address allowed',
    cause: 'Both redirect_uri and android_package_name were sent.',
    remedy: 'Send redirect_uri for browsers and iOS, or android_package_name for Android.',
  },
  account_already_linked: {
    status: 409,
    title: 'Account linked by another user',
    cause: 'Another user of the publisher has already linked this account.',
    remedy: 'The other user must unlink it first.',
  },
  linker_token_rejected: {
    status: 422,
    title: 'Token rejected by the provider',
    cause:
      'The linking provider rejected the token. It was already used, has expired, or belongs to another ' +
      'environment.',
    remedy: 'Get a new link token and link again.',
  },
  linker_not_configured: {
    status: 503,
    title: 'Card linking is not set up',
    cause: 'The service has no suitable account with the linking provider, or the account lacks a feature.',
    remedy: 'Ask the operator to set it up. Retrying will not help.',
  },
  linker_failed: {
    status: 502,
    title: 'Invalid response from the provider',
    cause: 'The linking provider returned an invalid response.',
    remedy: 'Retry later. If the error persists, report the request_id.',
  },
  linker_unavailable: {
    status: 503,
    title: 'Provider unavailable',
    cause: 'The linking provider is failing, unreachable, or rate-limiting our calls.',
    remedy: 'Retry after the number of seconds in Retry-After.',
  },
  linker_timeout: {
    status: 504,
    title: 'Provider timeout',
    cause: 'The linking provider did not respond in time.',
    remedy: 'Retry later.',
  },
  webhook_unverified: {
    status: 401,
    title: 'Signature not verified',
    cause: 'The webhook was not signed by the linking provider.',
    remedy: 'Only the provider may call this operation.',
  },
  provider_account_in_use: {
    status: 409,
    title: 'Provider account in use',
    cause: 'Linked logins are read through this account at the provider.',
    remedy: 'Keep the account until those logins are unlinked.',
  },
  refund_not_found: {
    status: 404,
    title: 'No such unmatched refund',
    cause: 'There is no unmatched refund with this id.',
    remedy: 'List the unmatched refunds again.',
  },
  refund_settled: {
    status: 409,
    title: 'Refund already settled',
    cause: 'Someone has already assigned or dismissed this refund. The detail says who.',
    remedy: 'No action is needed.',
  },
  refund_mismatch: {
    status: 422,
    title: 'Refund does not match this purchase',
    cause: 'This purchase cannot be the one that was refunded. The detail says why.',
    remedy: 'Choose another purchase, or dismiss the refund.',
  },

  erasure_not_found: {
    status: 404,
    title: 'No such erasure',
    cause: 'The publisher has not requested an erasure with this id.',
    remedy: 'Take the id from the response of POST /users/{publisher_user_id}/erase.',
  },
  erasure_unconfirmed: {
    status: 400,
    title: 'Erasure not confirmed',
    cause: 'confirm does not match the identifier in the path.',
    remedy: 'Set confirm to the publisher_user_id in the path.',
  },
  redemption_under_way: {
    status: 409,
    title: 'A redemption is in progress',
    cause: 'The user has a redemption that is neither paid nor failed.',
    remedy: 'Wait for it to finish, or cancel it, then erase the user.',
  },
  order_under_way: {
    status: 409,
    title: 'An order is in progress',
    cause: 'Gift cards that the user ordered have not been delivered yet.',
    remedy: 'Wait until they are delivered, then erase the user.',
  },

  endpoint_not_found: {
    status: 404,
    title: 'No such endpoint',
    cause: 'The publisher has no webhook endpoint with this id.',
    remedy: 'List the endpoints again.',
  },
  delivery_not_found: {
    status: 404,
    title: 'No such delivery',
    cause: 'The publisher has no delivery with this id. It may be past its retention period.',
    remedy: 'List the deliveries again.',
  },
  webhook_url_refused: {
    status: 400,
    title: 'Webhook address refused',
    cause: 'The URL is not an https URL on the public internet. A sandbox may also use loopback.',
    remedy: 'Use an https URL that the service can reach.',
  },
  replay_range_invalid: {
    status: 400,
    title: 'Invalid range',
    cause: 'The range is empty, or starts before the oldest retained event.',
    remedy: 'Correct the field named in errors[].',
  },
  deliveries_waiting: {
    status: 409,
    title: 'Deliveries pending',
    cause: 'The endpoint has too many pending deliveries to add a range.',
    remedy: 'Replay the range once they have been sent, or use POST /webhooks/endpoints/{endpoint_id}/recover.',
  },
  too_many_endpoints: {
    status: 409,
    title: 'Too many endpoints',
    cause: 'The publisher has reached its maximum number of endpoints.',
    remedy: 'Delete an endpoint first.',
  },
  endpoint_not_enabled: {
    status: 409,
    title: 'Endpoint not enabled',
    cause: 'The endpoint is disabled or paused.',
    remedy: 'Enable it first.',
  },
  feed_position_invalid: {
    status: 400,
    title: 'No such position',
    cause: 'The position is after the newest event, or is not a cursor of this feed.',
    remedy: 'Continue from the next_cursor of the last page you processed.',
  },
  feed_restored: {
    status: 409,
    title: 'Restored from a backup',
    cause: 'The database was restored from a backup, so the latest events you read were undone.',
    remedy: 'Continue from resume_after, and treat the events after it as new.',
  },
  events_dropped: {
    status: 410,
    title: 'Events no longer retained',
    cause: 'The events at this position are past their retention period and were deleted.',
    remedy: 'Read the current state of users and transactions, then continue from the position in the detail.',
  },

  report_not_found: {
    status: 404,
    title: 'No such report',
    cause: 'The publisher has no report with this id.',
    remedy: 'List the reports again.',
  },
  report_expired: {
    status: 410,
    title: 'Report file no longer available',
    cause: 'The file has expired, or was removed because a user in it was erased.',
    remedy: 'Order the report again.',
  },
  report_link_expired: {
    status: 410,
    title: 'Link expired',
    cause: 'The download link has expired.',
    remedy: 'Get a new link with GET /reports/{report_id}.',
  },
  report_queue_full: {
    status: 409,
    title: 'Too many pending reports',
    cause: "The publisher's report queue is full.",
    remedy: 'Order the report again when one of the pending reports is ready.',
  },
  report_schedule_not_found: {
    status: 404,
    title: 'No such schedule',
    cause: 'The publisher has no schedule for this report type and period.',
    remedy: 'List the schedules again.',
  },
}
