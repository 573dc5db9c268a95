/**
 * A token bucket per key that refills at `perSecond` tokens up to `burst`. Buckets are in memory, so each process
 * grants the full rate. A rate limit prevents one caller from starving the others and needs no more precision than
 * that.
 */
export type RateLimit = { readonly perSecond: number; readonly burst: number }
export type RateVerdict = {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
  /** Milliseconds to hold the refusal; 0 if the request is allowed. */
  readonly holdMs: number
}

/** `refusals` is the number of refusals that may still be sent immediately. Below 0, they are held. */
type Bucket = { tokens: number; refusals: number; at: number; perSecond: number }
// Full buckets carry no information, so they are dropped when the map reaches this size.
const BUCKETS_MAX = 50_000
// Shorter than a client's usual timeout.
const HOLD_SECONDS_MAX = 5

export type RateLimiter = {
  /**
   * Allows a request if at least one token is left, and takes its full cost. Any deficit must refill before the next
   * request is allowed. Refusals are throttled too: after an initial burst, they are sent no faster than calls are
   * allowed, but held for at most HOLD_SECONDS_MAX. This slows down callers that wait for each response, even with many
   * calls in progress.
   */
  take(key: string, rateLimit: RateLimit, nowMs: number, cost?: number): RateVerdict
  /** Puts a token back. */
  giveBack(key: string): void
}

export function createRateLimiter(): RateLimiter {
  const buckets = new Map<string, Bucket>()
  return {
    take: (key, { perSecond, burst }, nowMs, cost = 1) => {
      let bucket = buckets.get(key)
      if (bucket === undefined) {
        if (buckets.size >= BUCKETS_MAX) dropFull(buckets, nowMs)
        bucket = { tokens: burst, refusals: burst, at: nowMs, perSecond }
        buckets.set(key, bucket)
      }
      const inflow = (Math.max(0, nowMs - bucket.at) / 1000) * perSecond
      bucket.tokens = Math.min(burst, bucket.tokens + inflow)
      bucket.refusals = Math.min(burst, bucket.refusals + inflow)
      bucket.at = nowMs
      const allowed = bucket.tokens >= 1
      if (allowed) bucket.tokens -= cost
      else bucket.refusals = Math.max(bucket.refusals - 1, -HOLD_SECONDS_MAX * perSecond)
      return {
        allowed,
        limit: burst,
        remaining: Math.max(0, Math.floor(bucket.tokens)),
        resetSeconds: Math.ceil(((allowed ? burst : 1) - bucket.tokens) / perSecond),
        holdMs: allowed ? 0 : (Math.max(0, -bucket.refusals) / perSecond) * 1000,
      }
    },
    giveBack: (key) => {
      const bucket = buckets.get(key)
      if (bucket !== undefined) bucket.tokens++
    },
  }
}

function dropFull(buckets: Map<string, Bucket>, nowMs: number): void {
  for (const [key, bucket] of buckets) {
    if (nowMs - bucket.at > 60_000) buckets.delete(key)
  }
  if (buckets.size >= BUCKETS_MAX) buckets.clear()
}
