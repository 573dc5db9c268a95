import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '../platform/calendar.ts'
import { type AttemptOutcome, decideDelivery, type Health, retryAfterMs, updateHealth, WAITS_MS } from './rules.ts'

const now = new Date('2026-11-21T10:00:00Z')
const ok: AttemptOutcome = { responseStatus: 200, error: null, retryAfter: null, answer: null, isHidden: false }
const failed = (responseStatus: number | null = 500, retryAfter: string | null = null): AttemptOutcome => ({
  responseStatus,
  error: responseStatus === null ? 'timeout' : 'status_not_2xx',
  retryAfter,
  answer: null,
  isHidden: false,
})
const later = (hours: number): Date => new Date(now.getTime() + hours * HOUR_MS)
const tried = (attempts: number) => ({ attempts, extraAttempts: 0, plannedAt: attempts === 0 ? null : now })
const waited = (outcome: AttemptOutcome, attemptsBefore: number, random = 0): number | undefined => {
  const { nextAttemptAt } = decideDelivery(outcome, tried(attemptsBefore), now, random)
  return nextAttemptAt === null ? undefined : nextAttemptAt.getTime() - now.getTime()
}

test('the ten attempts span 75 hours and 35 minutes', () => {
  const waits = Array.from({ length: 10 }, (_, attempts) => waited(failed(), attempts))
  assert.deepEqual(waits, [...WAITS_MS.slice(1), undefined])
  const total = WAITS_MS.reduce((sum, wait) => sum + wait, 0)
  assert.equal(total, 75 * HOUR_MS + 35 * 60_000 + 5_000)
})

test('the tenth failure exhausts a delivery', () => {
  const { status, attempts, nextAttemptAt } = decideDelivery(failed(), tried(9), now, 0)
  assert.deepEqual([status, attempts, nextAttemptAt], ['exhausted', 10, null])
})

test('a success on any attempt marks the delivery as delivered', () => {
  for (const before of [0, 5, 9]) {
    const { status, attempts, nextAttemptAt } = decideDelivery(ok, tried(before), now, 0)
    assert.deepEqual([status, attempts, nextAttemptAt], ['delivered', before + 1, null])
  }
})

test('jitter lengthens a wait by at most a fifth and never shortens it', () => {
  assert.equal(waited(failed(), 0, 0), 5_000)
  assert.equal(waited(failed(), 0, 1), 6_000)
})

test('Retry-After is honored, up to a day', () => {
  assert.equal(waited(failed(503, '60'), 0), 60_000)
  assert.equal(waited(failed(503, '7'), 4), 7_000)
  assert.equal(waited(failed(503, '99999999'), 0), 24 * HOUR_MS)
  assert.equal(waited(failed(503, 'Sat, 21 Nov 2026 10:02:00 GMT'), 0), 120_000)
})

test('an invalid Retry-After is ignored', () => {
  for (const text of ['soon', '', '-5', '1e9', 'Sat, 21 Nov 2020 10:00:00 GMT', null]) {
    assert.equal(retryAfterMs(text, now), 0)
  }
})

test('an attempt before its planned time leaves the retry plan unchanged', () => {
  const before = { attempts: 9, extraAttempts: 0, plannedAt: later(20) }
  assert.deepEqual(decideDelivery(failed(), before, now, 1), {
    status: 'pending',
    attempts: 10,
    extraAttempts: 1,
    plannedAt: later(20),
    nextAttemptAt: later(20),
  })
  const planned = { attempts: 10, extraAttempts: 1, plannedAt: now }
  assert.equal(decideDelivery(failed(), planned, now, 1).status, 'exhausted')
})

test("the count of extra attempts is capped at the database column's maximum", () => {
  const before = { attempts: 32_768, extraAttempts: 32_767, plannedAt: later(20) }
  const { status, extraAttempts } = decideDelivery(failed(), before, now, 0)
  assert.deepEqual([status, extraAttempts], ['pending', 32_767])
})

test('a receiver that always sends a Retry-After of one second gets at most ten extra calls', () => {
  let state = { ...tried(0), nextAttemptAt: now }
  let calls = 0
  for (; state.nextAttemptAt !== null; calls++)
    state = decideDelivery(failed(503, '1'), state, state.nextAttemptAt, 0) as typeof state
  assert.equal(calls, WAITS_MS.length + 10)
  assert.deepEqual([state.attempts, state.extraAttempts], [20, 10])
})

const after = (health: Health, outcome: AttemptOutcome, at: Date, isTest = false) =>
  updateHealth(health, { outcome, at, isTest })
const healthy: Health = {
  status: 'enabled',
  failures: 0,
  failingSince: null,
  throttledUntil: null,
  recoveredAt: null,
}

test('410 disables an endpoint immediately', () => {
  assert.equal(after(healthy, failed(410), now).status, 'disabled')
})

test('an endpoint is paused after at least ten consecutive failures over at least five days', () => {
  const failing: Health = { ...healthy, failures: 9, failingSince: now }
  assert.equal(after(failing, failed(), later(119)).status, 'enabled')
  assert.equal(after(failing, failed(), later(120)).status, 'paused')
  assert.equal(after({ ...failing, failures: 8 }, failed(), later(120)).status, 'enabled')
})

test('one success clears earlier failures', () => {
  const failing: Health = { ...healthy, failures: 9, failingSince: now, throttledUntil: later(1) }
  assert.deepEqual(after(failing, ok, later(200)), { ...healthy, recoveredAt: later(200) })
})

test('a delivered test event, or a success after at least five seconds of failures, counts as a recovery', () => {
  const failing: Health = { ...healthy, failures: 2, failingSince: now }
  const soon = (ms: number): Date => new Date(now.getTime() + ms)
  assert.equal(after(failing, ok, soon(4_999)).recoveredAt, null)
  assert.deepEqual(after(failing, ok, soon(5_000)).recoveredAt, soon(5_000))
  assert.equal(after(healthy, ok, now).recoveredAt, null)
  assert.deepEqual(after(healthy, ok, now, true).recoveredAt, now)
  assert.equal(after(failing, failed(), later(1), true).recoveredAt, null)
})

test('a late success does not enable a disabled endpoint', () => {
  assert.equal(after({ ...healthy, status: 'disabled' }, ok, now).status, 'disabled')
})

test('429 with Retry-After throttles the entire endpoint for at most an hour', () => {
  assert.deepEqual(after(healthy, failed(429, '90'), now).throttledUntil, new Date(now.getTime() + 90_000))
  assert.deepEqual(after(healthy, failed(429, '86400'), now).throttledUntil, later(1))
  assert.equal(after(healthy, failed(503, '90'), now).throttledUntil, null)
})
