import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TransactionId } from '../../../platform/ids.ts'
import { findAssignmentFault } from './orphan-refunds.ts'

const REFUND = { amount: 2_000n, currency: 'USD', source: 'CARD' } as const
const PURCHASE: NonNullable<Parameters<typeof findAssignmentFault>[1]> &
  Parameters<typeof findAssignmentFault>[2][number] = {
  source: 'CARD',
  currency: 'USD',
  statusReason: null,
  status: 'EARNED',
  adjusts: null,
  amount: 5_000n,
  refunded: 0n,
}
const adjusted = (amount: bigint) => ({ ...PURCHASE, adjusts: 'the purchase' as TransactionId, amount })

type Case = readonly [
  title: string,
  purchase: typeof PURCHASE,
  rest: readonly (typeof PURCHASE)[],
  fault: RegExp | null,
]
const CASES: readonly Case[] = [
  ['of a purchase with enough left to refund', PURCHASE, [], null],
  ['of exactly the remaining amount', { ...PURCHASE, refunded: 3_000n }, [], null],
  ['of an earned purchase with enough left after its adjustments', PURCHASE, [adjusted(-3_000n)], null],
  [
    'of an earned purchase that has since been refunded',
    PURCHASE,
    [adjusted(-4_000n)],
    /10\.00 of .* is left .* 20\.00/,
  ],
  ['of a fully refunded purchase', { ...PURCHASE, refunded: 5_000n }, [], /0\.00 of .* is left/],
  ['of a purchase in another currency', { ...PURCHASE, currency: 'EUR' }, [], /is in EUR, but the refund is in USD/],
  ['of a purchase from another source', { ...PURCHASE, source: 'GIFT_CARD' }, [], /no card purchase/],
  ['of an unmatched refund', { ...PURCHASE, statusReason: 'original_unknown' }, [], /is left/],
]
for (const [title, purchase, rest, fault] of CASES)
  test(`an orphan ${fault === null ? 'may be' : 'cannot be'} a refund ${title}`, () => {
    const found = findAssignmentFault(REFUND, purchase, [purchase, ...rest])
    if (fault === null) assert.equal(found, null)
    else assert.match(found ?? '', fault)
  })
