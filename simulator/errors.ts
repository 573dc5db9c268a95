import type { StoredError } from './state.ts'

/** The provider's way of saying no; the door turns it into its error body. Clients decide on the code alone. */
export class ProviderError extends Error {
  readonly type: string
  readonly code: ProviderErrorCode
  readonly status: number
  readonly displayMessage: string | null

  constructor(code: ProviderErrorCode, message: string) {
    super(message)
    this.name = 'ProviderError'
    this.code = code
    const [type, status] = KINDS[code]
    this.type = type
    this.status = status
    this.displayMessage = DISPLAY_MESSAGES[code] ?? null
  }
}

/** The simulator's own way of saying no, on the control interface and on its pages. */
export class ControlError extends Error {
  readonly status: 400 | 404 | 409
  readonly code: string

  constructor(status: 400 | 404 | 409, code: string, message: string) {
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
  ITEM_LOGIN_REQUIRED: ['ITEM_ERROR', 400],
  ITEM_NOT_FOUND: ['ITEM_ERROR', 400],
  MISSING_FIELDS: ['INVALID_REQUEST', 400],
  NOT_FOUND: ['INVALID_REQUEST', 404],
  SANDBOX_WEBHOOK_INVALID: ['SANDBOX_ERROR', 400],
  TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION: ['TRANSACTIONS_ERROR', 400],
  UNKNOWN_FIELDS: ['INVALID_REQUEST', 400],
} as const satisfies Record<string, readonly [type: string, status: number]>

export type ProviderErrorCode = keyof typeof KINDS

/** Only what an end user can do something about is worded for one. */
const DISPLAY_MESSAGES: Partial<Record<ProviderErrorCode, string>> = {
  INVALID_CREDENTIALS: 'The username or password is not right. Please try again.',
  ITEM_LOGIN_REQUIRED: 'Your sign-in at this bank has changed. Please sign in again to go on.',
}

/** The error of an item whose login was lost, as /item/get, refused calls and webhooks show it. */
export const LOGIN_REQUIRED: StoredError = {
  error_type: 'ITEM_ERROR',
  error_code: 'ITEM_LOGIN_REQUIRED',
  error_message: 'the login of this item is no longer valid; repair it through update mode',
  display_message: 'Your sign-in at this bank has changed. Please sign in again to go on.',
}
