import { DAY_MS } from '../../../platform/calendar.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { CardError } from '../../../sources/cards/index.ts'
import { FOREIGN_TOKEN, NO_ENVIRONMENT } from '../environments.ts'
import type { LinkerRefusal } from '../errors.ts'
import { ProviderFault } from '../provider.ts'
import codes from './error-codes.json' with { type: 'json' }

/** Codes of logins that need a new link, because the old item cannot be opened again. */
export const NEEDS_NEW_LINK = [
  'USER_PERMISSION_REVOKED',
  'ITEM_NOT_FOUND',
  'INVALID_UPDATED_USERNAME',
  'INVALID_ACCESS_TOKEN',
  FOREIGN_TOKEN,
]
/** Codes that point to our own credentials if they hit many items of an account at the same time. */
export const MAY_BE_OUR_KEYS = ['INVALID_ACCESS_TOKEN', 'INVALID_API_KEYS']
const LIMIT = /(^|_)(RATE_)?LIMIT(_EXCEEDED)?$/

/** Returns the meaning of a code for a login; null if it has none, undefined if the code is unknown. */
function findMeaning(code: string): CardError | null | undefined {
  if (codes.repairedByUser.includes(code)) return 'NEED_AUTHENTICATION'
  if (codes.notRepairedByUser.includes(code) || code.startsWith('UNAUTHORIZED_')) return 'UNKNOWN'
  return codes.notAboutLogin.includes(code) || LIMIT.test(code) ? null : undefined
}

/** Returns the error shown on a linked card for the error code that the provider has stored with its login. */
export function toCardError(code: string | null): CardError | null {
  const meaning = code === null ? null : findMeaning(code)
  return meaning === undefined ? 'UNKNOWN' : meaning
}

/** Returns true if an error stored with a login reveals nothing about it, so its previous state is retained. */
export function isUninformative(code: string | null): boolean {
  return code !== null && findMeaning(code) === null
}

/** Returns true if the login itself is broken, so calls that fail with this code are not retried soon. */
export function isLoginError(code: string | null): boolean {
  return code !== null && typeof findMeaning(code) === 'string'
}

/** Returns the card error that a failed call about an item implies; undefined if it implies none. */
export function judgeError(error: unknown): CardError | undefined {
  if (!(error instanceof ProviderFault)) return undefined
  const meaning = findMeaning(error.code)
  if (meaning !== undefined) return meaning ?? undefined
  // An unknown code is a login error only if the provider classifies it as an item error.
  return error.kind === 'refused' && error.errorType === 'ITEM_ERROR' ? 'UNKNOWN' : undefined
}

// The provider polls a bank one to four times a day.
const STALE_AFTER_MS = 7 * DAY_MS

/** Returns true if a bank has been silent for too long to trust its feed. */
export function isStale(
  { lastUpdatedAt, heardAt }: { readonly lastUpdatedAt: Date | null; readonly heardAt: Date | null },
  present: Date,
): boolean {
  const latestMs = Math.max(lastUpdatedAt?.getTime() ?? 0, heardAt?.getTime() ?? 0)
  return latestMs > 0 && present.getTime() - latestMs > STALE_AFTER_MS
}

/**
 * Returns true if a feed has been unreadable for so long that its login is considered broken, although the provider
 * says it works.
 */
export function isUnreadable(faultSince: Date | null, now: Date): boolean {
  return faultSince !== null && now.getTime() - faultSince.getTime() > STALE_AFTER_MS
}

// The provider gives seven days' notice. A consent that expires in a year needs no warning yet.
const NOTICE_MS = 14 * DAY_MS

/**
 * Returns the deadline for the user to sign in again, from the item or a webhook, whichever is sooner; null if neither
 * is near.
 */
export function findDeadline(
  { consentEndsAt, disconnectsAt }: { readonly consentEndsAt: Date | null; readonly disconnectsAt: Date | null },
  present: Date,
): Date | null {
  const ends = [consentEndsAt, disconnectsAt].filter((end) => end !== null)
  const soon = ends.filter((end) => end.getTime() - present.getTime() <= NOTICE_MS)
  return soon.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null
}

// The item's deadline confirms the webhook's if it is at most this much later.
const SAME_DEADLINE_MS = DAY_MS

type Ends = {
  /** The consent's expiry, as the item reports it now. */
  readonly consentEndsAt: Date | null
  /** The consent's expiry, as the item reported it at the previous check. */
  readonly formerlyEndedAt: Date | null
  readonly disconnectsAt: Date | null
}

/**
 * Returns true if a disconnection announced by a webhook is settled, because the item reports it, reported it at the
 * previous check, or its time has passed.
 */
export function isDisconnectSettled({ consentEndsAt, formerlyEndedAt, disconnectsAt }: Ends, present: Date): boolean {
  if (disconnectsAt === null) return false
  const latestMs = disconnectsAt.getTime() + SAME_DEADLINE_MS
  const isConfirmed = [consentEndsAt, formerlyEndedAt].some((end) => end !== null && end.getTime() <= latestMs)
  return isConfirmed || disconnectsAt < present
}

/** Returns true if a run failed because of limits rather than its item. Such a run does not count as a failure. */
export function wasPostponed(error: unknown): error is ProviderFault {
  return error instanceof ProviderFault && (error.symptom === 'spared' || error.symptom === 'limited')
}

const RETRY_AFTER_S = 5
const REFUSALS = {
  refused: ['linker_failed', 'The linking provider rejected the call.'],
  garbled: ['linker_failed', 'The linking provider returned an invalid response.'],
  unavailable: ['linker_unavailable', 'The linking provider is unavailable. Try again.'],
  timeout: ['linker_timeout', 'The linking provider did not respond in time. Try again.'],
} as const
const NOT_CONFIGURED = [
  'linker_not_configured',
  'This service cannot link cards for production publishers yet. Ask its operator to set that up. Retrying will ' +
    'not help.',
] as const

/** Converts a provider fault to a refusal for the publisher. Returns any other error unchanged. */
export function toRefusal(error: unknown): unknown {
  if (!(error instanceof ProviderFault)) return error
  const [code, detail] = error.code === NO_ENVIRONMENT ? NOT_CONFIGURED : REFUSALS[error.kind]
  return new Refusal<LinkerRefusal>(code, detail, { retryAfterSeconds: error.retryAfterSeconds ?? RETRY_AFTER_S })
}
