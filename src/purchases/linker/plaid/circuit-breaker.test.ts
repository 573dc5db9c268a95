import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Breaker, type BreakerState, createBreaker } from './circuit-breaker.ts'

const options = { failuresMax: 3, firstPauseMs: 1_000 }

/** Admits a call and settles it with this outcome. */
function call(breaker: Breaker, outcome: 'up' | 'down' | 'undecided', nowMs: number): void {
  const admission = breaker.admit(nowMs)
  assert(admission.admitted, `not admitted at ${nowMs}`)
  breaker.settle(admission, outcome, nowMs)
}

test('the breaker opens after several consecutive calls find the provider down, and says when to retry', () => {
  const breaker = createBreaker(options)
  for (const outcome of ['down', 'down', 'up', 'down', 'undecided', 'down'] as const) call(breaker, outcome, 0)
  assert.deepEqual(breaker.admit(0), { admitted: true, isProbe: false }, 'an answer in between resets the count')
  call(breaker, 'down', 10)
  assert.deepEqual(breaker.admit(10), { admitted: false, retryAfterMs: 1_000 })
  assert.deepEqual(breaker.admit(910), { admitted: false, retryAfterMs: 100 })
})

test('one probe follows each pause, and each failed probe doubles the next pause, up to a minute', () => {
  const breaker = createBreaker(options)
  for (let count = 0; count < 3; count++) call(breaker, 'down', 0)
  let nowMs = 0
  for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
    assert.equal(breaker.admit(nowMs + pauseMs - 1).admitted, false)
    nowMs += pauseMs
    const probe = breaker.admit(nowMs)
    assert.deepEqual(probe, { admitted: true, isProbe: true })
    assert.equal(breaker.admit(nowMs).admitted, false, 'a second call during the probe')
    breaker.settle(probe, 'down', nowMs)
  }
})

test('a successful probe closes the breaker, and the next outage begins with a short pause', () => {
  const states: BreakerState[] = []
  const breaker = createBreaker(options, (state) => states.push(state))
  for (let count = 0; count < 3; count++) call(breaker, 'down', 0)
  call(breaker, 'down', 1_000)
  call(breaker, 'up', 3_000)
  for (let count = 0; count < 3; count++) call(breaker, 'down', 3_000)
  assert.deepEqual(breaker.admit(3_000), { admitted: false, retryAfterMs: 1_000 })
  assert.deepEqual(states, ['open', 'half-open', 'open', 'half-open', 'closed', 'open'])
})

test('an inconclusive probe is followed by another, and calls from before the outage do not prolong it', () => {
  const breaker = createBreaker(options)
  const early = breaker.admit(0)
  assert(early.admitted)
  for (let count = 0; count < 3; count++) call(breaker, 'down', 0)
  breaker.settle(early, 'down', 900)
  call(breaker, 'undecided', 1_000)
  assert.deepEqual(breaker.admit(1_000), { admitted: true, isProbe: true })
})
