/**
 * Spares a provider that is down, and us the waiting. Calls pass until several in a row have found it down; then all
 * fail at once for a pause. After the pause one call is let through to see: if it finds the provider up, all pass again,
 * otherwise the next pause is twice as long. A refusal about one item shows that the provider works; that we ask too
 * often, or a strange answer, tells nothing.
 */
export type Breaker = {
  /** Lets the call through, or tells in how many milliseconds it may be worth trying. */
  admit(nowMs: number): Admission
  /** How an admitted call ended; undecided when it tells nothing either way. */
  settle(admission: Admitted, outcome: 'up' | 'down' | 'undecided', nowMs: number): void
}
export type Admitted = { readonly admitted: true; readonly isProbe: boolean }
export type Admission = Admitted | { readonly admitted: false; readonly retryAfterMs: number }
export type BreakerState = 'closed' | 'open' | 'half-open'

export type BreakerOptions = {
  /** How many calls in a row must find the provider down. */
  readonly failuresMax?: number
  readonly firstPauseMs?: number
}

// A moment's fault hits a few calls; as many as this in a row, on all items together, are an outage.
const FAILURES_MAX = 10
const FIRST_PAUSE_MS = 1_000
// A provider that is back is noticed within a minute.
const PAUSE_MAX_MS = 60_000
// A probe under way is settled within a call's deadline; who asks meanwhile is told to come back soon.
const PROBE_PENDING_MS = 1_000

export function createBreaker(
  { failuresMax = FAILURES_MAX, firstPauseMs = FIRST_PAUSE_MS }: BreakerOptions = {},
  onChange: (state: BreakerState) => void = () => undefined,
): Breaker {
  let failures = 0
  let pauseMs = firstPauseMs
  let openUntilMs: number | null = null
  let isProbing = false
  const open = (nowMs: number): void => {
    openUntilMs = nowMs + pauseMs
    pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS)
    onChange('open')
  }
  return {
    admit: (nowMs) => {
      if (openUntilMs === null) return { admitted: true, isProbe: false }
      if (nowMs < openUntilMs) return { admitted: false, retryAfterMs: openUntilMs - nowMs }
      if (isProbing) return { admitted: false, retryAfterMs: PROBE_PENDING_MS }
      isProbing = true
      onChange('half-open')
      return { admitted: true, isProbe: true }
    },
    settle: ({ isProbe }, outcome, nowMs) => {
      if (isProbe) isProbing = false
      if (outcome === 'up') {
        const wasOpen = openUntilMs !== null
        failures = 0
        pauseMs = firstPauseMs
        openUntilMs = null
        if (wasOpen) onChange('closed')
      } else if (outcome === 'down') {
        failures++
        // Calls that were under way when it opened tell nothing new.
        if (isProbe || (openUntilMs === null && failures >= failuresMax)) open(nowMs)
      }
    },
  }
}
