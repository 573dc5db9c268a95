import { lookUp, type StoredError } from './state.ts'

/** An error from the provider, rendered as the provider's error body. Clients act only on its code. */
export class ProviderError extends Error {
  readonly type: string
  readonly code: string
  readonly status: number
  readonly displayMessage: string | null

  constructor(code: ProviderErrorCode, message: string)
  /** Wraps an item's stored error, which is thrown by calls that need a working item. */
  constructor(error: StoredError)
  constructor(fault: ProviderErrorCode | StoredError, message = '') {
    const stored = typeof fault === 'string' ? null : fault
    super(stored?.error_message ?? message)
    this.name = 'ProviderError'
    this.code = typeof fault === 'string' ? fault : fault.error_code
    const [type, status] = typeof fault === 'string' ? KINDS[fault] : ([fault.error_type, 400] as const)
    this.type = type
    this.status = status
    this.displayMessage = stored === null ? (DISPLAY_MESSAGES[this.code] ?? null) : stored.display_message
  }
}

/** An error from the simulator itself, in the control interface and on its pages. */
export class ControlError extends Error {
  readonly status: 400 | 403 | 404 | 409
  readonly code: string

  constructor(status: 400 | 403 | 404 | 409, code: string, message: string) {
    super(message)
    this.name = 'ControlError'
    this.status = status
    this.code = code
  }
}

const KINDS = {
  INTERNAL_SERVER_ERROR: ['API_ERROR', 500],
  INVALID_ACCESS_TOKEN: ['INVALID_INPUT', 400],
  INVALID_ACCOUNT_ID: ['INVALID_INPUT', 400],
  INVALID_API_KEYS: ['INVALID_INPUT', 400],
  INVALID_BODY: ['INVALID_REQUEST', 400],
  INVALID_CREDENTIALS: ['ITEM_ERROR', 400],
  INVALID_FIELD: ['INVALID_REQUEST', 400],
  INVALID_INSTITUTION: ['INVALID_INPUT', 400],
  INVALID_LINK_TOKEN: ['INVALID_INPUT', 400],
  INVALID_PUBLIC_TOKEN: ['INVALID_INPUT', 400],
  INVALID_WEBHOOK_VERIFICATION_KEY_ID: ['INVALID_INPUT', 400],
  ITEM_NOT_FOUND: ['ITEM_ERROR', 400],
  MISSING_FIELDS: ['INVALID_REQUEST', 400],
  NOT_FOUND: ['INVALID_REQUEST', 404],
  SANDBOX_WEBHOOK_INVALID: ['SANDBOX_ERROR', 400],
  TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION: ['TRANSACTIONS_ERROR', 400],
  UNKNOWN_FIELDS: ['INVALID_REQUEST', 400],
} as const satisfies Record<string, readonly [type: string, status: number]>

type ProviderErrorCode = keyof typeof KINDS

/** Only errors that end users can resolve have a message for them. */
const DISPLAY_MESSAGES: Readonly<Record<string, string>> = {
  INVALID_CREDENTIALS: 'The username or password is not right. Please try again.',
  ITEM_LOCKED: 'The bank has locked this sign-in. Please unlock it at the bank.',
  ITEM_LOGIN_REQUIRED: 'Your sign-in at this bank has changed. Please sign in again to continue.',
  PASSWORD_RESET_REQUIRED: 'The bank requires a new password. Please set one at the bank, then sign in again.',
  USER_PERMISSION_REVOKED: 'The bank says that you no longer share your accounts. Please connect the bank again.',
}

/** Maps error codes to the provider's error types. The first match wins. */
const TYPES: readonly (readonly [codes: RegExp, type: string])[] = [
  [/_LIMIT$|^RATE_LIMIT/, 'RATE_LIMIT_EXCEEDED'],
  [/^(INTERNAL_SERVER_ERROR|PLANNED_MAINTENANCE)$/, 'API_ERROR'],
  [/^INSTITUTION_|^UNSUPPORTED_RESPONSE$|^UNAUTHORIZED_INSTITUTION$/, 'INSTITUTION_ERROR'],
  [/^(MISSING_FIELDS|UNKNOWN_FIELDS|INVALID_FIELD|INVALID_BODY|NOT_FOUND|SANDBOX_ONLY)$/, 'INVALID_REQUEST'],
  [/^TRANSACTIONS_/, 'TRANSACTIONS_ERROR'],
  [/^INVALID_(CREDENTIALS|MFA|UPDATED_USERNAME)$/, 'ITEM_ERROR'],
  [/^(INVALID|UNAUTHORIZED)_/, 'INVALID_INPUT'],
]

export function getErrorType(code: string): string {
  return TYPES.find(([codes]) => codes.test(code))?.[1] ?? 'ITEM_ERROR'
}

/**
 * Builds an item's error as it appears in /item/get, failed calls and webhooks. Unknown codes are allowed, because the
 * provider may add new ones at any time.
 */
export function buildStoredError(code: string): StoredError {
  return {
    error_type: getErrorType(code),
    error_code: code,
    error_message: `the item cannot be updated: ${code.toLowerCase().replaceAll('_', ' ')}`,
    display_message: lookUp(DISPLAY_MESSAGES, code) ?? null,
  }
}

export const LOGIN_REQUIRED: StoredError = {
  ...buildStoredError('ITEM_LOGIN_REQUIRED'),
  error_message: 'the login of this item is no longer valid; repair it through update mode',
}
