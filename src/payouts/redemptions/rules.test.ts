import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noBalances } from '../../ledger/index.ts'
import {
  countApprovals,
  deriveStatusAfter,
  findRequestFault,
  mayBecome,
  type RedemptionStatus,
  type ReportedOutcome,
  STATUSES,
} from './rules.ts'

test('a redemption only moves forward and always reaches a final status', () => {
  const next = STATUSES.map((from) => `${from}: ${STATUSES.filter((to) => mayBecome(from, to)).join(', ')}`)
  assert.deepEqual(next, [
    'requested: approved, cancelled',
    'approved: sent, cancelled',
    'sent: paid, failed',
    'paid: returned',
    'failed: ',
    'returned: ',
    'cancelled: ',
  ])
})

test('an outcome advances a redemption, is already recorded, or contradicts the recorded status', () => {
  const cases: readonly (readonly [from: RedemptionStatus, outcome: ReportedOutcome, to: RedemptionStatus | null])[] = [
    ['sent', 'paid', 'paid'],
    ['sent', 'unpaid', 'failed'],
    ['sent', 'failed', 'failed'],
    ['sent', 'returned', null],
    ['paid', 'paid', 'paid'],
    ['paid', 'unpaid', 'returned'],
    ['paid', 'returned', 'returned'],
    ['paid', 'failed', null],
    ['failed', 'failed', 'failed'],
    ['failed', 'unpaid', 'failed'],
    ['failed', 'paid', null],
    ['returned', 'unpaid', 'returned'],
    ['returned', 'paid', 'returned'],
    ['returned', 'failed', null],
    ['requested', 'paid', null],
    ['approved', 'unpaid', null],
    ['cancelled', 'paid', null],
  ]
  for (const [from, outcome, to] of cases) assert.equal(deriveStatusAfter(from, outcome), to, `${from} ${outcome}`)
})

test('each limit is inclusive, and an unset limit does not apply', () => {
  const open = { redemptionMinimum: 1n, redemptionUserDayMax: null, redemptionUserDayCount: null }
  const unused = { amount: 0n, count: 0 }
  const has = (available: bigint) => ({ ...noBalances, available })
  assert.equal(findRequestFault(100n, has(100n), unused, open), null)
  assert.equal(findRequestFault(101n, has(100n), unused, open), 'balance_insufficient')
  assert.equal(findRequestFault(0n, has(0n), unused, open), 'balance_insufficient', 'everything of nothing')
  const bound = { redemptionMinimum: 50n, redemptionUserDayMax: 100n, redemptionUserDayCount: 2 }
  assert.equal(findRequestFault(50n, has(100n), unused, bound), null)
  assert.equal(findRequestFault(49n, has(100n), unused, bound), 'redemption_below_minimum')
  assert.equal(findRequestFault(50n, has(100n), { amount: 50n, count: 1 }, bound), null)
  assert.equal(findRequestFault(51n, has(100n), { amount: 50n, count: 1 }, bound), 'redemption_limit_reached')
  assert.equal(findRequestFault(50n, has(100n), { amount: 0n, count: 2 }, bound), 'redemption_limit_reached')
})

test('the amount determines whether zero, one or two people must approve', () => {
  const none = { redemptionReviewAbove: null, redemptionTwoPeopleAbove: null }
  assert.equal(countApprovals(1_000_000n, none), 0)
  const both = { redemptionReviewAbove: 100n, redemptionTwoPeopleAbove: 500n }
  assert.deepEqual(
    [100n, 101n, 500n, 501n].map((amount) => countApprovals(amount, both)),
    [0, 1, 1, 2],
  )
  assert.equal(countApprovals(501n, { ...none, redemptionTwoPeopleAbove: 500n }), 2)
})
