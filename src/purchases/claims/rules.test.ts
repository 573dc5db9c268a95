import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CLAIM_KINDS,
  computeDeadline,
  DECLINE_REASONS,
  findDecisionFault,
  findEventFault,
  needsTransaction,
  PERSONS_REASONS,
} from './rules.ts'

test('a claim is decided only once, and never while an adjustment awaits approval', () => {
  assert.equal(findDecisionFault({ status: 'open', adjustmentId: null }), null)
  assert.equal(findDecisionFault({ status: 'open', adjustmentId: 'one' }), 'claim_waiting')
  for (const status of ['granted', 'declined', 'withdrawn'] as const)
    for (const adjustmentId of [null, 'one'])
      assert.equal(findDecisionFault({ status, adjustmentId }), 'claim_decided', status)
})

test('only claims about a wrong amount or a purchase that earned nothing require a transaction', () => {
  assert.deepEqual(CLAIM_KINDS.filter(needsTransaction), ['incorrect', 'declined'])
})

test("a claim's deadline is a whole number of days after it was opened", () => {
  assert.equal(computeDeadline(new Date('2026-11-21T10:15:30Z'), 30).toISOString(), '2026-12-21T10:15:30.000Z')
})

test('a person cannot give the deadline as the reason for declining a claim', () => {
  assert.deepEqual(
    DECLINE_REASONS.filter((reason) => !PERSONS_REASONS.some((one) => one === reason)),
    ['deadline'],
  )
})

test('an event that earns a reward grants a claim if it is within the limit or was already reported', () => {
  const limit = { adjustmentAloneMax: 25_00n }
  assert.equal(findEventFault(25_00n, false, 0n, limit), null)
  assert.equal(findEventFault(25_01n, false, 0n, limit), 'claim_above_limit')
  assert.equal(findEventFault(5_01n, false, 20_00n, limit), 'claim_above_limit')
  assert.equal(findEventFault(25_01n, true, 0n, limit), null)
  for (const isKnown of [true, false]) assert.equal(findEventFault(0n, isKnown, 0n, limit), 'claim_earns_nothing')
})
