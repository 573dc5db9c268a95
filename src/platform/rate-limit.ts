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
}

type Bucket = { tokens: number; at: number; perSecond: number }
// Buckets that are full again carry no information, so they are dropped when the map reaches this size.
const BUCKETS_MAX = 50_000

export type RateLimiter = {
  /** Whoever finds a token is allowed, and takes as many as it costs: what is missing must flow in before the next. */
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
        bucket = { tokens: burst, at: nowMs, perSecond }
        buckets.set(key, bucket)
      }
      bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, nowMs - bucket.at) / 1000) * perSecond)
      // A clock that steps back must not let the same second flow in twice.
      bucket.at = Math.max(bucket.at, nowMs)
      const allowed = bucket.tokens >= 1
      if (allowed) bucket.tokens -= cost
      return {
        allowed,
        limit: burst,
        remaining: Math.max(0, Math.floor(bucket.tokens)),
        resetSeconds: Math.ceil(((allowed ? burst : 1) - bucket.tokens) / perSecond),
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
