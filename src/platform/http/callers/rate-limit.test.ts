import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createRateLimiter } from './rate-limit.ts'

const allowance = { perSecond: 2, burst: 4 }

test('after a burst, one request is allowed every half second', () => {
  const limiter = createRateLimiter()
  const take = (ms: number) => limiter.take('key', allowance, ms)
  assert.deepEqual(
    [1, 2, 3, 4, 5].map(() => take(0).allowed),
    [true, true, true, true, false],
  )
  assert.equal(take(499).allowed, false)
  assert.equal(take(500).allowed, true)
  assert.equal(take(500).allowed, false)
  assert.deepEqual(
    [0, 1, 2, 3, 4].map(() => take(60_000).allowed),
    [true, true, true, true, false],
  )
})

test('the verdict includes the remaining tokens and when to retry', () => {
  const limiter = createRateLimiter()
  const take = () => limiter.take('key', allowance, 0)
  assert.deepEqual(take(), { allowed: true, limit: 4, remaining: 3, resetSeconds: 1, holdMs: 0 })
  take()
  take()
  assert.deepEqual(take(), { allowed: true, limit: 4, remaining: 0, resetSeconds: 2, holdMs: 0 })
  assert.deepEqual(take(), { allowed: false, limit: 4, remaining: 0, resetSeconds: 1, holdMs: 0 })
})

test('refusals are immediate up to a burst; later ones are delayed to the allowed rate, by at most 5 s', () => {
  const limiter = createRateLimiter()
  const holdMs = (ms: number) => limiter.take('key', { perSecond: 2, burst: 2 }, ms).holdMs
  const atOnce = Array.from({ length: 16 }, () => holdMs(0))
  assert.deepEqual(atOnce, [
    ...[0, 0, 0, 0],
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((count) => count * 500),
    5_000,
    5_000,
  ])
  assert.deepEqual([holdMs(0), holdMs(60_000), holdMs(60_000), holdMs(60_000)], [5_000, 0, 0, 0])
})

test('callers that wait for each response are refused no faster than the allowed request rate', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 40 }), (callers, perSecond) => {
      const limiter = createRateLimiter()
      const freeAtMs = Array.from({ length: callers }, () => 0)
      let refused = 0
      const [seconds, burst] = [20, perSecond]
      for (;;) {
        const nowMs = Math.min(...freeAtMs)
        if (nowMs >= seconds * 1_000) break
        const { allowed, holdMs } = limiter.take('key', { perSecond, burst }, nowMs)
        if (!allowed) refused++
        freeAtMs[freeAtMs.indexOf(nowMs)] = nowMs + 1 + holdMs
      }
      // No refusal is held longer than 5 s, however many calls are in progress.
      assert.ok(refused <= burst + seconds * Math.max(perSecond, callers / 5) + callers, `${refused} were refused`)
    }),
  )
})

test('each key has its own bucket', () => {
  const limiter = createRateLimiter()
  for (let count = 0; count < 5; count++) limiter.take('busy', allowance, 10_000)
  assert.equal(limiter.take('busy', allowance, 10_000).allowed, false)
  assert.equal(limiter.take('calm', allowance, 10_000).allowed, true)
})

test('a clock that steps back adds no tokens, and tokens accrue from then on', () => {
  const limiter = createRateLimiter()
  const hourMs = 3_600_000
  for (let count = 0; count < 4; count++) limiter.take('key', allowance, hourMs)
  const allowed = [0, 499, 500, 501].map((ms) => limiter.take('key', allowance, ms).allowed)
  assert.deepEqual(allowed, [false, false, true, false])
})

test('no key gets more than its burst plus the tokens accrued since', () => {
  const gaps = fc.array(fc.nat(700), { minLength: 10, maxLength: 80 })
  fc.assert(
    fc.property(gaps, (rests) => {
      const limiter = createRateLimiter()
      let now = 0
      let passed = 0
      for (const rest of rests) {
        now += rest
        if (limiter.take('key', allowance, now).allowed) passed++
        assert.ok(passed <= allowance.burst + (now / 1000) * allowance.perSecond)
      }
    }),
  )
})
