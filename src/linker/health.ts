import type { CardError } from '../cards/index.ts'
import { Refusal } from '../platform/refusal.ts'
import type { LinkerRefusal } from './errors.ts'
import { ProviderFault } from './provider.ts'

/** What the user can repair by signing in again. */
const NEEDS_THE_USER = new Set([
  'ITEM_LOGIN_REQUIRED',
  'ITEM_LOCKED',
  'PASSWORD_RESET_REQUIRED',
  'USER_SETUP_REQUIRED',
  'INVALID_CREDENTIALS',
  'INVALID_MFA',
  'INSUFFICIENT_CREDENTIALS',
  'USER_INPUT_TIMEOUT',
  'ACCESS_NOT_GRANTED',
  'ADDITIONAL_CONSENT_REQUIRED',
  'NO_ACCOUNTS',
  'USER_PERMISSION_REVOKED',
  'ITEM_NOT_FOUND',
  'INVALID_UPDATED_USERNAME',
])
/** Of these, what only a new link repairs; the old item cannot be opened again. */
const NEEDS_A_NEW_LINK = [
  'USER_PERMISSION_REVOKED',
  'ITEM_NOT_FOUND',
  'INVALID_UPDATED_USERNAME',
  'INVALID_ACCESS_TOKEN',
]
/** The bank's or the provider's trouble, or ours: the login itself may be well, so nothing is shown. */
const SAYS_NOTHING = new Set([
  'INSTITUTION_DOWN',
  'INSTITUTION_NOT_RESPONDING',
  'INSTITUTION_NOT_AVAILABLE',
  'UNSUPPORTED_RESPONSE',
  'INTERNAL_SERVER_ERROR',
  'PLANNED_MAINTENANCE',
  'PRODUCT_NOT_READY',
  'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION',
  // Wrong keys break every item at once; that is for the operator, not for every user.
  'INVALID_API_KEYS',
])

/** What a linked card shows for a code that the provider gave for its login. */
export function cardErrorOf(code: string | null): CardError | null {
  if (code === null || SAYS_NOTHING.has(code)) return null
  return NEEDS_THE_USER.has(code) ? 'NEED_AUTHENTICATION' : 'UNKNOWN'
}

/** What a failed call about an item says of its login: undefined when it says nothing either way. */
export function verdictOf(error: unknown): CardError | undefined {
  if (!(error instanceof ProviderFault) || error.kind !== 'refused') return undefined
  return cardErrorOf(error.code) ?? undefined
}

export function needsNewLink(error: unknown): boolean {
  return error instanceof ProviderFault && NEEDS_A_NEW_LINK.includes(error.code)
}

/** What the provider says of a token that is of no use to us. */
export function isTokenRejection(error: unknown): boolean {
  return (
    error instanceof ProviderFault &&
    ['INVALID_PUBLIC_TOKEN', 'INVALID_ACCESS_TOKEN', 'ITEM_NOT_FOUND', 'USER_PERMISSION_REVOKED'].includes(error.code)
  )
}

const RETRY_AFTER_S = 5

/** A fault of the provider as an answer to the publisher. Anything else is passed on as it is. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof ProviderFault)) return error
  const later = { retryAfterSeconds: RETRY_AFTER_S }
  const { code, detail } = {
    refused: { code: 'linker_failed', detail: 'The linking provider did not accept the call.' },
    garbled: { code: 'linker_failed', detail: 'The linking provider gave an answer that cannot be understood.' },
    unavailable: { code: 'linker_unavailable', detail: 'The linking provider is not available; try again.' },
    timeout: { code: 'linker_timeout', detail: 'The linking provider did not answer in time; try again.' },
  }[error.kind]
  return new Refusal<LinkerRefusal>(code as LinkerRefusal, detail, later)
}
