import type { HttpRefusal, RefusalText } from './platform/http/index.ts'
import type { PortalRefusal } from './portal/index.ts'
import type { OperatorRefusal } from './tenants/access/index.ts'
import type { AccountRefusal } from './tenants/accounts/index.ts'
import type { PublisherRefusal } from './tenants/publishers/index.ts'

/** Refusals of unreadable or unauthorized requests, and refusals about sign-ins and settings. */
export const ACCESS: Readonly<
  Record<HttpRefusal | AccountRefusal | PublisherRefusal | PortalRefusal | OperatorRefusal, RefusalText>
> = {
  invalid_input: {
    status: 400,
    title: 'Invalid input',
    cause: 'A parameter or body field is missing or unknown, or has a value that is not allowed.',
    remedy: 'Correct the fields named in errors[]. Each message says what is expected.',
  },
  body_unreadable: {
    status: 400,
    title: 'Malformed body',
    cause: 'The body is empty, truncated, nested too deeply, or not JSON in UTF-8.',
    remedy: 'Send one JSON object. The detail says where parsing failed.',
  },
  address_unreadable: {
    status: 400,
    title: 'Malformed URL',
    cause: 'The URL contains invalid percent-encoding or is too long.',
    remedy: 'Encode each path segment and query value as UTF-8, with encodeURIComponent or its equivalent.',
  },
  request_unreadable: {
    status: 400,
    title: 'Malformed request',
    cause: 'The bytes received are not a valid HTTP request.',
    remedy: 'Use an HTTP/1.1 client, and https for https URLs.',
  },
  chunks_too_small: {
    status: 400,
    title: 'Chunks too small',
    cause: 'The body arrived in too many small chunks.',
    remedy: 'Send a Content-Length, or chunks of at least 64 bytes.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    cause: 'The request was not received in full within the time limit.',
    remedy: 'Send the request again without pausing.',
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    cause: 'The body is larger than this operation accepts: 1 MiB, or 10 MiB for batches.',
    remedy: 'Split the request, for example by dividing a batch into several.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    cause: "The body's Content-Type, charset or Content-Encoding is not supported.",
    remedy: 'Send the body as application/json in UTF-8, uncompressed.',
  },
  head_too_large: {
    status: 431,
    title: 'Headers too large',
    cause: 'The URL and headers together exceed 16 KiB.',
    remedy: 'Send fewer or shorter headers and query parameters.',
  },
  route_not_found: {
    status: 404,
    title: 'No such operation',
    cause: 'No operation exists at this URL.',
    remedy: 'Check the path against the API reference. Paths have no version prefix.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    cause: 'The URL exists but does not support this method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  overloaded: {
    status: 503,
    title: 'Service busy',
    cause: 'The service or its database is busy, starting or stopping. The request was not processed.',
    remedy: 'Retry after the number of seconds in Retry-After. Retry a write with the same Idempotency-Key.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    cause: 'Something went wrong on our side. The error was logged under the request_id in the response.',
    remedy: 'Retry with the same Idempotency-Key. If it fails again, report the request_id.',
  },

  key_missing: {
    status: 401,
    title: 'Missing API key',
    cause: 'The request has no API key.',
    remedy: 'Send the key as `Authorization: Bearer …` or as X-API-Key.',
  },
  key_invalid: {
    status: 401,
    title: 'Invalid API key',
    cause: 'The key is mistyped, was revoked, or belongs to another installation.',
    remedy: 'Use a valid key for this installation. If yours was revoked, ask the operator for a new one.',
  },
  key_expired: {
    status: 401,
    title: 'API key expired',
    cause: 'The key has expired.',
    remedy: 'Ask the operator for a new key. Two keys can be live at the same time, so rotate keys before they expire.',
  },
  key_address_refused: {
    status: 403,
    title: 'API key not allowed from this address',
    cause: 'The key is restricted to certain networks, and the request came from another one.',
    remedy: 'Call from an allowed network, or ask the operator to allow this one.',
  },
  session_ended: {
    status: 401,
    title: 'Session ended',
    cause: 'The browser session has expired, was signed out or was ended elsewhere.',
    remedy: 'Sign in again.',
  },
  origin_refused: {
    status: 403,
    title: 'Cross-site request refused',
    cause: 'A browser sent a write with its session cookie from a page on another site.',
    remedy: "Send writes from this service's own pages, or from your server with an API key.",
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    cause: "The key, or the caller's network if no key was sent, has reached its rate limit.",
    remedy: 'Wait for the number of seconds in Retry-After. The RateLimit headers show how much is left.',
  },

  session_not_found: {
    status: 404,
    title: 'No such session',
    cause: 'The account has no session with this id. It may already have ended.',
    remedy: 'List the sessions again.',
  },
  account_not_found: {
    status: 404,
    title: 'No such account',
    cause: 'You do not manage an account with this id.',
    remedy: 'List the accounts again.',
  },
  sign_in_failed: {
    status: 401,
    title: 'Sign-in failed',
    cause:
      'The email address and password do not match, or the passkey is unknown. The response deliberately ' +
      'does not say which.',
    remedy: 'Try again, or reset the password.',
  },
  sign_in_expired: {
    status: 401,
    title: 'Sign-in timed out',
    cause: 'More than ten minutes passed between the password and the second factor.',
    remedy: 'Start the sign-in again.',
  },
  sign_in_again: {
    status: 403,
    title: 'Recent sign-in required',
    cause: 'Changing credentials requires a recent sign-in, and yours is too old.',
    remedy: 'Sign in again, then repeat the change.',
  },
  code_wrong: {
    status: 400,
    title: 'Wrong code',
    cause: 'The code is wrong, has expired or was used before.',
    remedy: "Enter the current code, and check that your device's clock is correct.",
  },
  password_wrong: {
    status: 400,
    title: 'Wrong password',
    cause: 'The current password is wrong.',
    remedy: 'Enter the current password, or reset it.',
  },
  password_guessable: {
    status: 400,
    title: 'Password too easy to guess',
    cause: 'The new password is too easy to guess.',
    remedy: 'Choose a longer one, such as several unrelated words.',
  },
  attempts_exhausted: {
    status: 429,
    title: 'Too many attempts',
    cause: 'There were too many failed attempts for this account, code or address.',
    remedy: 'Wait for the number of seconds in Retry-After.',
  },
  link_expired: {
    status: 410,
    title: 'Link used or expired',
    cause: 'The link or invitation was already used, was replaced by a newer one, or has expired.',
    remedy: 'Request a new one.',
  },
  totp_on: {
    status: 409,
    title: 'Authenticator app already set up',
    cause: 'The account already has an authenticator app.',
    remedy: 'Remove it first, then set up the new one.',
  },
  email_taken: {
    status: 409,
    title: 'Email address taken',
    cause: 'Another account already uses this email address.',
    remedy: 'Use a different address.',
  },
  account_active: {
    status: 409,
    title: 'Invitation already accepted',
    cause: 'The person has already accepted the invitation, so it cannot be sent again.',
    remedy: 'Ask the person to sign in, or to reset their password.',
  },
  passkey_not_found: {
    status: 404,
    title: 'No such passkey',
    cause: 'The account has no passkey with this id.',
    remedy: 'List the passkeys again.',
  },
  passkey_refused: {
    status: 422,
    title: 'Passkey refused',
    cause: "The device's response could not be verified, or took too long.",
    remedy: 'Start again with new options.',
  },
  passkey_known: {
    status: 409,
    title: 'Passkey already added',
    cause: 'This passkey has already been added.',
    remedy: 'Use it to sign in.',
  },
  passkeys_exhausted: {
    status: 409,
    title: 'Too many passkeys',
    cause: 'The account has reached its maximum number of passkeys.',
    remedy: 'Remove one first.',
  },
  own_account: {
    status: 409,
    title: 'Your own account',
    cause: 'You cannot change your own role or disable your own account.',
    remedy: 'Ask another admin to make the change.',
  },

  publisher_moved: {
    status: 403,
    title: 'Publisher has moved',
    cause: 'This publisher has moved to another installation. Its data here is read-only.',
    remedy: "Use the new installation's URL and keys.",
  },
  scope_missing: {
    status: 403,
    title: 'Missing scope',
    cause: 'The key lacks the scope named in the detail.',
    remedy: "Use a key with that scope. GET /publishers/me lists a key's scopes.",
  },
  sandbox_only: {
    status: 403,
    title: 'Sandbox only',
    cause: 'The publisher is in production, where the clock cannot be advanced and logins cannot be broken.',
    remedy: 'Use a key that starts with lrl_sandbox_.',
  },
  version_unknown: {
    status: 400,
    title: 'Unknown API version',
    cause: 'Laurel-Version specifies an API version that does not exist.',
    remedy: 'Send one of the versions listed in the detail, or omit the header.',
  },
  publisher_not_found: {
    status: 404,
    title: 'No such publisher',
    cause: 'There is no publisher with this id, or the caller may not act for it.',
    remedy: 'Check the id (pub_…) in the path, the body or the Laurel-Publisher header.',
  },
  key_not_found: {
    status: 404,
    title: 'No such key',
    cause: 'There is no active key with this id. It may have been revoked.',
    remedy: 'List the keys again.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency key reused',
    cause: 'The Idempotency-Key was already used with a different path or body.',
    remedy: 'Use a new key for each new request, and reuse a key only to retry the same request.',
  },
  idempotency_key_invalid: {
    status: 400,
    title: 'Invalid idempotency key',
    cause: 'The Idempotency-Key is not 1 to 255 printable ASCII characters.',
    remedy: 'Use a UUID or another short, unique string.',
  },
  setting_invalid: {
    status: 400,
    title: 'Invalid setting',
    cause: 'A setting has an invalid value, or one that contradicts another setting.',
    remedy: 'Correct the field named in errors[].',
  },
  changed_meanwhile: {
    status: 409,
    title: 'Changed by someone else',
    cause: 'A field in `expected` has changed since you read it. Nothing was saved.',
    remedy: 'Review `current`. If you still want to make the change, send it again with `current` as `expected`.',
  },
  currency_unknown: {
    status: 400,
    title: 'Currency not enabled',
    cause: 'This currency is not enabled for the publisher.',
    remedy: 'Use one of the currencies listed by GET /publishers/me, or ask the operator to add it.',
  },
  not_on_list: {
    status: 404,
    title: 'Not on the list',
    cause: 'The value to remove is not on the list.',
    remedy: 'No action is needed, unless the value is mistyped.',
  },

  portal_slug_taken: {
    status: 409,
    title: 'Slug taken',
    cause: 'Another portal has this slug.',
    remedy: 'Choose a different slug.',
  },
  portal_setting_invalid: {
    status: 400,
    title: 'Invalid portal setting',
    cause: "The portal's slug, logo or one of its origins is invalid.",
    remedy: 'Correct the field named in errors[].',
  },

  role_missing: {
    status: 403,
    title: 'Missing role',
    cause: "The operator's role does not permit this operation.",
    remedy: 'Ask someone who has one of the roles listed in the detail.',
  },
  operator_not_found: {
    status: 404,
    title: 'No such operator',
    cause: 'No operator with an active key has this id.',
    remedy: 'List the operators again.',
  },
  operator_name_invalid: {
    status: 400,
    title: 'Invalid operator name',
    cause: "The operator's name is not 1 to 255 printable characters.",
    remedy: 'Use a name on a single line.',
  },
  fact_not_found: {
    status: 404,
    title: 'No such failed fact',
    cause: 'No failed fact has this id. It may have been processed in the meantime.',
    remedy: 'List the failed facts again.',
  },
  contradiction_not_found: {
    status: 404,
    title: 'No such contradiction',
    cause: 'No unacknowledged contradiction has this id. Someone may already have acknowledged it.',
    remedy: 'List the contradictions again.',
  },
}
