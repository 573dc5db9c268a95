import assert from 'node:assert/strict'
import { test } from 'node:test'
import { examplePurchase, exampleUser, item, makeOffer, rate } from '../../../test/offers/row.ts'
import { computeTarget } from './amounts.ts'
import { freezeTerms, needsHistory } from './terms.ts'

// The rule book (test/offers) covers the amounts of parts. These tests cover their trace.

const noSplit = { feePpm: 0, sharePpm: 0 }
const makeTerms = (offer: Parameters<typeof makeOffer>[0]) =>
  freezeTerms(makeOffer(offer), examplePurchase, exampleUser, noSplit)
const shoes = rate(8, { name: 'shoes', productGroups: ['shoes'] })

test('goods that earn nothing have an eligible amount of zero in the trace', () => {
  const items = [item({ productGroup: 'shoes', amount: 3_000n }), item({ amount: 1_000n })]
  const { arithmetic } = computeTarget(makeTerms({ groups: [shoes] }), { ...examplePurchase, refunded: 0n, items })
  assert.deepEqual(
    arithmetic.parts.map((part) => [part.commission_group, part.items, part.amount, part.eligible_amount]),
    [
      ['shoes', ['shoes'], '30.00', '30.00'],
      [null, ['unnamed'], '20.00', '0.00'],
    ],
  )
  assert.deepEqual(
    [arithmetic.eligible_amount, arithmetic.commission_group, arithmetic.rate_percent],
    ['30.00', 'shoes', 8],
  )
})

test('the trace shows the rate of an unnamed group', () => {
  const { arithmetic } = computeTarget(makeTerms({}), { ...examplePurchase, refunded: 0n })
  assert.deepEqual([arithmetic.commission_group, arithmetic.rate_percent, arithmetic.user_reward], [null, 5, '2.50'])
})

test('the trace shows what a discount deducted at checkout', () => {
  const terms = makeTerms({ rewardType: 'DISCOUNT_PERCENTAGE' })
  assert.equal(computeTarget(terms, { ...examplePurchase, refunded: 0n }).arithmetic.user_reward, '2.50')
})

test('even one group for a certain kind of customer makes the terms depend on earlier purchases', () => {
  const groups = [rate(8, { name: 'first visit', customer: 'new' }), rate(2, { name: 'all else' })]
  assert.equal(needsHistory(makeTerms({ groups })), true)
})
