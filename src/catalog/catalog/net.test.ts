import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { makeGroup, makeOffer } from '../../../test/support/catalog.ts'
import { computeNet, computeOfferNet, describeReward, displayNumber } from './net.ts'
import type { CommissionGroup, Offer } from './offer.ts'

const rate = (ratePpm: number, more: Partial<CommissionGroup> = {}) => makeGroup({ ratePpm, ...more })
const dollars = (amount: bigint, more: Partial<CommissionGroup> = {}) => makeGroup({ amount, ...more })
const offer = (rewardType: Offer['rewardType'], ...groups: CommissionGroup[]): Offer =>
  makeOffer({ rewardType, groups })
const none = { feePpm: 0, sharePpm: 0 }
const split = { feePpm: 100_000, sharePpm: 200_000 }

test('a user gets what remains after the fee and the share', () => {
  const cases: [Offer, typeof none, number][] = [
    [offer('CASHBACK_PERCENTAGE', rate(50_000)), none, 5],
    [offer('CASHBACK_PERCENTAGE', rate(50_000)), split, 3.5],
    [offer('CASHBACK_PERCENTAGE', rate(52_500)), split, 3.675],
    [offer('DISCOUNT_PERCENTAGE', rate(33_333)), split, 2.3333],
    [offer('CASHBACK_DOLLAR', dollars(1000n)), none, 10],
    [offer('CASHBACK_DOLLAR', dollars(1000n)), split, 7],
    // 1.01: fee 0.10 and share 0.20 are rounded down, and the user gets the rest.
    [offer('DISCOUNT_DOLLAR', dollars(101n)), split, 0.71],
    [offer('CASHBACK_DOLLAR', dollars(1n)), split, 0.01],
  ]
  for (const [one, terms, shown] of cases)
    assert.equal(displayNumber(one, computeOfferNet(one, terms).customerOffer), shown)
})

test('fee, share and net add up to the amount, and a rate promises no more than is paid', () => {
  const part = fc.integer({ min: 0, max: 500_000 })
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 12n }), part, part, (amount, feePpm, sharePpm) => {
      const net = computeNet(dollars(amount), { feePpm, sharePpm })
      const floor = (ppm: number): bigint => (amount * BigInt(ppm)) / 1_000_000n
      assert.equal(net + floor(feePpm) + floor(sharePpm), amount)
    }),
  )
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), part, part, (ratePpm, feePpm, sharePpm) => {
      const net = computeNet(rate(ratePpm), { feePpm, sharePpm })
      assert(net * 1_000_000n <= BigInt(ratePpm) * BigInt(1_000_000 - feePpm - sharePpm))
      assert.match(String(displayNumber(offer('CASHBACK_PERCENTAGE'), net)), /^\d+(\.\d{1,4})?$|^0\.000\d$/)
    }),
  )
})

test("the maximum is the highest reward of any group, and the standard reward is the unconditional group's", () => {
  const tiers = offer(
    'CASHBACK_PERCENTAGE',
    rate(80_000, { customer: 'new' }),
    rate(30_000),
    rate(60_000, { minAmount: 100n }),
  )
  assert.deepEqual(computeOfferNet(tiers, none), { customerOffer: 30_000n, maxCustomerOffer: 80_000n })
  const goods = offer('CASHBACK_PERCENTAGE', rate(80_000, { skus: ['7'] }), rate(30_000))
  assert.deepEqual(computeOfferNet(goods, none), { customerOffer: 30_000n, maxCustomerOffer: 80_000n })
  const conditions = offer(
    'CASHBACK_PERCENTAGE',
    rate(80_000, { customer: 'new' }),
    rate(30_000, { customer: 'returning' }),
  )
  assert.deepEqual(computeOfferNet(conditions, none), { customerOffer: 80_000n, maxCustomerOffer: 80_000n })
})

test('a reward is described in words', () => {
  const cases: [Offer, string][] = [
    [offer('CASHBACK_PERCENTAGE', rate(52_500)), '5.25% cashback'],
    [offer('DISCOUNT_PERCENTAGE', rate(100_000)), '10% off'],
    [offer('CASHBACK_DOLLAR', dollars(400n)), '$4 cashback'],
    [offer('DISCOUNT_DOLLAR', dollars(450n)), '$4.50 off'],
    [offer('CASHBACK_PERCENTAGE', rate(20_000), rate(70_000, { customer: 'new' })), 'Up to 7% cashback'],
  ]
  for (const [one, text] of cases) assert.equal(describeReward(one, computeOfferNet(one, none)), text)
})
