import { HOUR_MS, MINUTE_MS } from '../platform/calendar.ts'

/**
 * The effects of an attempt. A delivery is pending until an attempt succeeds (delivered) or the last one fails
 * (exhausted). An endpoint is enabled until it responds with 410 (disabled) or has only failed for days (paused); its
 * owner can enable it again.
 */

const SECOND_MS = 1000

/** The wait before each attempt: ten attempts over 75 hours and 35 minutes, as Standard Webhooks recommends. */
export const WAITS_MS: readonly number[] = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]
// Spreads retries after an outage, so that deliveries that failed together are not retried together.
const JITTER = 0.2
// The longest delay that a receiver may ask for.
const RETRY_AFTER_MAX_MS = 24 * HOUR_MS
const THROTTLE_MAX_MS = HOUR_MS
// Longer than the whole retry plan: an endpoint is paused only after a delivery is exhausted.
const PAUSE_AFTER_MS = 5 * 24 * HOUR_MS
const PAUSE_AFTER_FAILURES = 10
export const OLD_SECRET_MS = 24 * HOUR_MS

/** Why an attempt failed. A closed list: texts of receivers and libraries are never shown. */
export type AttemptError =
  | 'timeout'
  | 'address_refused'
  | 'name_not_resolved'
  | 'connection_refused'
  | 'connection_lost'
  | 'tls_failed'
  | 'network_error'
  | 'redirect'
  | 'status_not_2xx'

export type AttemptOutcome = {
  readonly responseStatus: number | null
  readonly error: AttemptError | null
  readonly retryAfter: string | null
}

export type DeliveryState = {
  readonly status: 'pending' | 'delivered' | 'exhausted'
  readonly attempts: number
  readonly nextAttemptAt: Date | null
}

/** @param random a number from 0 to 1 for the jitter */
export function verdictOn(outcome: AttemptOutcome, attemptsBefore: number, now: Date, random: number): DeliveryState {
  const attempts = attemptsBefore + 1
  if (outcome.error === null) return { status: 'delivered', attempts, nextAttemptAt: null }
  const waitMs = WAITS_MS[attempts]
  if (waitMs === undefined) return { status: 'exhausted', attempts, nextAttemptAt: null }
  const askedMs = Math.min(retryAfterMs(outcome.retryAfter, now), RETRY_AFTER_MAX_MS)
  const plannedMs = Math.round(waitMs * (1 + JITTER * random))
  return { status: 'pending', attempts, nextAttemptAt: new Date(now.getTime() + Math.max(plannedMs, askedMs)) }
}

/** Retry-After in seconds or as an HTTP date; 0 when it is missing or unreadable. */
export function retryAfterMs(text: string | null, now: Date): number {
  if (text === null) return 0
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * SECOND_MS
  const until = Date.parse(text)
  return Number.isNaN(until) ? 0 : Math.max(0, until - now.getTime())
}

export type EndpointStatus = 'enabled' | 'paused' | 'disabled'

export type Health = {
  readonly status: EndpointStatus
  readonly failures: number
  readonly failingSince: Date | null
  readonly throttledUntil: Date | null
}

/**
 * The health of an endpoint after one more attempt. One success resets it; 410 means that the endpoint no longer
 * exists.
 */
export function healthAfter(health: Health, outcome: AttemptOutcome, at: Date): Health {
  if (outcome.error === null) return { ...health, failures: 0, failingSince: null, throttledUntil: null }
  const failures = health.failures + 1
  const failingSince = health.failingSince ?? at
  const worn =
    health.status === 'enabled' &&
    failures >= PAUSE_AFTER_FAILURES &&
    at.getTime() - failingSince.getTime() >= PAUSE_AFTER_MS
  const status = outcome.responseStatus === 410 ? 'disabled' : worn ? 'paused' : health.status
  return { status, failures, failingSince, throttledUntil: throttledUntil(health, outcome, at) }
}

/** 429 is about the sender, not about one event: all deliveries to this endpoint wait as long as requested. */
function throttledUntil(health: Health, outcome: AttemptOutcome, at: Date): Date | null {
  if (outcome.responseStatus !== 429) return health.throttledUntil
  const askedMs = Math.min(retryAfterMs(outcome.retryAfter, at), THROTTLE_MAX_MS)
  return askedMs === 0 ? health.throttledUntil : new Date(at.getTime() + askedMs)
}
