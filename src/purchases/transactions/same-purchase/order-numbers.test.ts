import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TransactionId, UserId } from '../../../platform/ids.ts'
import type { Report, ReportSource } from './reports.ts'
import { findSamePurchases } from './same-purchases.ts'

// Builds a report of one purchase with this order number.
function report(source: ReportSource, orderId: string | null): Report {
  return {
    userId: 'user' as UserId,
    transactionId: `${source} purchase` as TransactionId,
    source,
    isByPublisher: true,
    rootId: source,
    brandUid: 'brand',
    currency: 'USD',
    at: new Date('2026-01-10T08:00:00Z'),
    day: '2026-01-10',
    dateOnly: false,
    isPosted: false,
    until: new Date(0),
    partialClearings: [],
    card: null,
    orderId,
    amount: 5_000n,
    totals: [5_000n],
    isAlive: true,
    hasMatured: false,
  }
}

const areOne = (card: string | null, sale: string | null): boolean =>
  findSamePurchases([report('CARD', card), report('AFFILIATE', sale)], () => false).length === 1

test('text without letters or digits is not an order number, so amount and time are compared instead', () => {
  for (const [card, sale] of [
    ['-', '-'],
    ['#', 'A-1001'],
    ['A-1001', ' '],
    ['', null],
  ] as const)
    assert.equal(areOne(card, sale), true, `${card} and ${sale}`)
})

test('different order numbers identify different orders, regardless of punctuation', () => {
  assert.equal(areOne('A-1001', 'A-1002'), false)
  assert.equal(areOne('#a 1001', 'A-1001'), true)
})
