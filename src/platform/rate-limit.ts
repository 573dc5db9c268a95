/**
 * A token bucket per key: `perSecond` tokens flow in, up to `burst`. Kept in memory, so each process grants the full
 * rate: a rate limit keeps one caller from starving the others and needs no more precision.
 */
export type RateLimit = { readonly perSecond: number; readonly burst: number }
export type RateVerdict = {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
  /** How long to hold the refusal; 0 for what is allowed. */
  readonly holdMs: number
}

/** `refusals` is how many more refusals may be answered at once; below 0 they are held. */
type Bucket = { tokens: number; refusals: number; at: number; perSecond: number }
// Buckets that are full again carry no information, so they are dropped when the map reaches this size.
const BUCKETS_MAX = 50_000
// Shorter than callers usually wait for an answer.
const HOLD_SECONDS_MAX = 5

export type RateLimiter = {
  /**
   * Whoever finds a token is allowed, and takes as many as it costs: what is missing must flow in before the next.
   * Refusals are held: after a first burst they go out no faster than calls are allowed, but at most HOLD_SECONDS_MAX
   * late. So a caller who waits for each answer is slowed down, even with many calls in progress.
   */
  take(key: string, rateLimit: RateLimit, nowMs: number, cost?: number): RateVerdict
  /** Puts back a token that was taken. */
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
