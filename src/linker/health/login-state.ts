import type { CardError } from '../../cards/index.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { LinkerRefusal } from '../errors.ts'
import { ProviderFault } from '../provider.ts'

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
/** What signing in cannot repair: the link or our account is not what it should be. */
const NEEDS_SUPPORT = new Set([
  'INVALID_ACCESS_TOKEN',
  'INVALID_API_KEYS',
  'INVALID_PRODUCT',
  'PRODUCT_NOT_ENABLED',
  'PRODUCTS_NOT_SUPPORTED',
  'ITEM_NOT_SUPPORTED',
  'MFA_NOT_SUPPORTED',
  'INSTITUTION_NO_LONGER_SUPPORTED',
  'INSTITUTION_REGISTRATION_REQUIRED',
  'ITEM_CONCURRENTLY_DELETED',
])
/** Of these, what is our own fault when it hits many items of an account at once. */
export const MAY_BE_OUR_KEYS = ['INVALID_ACCESS_TOKEN', 'INVALID_API_KEYS'] as const
/** The bank's or the provider's trouble: the login itself may be well, so nothing is shown for it. */
const SAYS_NOTHING = new Set([
  'INSTITUTION_DOWN',
  'INSTITUTION_NOT_RESPONDING',
  'INSTITUTION_NOT_AVAILABLE',
  'UNSUPPORTED_RESPONSE',
  'INTERNAL_SERVER_ERROR',
  'PLANNED_MAINTENANCE',
  'PRODUCT_NOT_READY',
  'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION',
  // One account of several; which of them are left is asked for.
  'INVALID_ACCOUNT_ID',
])
const LIMIT = /(^|_)(RATE_)?LIMIT(_EXCEEDED)?$/

/** What a known code says of a login: null for nothing; undefined for an unknown code. */
function meaningOf(code: string): CardError | null | undefined {
  if (NEEDS_THE_USER.has(code)) return 'NEED_AUTHENTICATION'
  if (NEEDS_SUPPORT.has(code) || code.startsWith('UNAUTHORIZED_')) return 'UNKNOWN'
  return SAYS_NOTHING.has(code) || LIMIT.test(code) ? null : undefined
}

/** What a linked card shows for the code of the error that the provider has stored with its login. */
export function cardErrorOf(code: string | null): CardError | null {
  const meaning = code === null ? null : meaningOf(code)
  // An error stored with a login is about the login.
  return meaning === undefined ? 'UNKNOWN' : meaning
}

/** Whether an error stored with a login says nothing about it, so that what was known before still counts. */
export function saysNothing(code: string | null): boolean {
  return code !== null && meaningOf(code) === null
}

/** Whether the login itself does not work, so that calls that fail with this code are not retried soon. */
export function breaksLogin(code: string | null): boolean {
  return code !== null && (meaningOf(code) ?? null) !== null
}

/** What a failed call about an item says of its login; undefined for nothing. */
export function verdictOf(error: unknown): CardError | undefined {
  if (!(error instanceof ProviderFault)) return undefined
  const meaning = meaningOf(error.code)
  if (meaning !== undefined) return meaning ?? undefined
  // A call that was refused for how it was made says nothing of the login.
  return error.kind === 'refused' && error.errorType === 'ITEM_ERROR' ? 'UNKNOWN' : undefined
}

// The provider asks a bank one to four times a day.
const STALE_AFTER_MS = 7 * 86_400_000

/** Whether a bank has been silent for too long to count its cards as watched, whatever it answers. */
export function isStale(
  { lastUpdatedAt, heardAt }: { readonly lastUpdatedAt: Date | null; readonly heardAt: Date | null },
  present: Date,
): boolean {
  const latestMs = Math.max(lastUpdatedAt?.getTime() ?? 0, heardAt?.getTime() ?? 0)
  return latestMs > 0 && present.getTime() - latestMs > STALE_AFTER_MS
}

// The provider gives seven days' notice; a consent that ends in a year needs no warning yet.
const NOTICE_MS = 14 * 86_400_000

/** When the user must have signed in again: what the item or a webhook says, whichever is sooner. Null while nothing ends soon. */
export function deadlineOf(
  { consentEndsAt, disconnectsAt }: { readonly consentEndsAt: Date | null; readonly disconnectsAt: Date | null },
  present: Date,
): Date | null {
  const ends = [consentEndsAt, disconnectsAt].filter((end) => end !== null)
  const soon = ends.filter((end) => end.getTime() - present.getTime() <= NOTICE_MS)
  return soon.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null
}

// Item and webhook may state the same deadline with this much difference.
const SAME_DEADLINE_MS = 86_400_000

type Ends = {
  /** As the item says. */
  readonly consentEndsAt: Date | null
  /** As the item said when it was asked before. */
  readonly formerlyEndedAt: Date | null
  readonly disconnectsAt: Date | null
}

/**
 * Whether a disconnection that a webhook announced is settled: the item itself states when it ends, or did so before and no
 * longer does; or the instant has passed and the login works.
 */
export function isDisconnectSettled({ consentEndsAt, formerlyEndedAt, disconnectsAt }: Ends, present: Date): boolean {
  if (disconnectsAt === null) return false
  const latestMs = disconnectsAt.getTime() + SAME_DEADLINE_MS
  const isConfirmed = [consentEndsAt, formerlyEndedAt].some((end) => end !== null && end.getTime() <= latestMs)
  return isConfirmed || disconnectsAt < present
}

/** Whether a run failed through no fault of its item, so that it counts as not made. */
export function postponedBy(error: unknown): error is ProviderFault {
  return error instanceof ProviderFault && (error.symptom === 'spared' || error.symptom === 'limited')
}

export function needsNewLink(error: unknown): boolean {
  return error instanceof ProviderFault && NEEDS_A_NEW_LINK.includes(error.code)
}

/** Whether the provider rejects the token itself. */
export function isTokenRejection(error: unknown): boolean {
  return (
    error instanceof ProviderFault &&
    ['INVALID_PUBLIC_TOKEN', 'INVALID_ACCESS_TOKEN', 'ITEM_NOT_FOUND', 'USER_PERMISSION_REVOKED'].includes(error.code)
  )
}

const RETRY_AFTER_S = 5

/** A fault of the provider as a refusal for the publisher. Any other error is returned as it is. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof ProviderFault)) return error
  const later = { retryAfterSeconds: error.retryAfterSeconds ?? RETRY_AFTER_S }
  const { code, detail } = {
    refused: { code: 'linker_failed', detail: 'The linking provider did not accept the call.' },
    garbled: { code: 'linker_failed', detail: 'The linking provider gave an answer that cannot be understood.' },
    unavailable: { code: 'linker_unavailable', detail: 'The linking provider is not available; try again.' },
    timeout: { code: 'linker_timeout', detail: 'The linking provider did not answer in time; try again.' },
  }[error.kind]
  return new Refusal<LinkerRefusal>(code as LinkerRefusal, detail, later)
}
