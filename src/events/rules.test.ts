import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '../platform/calendar.ts'
import { type AttemptOutcome, type Health, healthAfter, retryAfterMs, verdictOn, WAITS_MS } from './rules.ts'

const now = new Date('2026-11-21T10:00:00Z')
const ok: AttemptOutcome = { responseStatus: 200, error: null, retryAfter: null }
const failed = (responseStatus: number | null = 500, retryAfter: string | null = null): AttemptOutcome => ({
  responseStatus,
  error: responseStatus === null ? 'timeout' : 'status_not_2xx',
  retryAfter,
})
const waited = (outcome: AttemptOutcome, attemptsBefore: number, random = 0): number | undefined => {
  const { nextAttemptAt } = verdictOn(outcome, attemptsBefore, now, random)
  return nextAttemptAt === null ? undefined : nextAttemptAt.getTime() - now.getTime()
}

test('ten tries are spread over 75 hours and 35 minutes', () => {
  const waits = Array.from({ length: 10 }, (_, tried) => waited(failed(), tried))
  assert.deepEqual(waits, [...WAITS_MS.slice(1), undefined])
  const total = WAITS_MS.reduce((sum, wait) => sum + wait, 0)
  assert.equal(total, 75 * HOUR_MS + 35 * 60_000 + 5_000)
})

test('the tenth failure exhausts a delivery', () => {
  assert.deepEqual(verdictOn(failed(), 9, now, 0), { status: 'exhausted', attempts: 10, nextAttemptAt: null })
})

test('a success at any try delivers', () => {
  for (const tried of [0, 5, 9]) {
    assert.deepEqual(verdictOn(ok, tried, now, 0), { status: 'delivered', attempts: tried + 1, nextAttemptAt: null })
  }
})

test('jitter lengthens a wait by a fifth at most and never shortens it', () => {
  assert.equal(waited(failed(), 0, 0), 5_000)
  assert.equal(waited(failed(), 0, 1), 6_000)
})

test('Retry-After lengthens a wait, is capped at a day and never shortens the plan', () => {
  assert.equal(waited(failed(503, '60'), 0), 60_000)
  assert.equal(waited(failed(503, '1'), 1), WAITS_MS[2])
  assert.equal(waited(failed(503, '99999999'), 0), 24 * HOUR_MS)
  assert.equal(waited(failed(503, 'Sat, 21 Nov 2026 10:02:00 GMT'), 0), 120_000)
})

test('an unreadable Retry-After has no effect', () => {
  for (const text of ['soon', '', '-5', '1e9', 'Sat, 21 Nov 2020 10:00:00 GMT', null]) {
    assert.equal(retryAfterMs(text, now), 0)
  }
})

const healthy: Health = { status: 'enabled', failures: 0, failingSince: null, throttledUntil: null }
const later = (hours: number): Date => new Date(now.getTime() + hours * HOUR_MS)

test('410 disables an endpoint immediately', () => {
  assert.equal(healthAfter(healthy, failed(410), now).status, 'disabled')
})

test('only failures for five days, and ten at least, pause an endpoint', () => {
  const failing: Health = { ...healthy, failures: 9, failingSince: now }
  assert.equal(healthAfter(failing, failed(), later(119)).status, 'enabled')
  assert.equal(healthAfter(failing, failed(), later(120)).status, 'paused')
  assert.equal(healthAfter({ ...failing, failures: 8 }, failed(), later(120)).status, 'enabled')
})

test('one success clears earlier failures', () => {
  const failing: Health = { ...healthy, failures: 9, failingSince: now, throttledUntil: later(1) }
  assert.deepEqual(healthAfter(failing, ok, later(200)), healthy)
})

test('a success that comes late does not enable a disabled endpoint', () => {
  assert.equal(healthAfter({ ...healthy, status: 'disabled' }, ok, now).status, 'disabled')
})

test('429 with Retry-After pauses the whole endpoint for an hour at most', () => {
  assert.deepEqual(healthAfter(healthy, failed(429, '90'), now).throttledUntil, new Date(now.getTime() + 90_000))
  assert.deepEqual(healthAfter(healthy, failed(429, '86400'), now).throttledUntil, later(1))
  assert.equal(healthAfter(healthy, failed(503, '90'), now).throttledUntil, null)
})
