import { HOUR_MS, MINUTE_MS } from '../platform/calendar.ts'

/**
 * The effects of an attempt. A delivery is pending until an attempt succeeds (delivered) or the last one fails
 * (exhausted). An attempt before its planned time is extra: it is made because the endpoint recovered, or because the
 * endpoint's owner or the receiver (through Retry-After) requested it. A failed extra attempt leaves the plan
 * unchanged. An endpoint is enabled until it responds with 410 (disabled) or has failed for days without a success
 * (paused). Its owner can enable it again.
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
// The longest delay a receiver may request, and how many times it may request a shorter one than planned. Without the
// second limit, a receiver that is down behind a proxy that always answers "1 second" would be called thousands of
// times.
const RETRY_AFTER_MAX_MS = 24 * HOUR_MS
const SOONER_MAX = 10
// The database column's maximum. Attempts are spaced far enough apart for the plan to end first. Beyond this number,
// every attempt counts as planned.
const EXTRA_MAX = 32_767
const THROTTLE_MAX_MS = HOUR_MS
// Longer than the entire retry plan, so an endpoint is paused only after a delivery is exhausted.
const PAUSE_AFTER_MS = 5 * 24 * HOUR_MS
const PAUSE_AFTER_FAILURES = 10
// After a shorter outage, deliveries are still in the plan's first wait, which is equally short.
const RECOVERED_AFTER_MS = 5 * SECOND_MS
export const OLD_SECRET_MS = 24 * HOUR_MS

/** The reason an attempt failed. A closed list, because messages from receivers and libraries are never displayed. */
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
  /** The beginning of the receiver's response; null if it is empty or must not be displayed. */
  readonly answer: string | null
  /** True if only the success or failure of the call may be displayed. */
  readonly isHidden: boolean
}

type Tries = {
  /** All attempts, including extra ones. */
  readonly attempts: number
  readonly extraAttempts: number
  /** The time of the next planned attempt; null before the first and after the last. */
  readonly plannedAt: Date | null
}

export type DeliveryState = Tries & {
  readonly status: 'pending' | 'delivered' | 'exhausted'
  readonly nextAttemptAt: Date | null
}

/** @param random a number from 0 to 1 for the jitter */
export function decideDelivery(outcome: AttemptOutcome, before: Tries, now: Date, random: number): DeliveryState {
  const isExtra = before.plannedAt !== null && now < before.plannedAt && before.extraAttempts < EXTRA_MAX
  const tries = { attempts: before.attempts + 1, extraAttempts: before.extraAttempts + (isExtra ? 1 : 0) }
  const finished = { ...tries, plannedAt: null, nextAttemptAt: null }
  if (outcome.error === null) return { ...finished, status: 'delivered' }
  const waitMs = WAITS_MS[tries.attempts - tries.extraAttempts]
  const plannedAt = isExtra
    ? before.plannedAt
    : waitMs === undefined
      ? null
      : after(now, waitMs * (1 + JITTER * random))
  if (plannedAt === null) return { ...finished, status: 'exhausted' }
  const askedMs = Math.min(retryAfterMs(outcome.retryAfter, now), RETRY_AFTER_MAX_MS)
  const askedAt = askedMs === 0 ? plannedAt : after(now, askedMs)
  const isGranted = askedAt >= plannedAt || tries.extraAttempts < SOONER_MAX
  return { ...tries, status: 'pending', plannedAt, nextAttemptAt: isGranted ? askedAt : plannedAt }
}

function after(now: Date, ms: number): Date {
  return new Date(now.getTime() + Math.round(ms))
}

/** Parses Retry-After, given in seconds or as an HTTP date; 0 if it is missing or invalid. */
export function retryAfterMs(text: string | null, now: Date): number {
  if (text === null) return 0
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * SECOND_MS
  const until = Date.parse(text)
  return Number.isNaN(until) ? 0 : Math.max(0, until - now.getTime())
}

export const ENDPOINT_STATUSES = ['enabled', 'paused', 'disabled'] as const
type EndpointStatus = (typeof ENDPOINT_STATUSES)[number]

export type Health = {
  readonly status: EndpointStatus
  readonly failures: number
  readonly failingSince: Date | null
  readonly throttledUntil: Date | null
  /**
   * When the endpoint was last found, or declared, to be working again; null once every delivery that waited for it is
   * due.
   */
  readonly recoveredAt: Date | null
}

type EndpointAttempt = { readonly outcome: AttemptOutcome; readonly at: Date; readonly isTest: boolean }

/**
 * Returns the health of an endpoint after one more attempt. A success clears the failures. It also counts as a recovery
 * if the outage lasted long enough or the event was a test. 410 means that the endpoint no longer exists.
 */
export function updateHealth(health: Health, { outcome, at, isTest }: EndpointAttempt): Health {
  if (outcome.error === null) {
    const outageMs = health.failingSince === null ? 0 : at.getTime() - health.failingSince.getTime()
    const recoveredAt = isTest || outageMs >= RECOVERED_AFTER_MS ? at : health.recoveredAt
    return { ...health, failures: 0, failingSince: null, throttledUntil: null, recoveredAt }
  }
  const failures = health.failures + 1
  const failingSince = health.failingSince ?? at
  const worn =
    health.status === 'enabled' &&
    failures >= PAUSE_AFTER_FAILURES &&
    at.getTime() - failingSince.getTime() >= PAUSE_AFTER_MS
  const status = outcome.responseStatus === 410 ? 'disabled' : worn ? 'paused' : health.status
  return { ...health, status, failures, failingSince, throttledUntil: throttledUntil(health, outcome, at) }
}

/**
 * Returns the time until which the endpoint is throttled. 429 is about the sender, not a single event, so all
 * deliveries to the endpoint wait for the requested time, up to an hour.
 */
function throttledUntil(health: Health, outcome: AttemptOutcome, at: Date): Date | null {
  if (outcome.responseStatus !== 429) return health.throttledUntil
  const askedMs = Math.min(retryAfterMs(outcome.retryAfter, at), THROTTLE_MAX_MS)
  return askedMs === 0 ? health.throttledUntil : after(at, askedMs)
}
