/**
 * A circuit breaker. It opens after several calls in a row find the provider down. While it is open, all calls fail
 * immediately. After a pause, one call is let through as a probe. If the probe finds the provider up, the breaker
 * closes. Otherwise it stays open for twice as long. A refusal concerning one item proves that the provider works. A
 * rate limit or a malformed response proves nothing.
 */
export type Breaker = {
  /** Admits the call, or returns the number of milliseconds until a retry is worthwhile. */
  admit(nowMs: number): Admission
  /** Records how an admitted call ended. Undecided means that it proves nothing either way. */
  settle(admission: Admitted, outcome: 'up' | 'down' | 'undecided', nowMs: number): void
}
export type Admitted = { readonly admitted: true; readonly isProbe: boolean }
type Admission = Admitted | { readonly admitted: false; readonly retryAfterMs: number }
export type BreakerState = 'closed' | 'open' | 'half-open'

export type BreakerOptions = {
  /** The number of consecutive calls that must find the provider down before the breaker opens. */
  readonly failuresMax?: number
  readonly firstPauseMs?: number
}

// A momentary failure affects a few calls. This many consecutive failures across all items indicate an outage.
const FAILURES_MAX = 10
const FIRST_PAUSE_MS = 1_000
// Ensures that the provider's recovery is detected within a minute.
const PAUSE_MAX_MS = 60_000
// A probe settles within a call's deadline, so other calls retry soon.
const PROBE_PENDING_MS = 1_000

export function createBreaker(
  { failuresMax = FAILURES_MAX, firstPauseMs = FIRST_PAUSE_MS }: BreakerOptions = {},
  onChange: (state: BreakerState, pauseMs: number) => void = () => undefined,
): Breaker {
  let failures = 0
  let pauseMs = firstPauseMs
  let openUntilMs: number | null = null
  let isProbing = false
  const open = (nowMs: number): void => {
    openUntilMs = nowMs + pauseMs
    onChange('open', pauseMs)
    pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS)
  }
  return {
    admit: (nowMs) => {
      if (openUntilMs === null) return { admitted: true, isProbe: false }
      if (nowMs < openUntilMs) return { admitted: false, retryAfterMs: openUntilMs - nowMs }
      if (isProbing) return { admitted: false, retryAfterMs: PROBE_PENDING_MS }
      isProbing = true
      onChange('half-open', 0)
      return { admitted: true, isProbe: true }
    },
    settle: ({ isProbe }, outcome, nowMs) => {
      if (isProbe) isProbing = false
      if (outcome === 'up') {
        const wasOpen = openUntilMs !== null
        failures = 0
        pauseMs = firstPauseMs
        openUntilMs = null
        if (wasOpen) onChange('closed', 0)
      } else if (outcome === 'down') {
        failures++
        // Calls that were in flight when the breaker opened prove nothing new.
        if (isProbe || (openUntilMs === null && failures >= failuresMax)) open(nowMs)
      }
    },
  }
}
