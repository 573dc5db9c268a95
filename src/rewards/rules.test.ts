import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { splitOf, targetOf } from './rules.ts'
import type { Terms, TermsGroup } from './terms.ts'

const group = (given: Partial<TermsGroup>): TermsGroup => ({
  name: null,
  ratePpm: null,
  amount: null,
  minAmount: null,
  maxAmount: null,
  ...given,
})
const terms = (given: Partial<Terms>): Terms => ({
  offerUid: 'o',
  brandUid: 'b',
  offerType: 'CARD_LINKED',
  rewardType: 'CASHBACK_PERCENTAGE',
  currency: 'USD',
  groups: [group({ ratePpm: 50_000 })],
  feePpm: 0,
  sharePpm: 0,
  minSpend: null,
  maxSpend: null,
  refundPeriodDays: 30,
  oneTimeUse: false,
  newCustomerDays: null,
  ...given,
})

type Case = readonly [
  name: string,
  terms: Partial<Terms>,
  amount: bigint,
  refunded: bigint,
  gross: bigint,
  user: bigint,
  reason: string | null,
]
const dollars = { rewardType: 'CASHBACK_DOLLAR', groups: [group({ amount: '500' })] } as const
const tiers = {
  groups: [
    group({ name: 'small', ratePpm: 20_000, maxAmount: '4999' }),
    group({ name: 'large', ratePpm: 50_000, minAmount: '5000' }),
  ],
}
const CASES: readonly Case[] = [
  ['a percentage of the whole amount', {}, 5_000n, 0n, 250n, 250n, null],
  ['half a cent is rounded up, once, on the gross', {}, 10n, 0n, 1n, 1n, null],
  ['less than half a cent is nothing', {}, 9n, 0n, 0n, 0n, 'no_reward_value'],
  ['what is above max_spend earns nothing', { maxSpend: '2000' }, 5_000n, 0n, 100n, 100n, null],
  ['max_spend is inclusive', { maxSpend: '5000' }, 5_000n, 0n, 250n, 250n, null],
  ['min_spend is inclusive', { minSpend: '5000' }, 5_000n, 0n, 250n, 250n, null],
  ['a cent below min_spend earns nothing', { minSpend: '5000' }, 4_999n, 0n, 0n, 0n, 'below_min_spend'],
  ['a partial refund leaves the percentage of the rest', {}, 5_000n, 1_000n, 200n, 200n, null],
  ['a refund to below min_spend leaves nothing', { minSpend: '4500' }, 5_000n, 1_000n, 0n, 0n, 'below_min_spend'],
  [
    'a dollar reward is kept while min_spend is met',
    { ...dollars, minSpend: '4000' },
    5_000n,
    1_000n,
    500n,
    500n,
    null,
  ],
  ['a dollar reward ends with the last cent', dollars, 5_000n, 5_000n, 0n, 0n, 'below_min_spend'],
  [
    'fee and share are floors, the user gets the rest',
    { feePpm: 333_333, sharePpm: 333_333 },
    2_000n,
    0n,
    100n,
    34n,
    null,
  ],
  ['a discount is not credited', { rewardType: 'DISCOUNT_PERCENTAGE' }, 5_000n, 0n, 250n, 0n, null],
  ['the tier that holds the amount pays', tiers, 4_999n, 0n, 100n, 100n, null],
  ['a refund does not move a purchase to another tier', tiers, 5_000n, 2_000n, 150n, 150n, null],
  [
    'an amount that no tier holds earns nothing',
    { groups: [group({ name: 'large', ratePpm: 1, minAmount: '9000' })] },
    5_000n,
    0n,
    0n,
    0n,
    'no_commission_group',
  ],
]

for (const [name, given, amount, refunded, gross, user, reason] of CASES) {
  test(`target: ${name}`, () => {
    const target = targetOf(terms(given), { amount, refunded })
    assert.deepEqual([target.amounts.gross, target.amounts.user, target.reason], [gross, user, reason])
  })
}

test('a split always adds up to the cent, and no part is negative', () => {
  const ppm = fc.integer({ min: 0, max: 1_000_000 })
  const types = fc.constantFrom('CASHBACK_PERCENTAGE' as const, 'DISCOUNT_DOLLAR' as const)
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 13n }), ppm, ppm, types, (gross, feePpm, part, rewardType) => {
      const sharePpm = Math.min(part, 1_000_000 - feePpm)
      const { user, publisher, fee, discount } = splitOf({ feePpm, sharePpm, rewardType }, gross)
      assert.equal(user + publisher + fee + discount, gross)
      assert.ok([user, publisher, fee, discount].every((amount) => amount >= 0n))
    }),
    { numRuns: 20_000 },
  )
})
