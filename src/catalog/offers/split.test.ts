import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dollars, exampleOffer, examplePurchase, exampleUser, item, makeOffer, rate } from '../../../test/offers/row.ts'
import { runs } from '../../../test/support/runs.ts'
import { roundHalfUp } from '../../platform/money.ts'
import type { CommissionGroup } from '../catalog/index.ts'
import { computeOfferNet } from '../catalog/net.ts'
import { computeTarget, splitGross } from './amounts.ts'
import type { BoughtItem, Goods } from './goods.ts'
import { freezeTerms, needsHistory, reevaluateTerms, type Terms } from './terms.ts'

// The rule book (test/offers) covers amounts. These tests cover properties that hold for every offer.

const noSplit = { feePpm: 0, sharePpm: 0 }
const whole = (amount: bigint): Goods => ({ amount, refunded: 0n, items: [] })
const makeTerms = (offer: Parameters<typeof makeOffer>[0], split = noSplit): Terms =>
  freezeTerms(makeOffer(offer), examplePurchase, exampleUser, split)

// Using only a few names makes groups and items overlap, and amounts in a similar range make bounds take effect.
const NAMES = ['shoes', 'socks', 'hats']
const names = fc.subarray(NAMES)
const money = fc.bigInt({ min: 1n, max: 20_000n })
const band = fc.record({
  minAmount: fc.option(money, { freq: 3 }),
  maxAmount: fc.option(money, { freq: 6 }),
})
const bounds = fc
  .record({ name: fc.constantFrom('a', 'b', null), productGroups: names, skus: fc.oneof(fc.constant([]), names) })
  .chain((bound) => band.map((amounts) => ({ ...bound, ...amounts })))
const rates = fc.array(
  fc.tuple(fc.integer({ min: 1, max: 300_000 }), bounds).map(([ratePpm, more]) => ({ ...rate(0), ...more, ratePpm })),
  { minLength: 1, maxLength: 5 },
)
const amounts = fc.array(
  fc.tuple(fc.bigInt({ min: 1n, max: 3_000n }), bounds).map(([amount, more]) => dollars(amount, more)),
  { minLength: 1, maxLength: 5 },
)
const offers = fc.oneof(
  rates.map((groups) => ({ rewardType: 'CASHBACK_PERCENTAGE' as const, groups })),
  amounts.map((groups) => ({ rewardType: 'CASHBACK_DOLLAR' as const, groups })),
)
const line: fc.Arbitrary<BoughtItem> = fc
  .record({
    sku: fc.option(fc.constantFrom(...NAMES)),
    productGroup: fc.option(fc.constantFrom(...NAMES)),
    amount: money,
  })
  .chain((bought) => fc.bigInt({ min: 0n, max: bought.amount }).map((refunded) => ({ ...bought, refunded })))
const goods: fc.Arbitrary<Goods> = fc
  .tuple(fc.array(line, { maxLength: 6 }), fc.bigInt({ min: 0n, max: 20_000n }))
  .chain(([items, rest]) => {
    const sum = (pick: (one: BoughtItem) => bigint): bigint => items.reduce((all, one) => all + pick(one), 0n)
    const amount = sum((one) => one.amount) + rest || 1n
    return fc
      .bigInt({ min: 0n, max: amount - sum((one) => one.amount) })
      .map((back) => ({ amount, items, refunded: sum((one) => one.refunded) + back }))
  })
const computeGross = (terms: Terms, bought: Goods): bigint => computeTarget(terms, bought).amounts.gross
const bestRate = (groups: readonly CommissionGroup[]): bigint =>
  groups.reduce((best, { ratePpm }) => (BigInt(ratePpm ?? 0) > best ? BigInt(ratePpm ?? 0) : best), 0n)
const RUNS = { numRuns: runs(5_000) }

test('a higher max_spend never lowers a reward, and no reward exceeds max_spend at the best rate', () => {
  fc.assert(
    fc.property(rates, goods, money, money, (groups, bought, a, b) => {
      const [low, high] = a < b ? [a, b] : [b, a]
      const under = (maxSpend: bigint | null): bigint => computeGross(makeTerms({ groups, maxSpend }), bought)
      assert.ok(under(low) <= under(high))
      assert.ok(under(high) <= under(null))
      for (const bound of [low, high]) assert.ok(under(bound) <= roundHalfUp(bound * bestRate(groups)))
    }),
    RUNS,
  )
})

test('a higher min_spend never raises a reward', () => {
  fc.assert(
    fc.property(offers, goods, money, money, (offer, bought, a, b) => {
      const [low, high] = a < b ? [a, b] : [b, a]
      const from = (minSpend: bigint): bigint => computeGross(makeTerms({ ...offer, minSpend }), bought)
      assert.ok(from(high) <= from(low))
      assert.ok([0n, computeGross(makeTerms(offer), bought)].includes(from(low)))
    }),
    RUNS,
  )
})

test('no purchase earns more than its best group pays', () => {
  const part = fc.integer({ min: 0, max: 400_000 })
  fc.assert(
    fc.property(offers, goods, part, part, (offer, bought, feePpm, sharePpm) => {
      const split = { feePpm, sharePpm }
      const { gross, user } = computeTarget(makeTerms(offer, split), bought).amounts
      const { maxCustomerOffer } = computeOfferNet(makeOffer(offer), split)
      const left = bought.amount - bought.refunded
      if (offer.rewardType === 'CASHBACK_DOLLAR') assert.ok(user <= maxCustomerOffer)
      else assert.ok(gross <= roundHalfUp(left * bestRate(offer.groups)))
    }),
    RUNS,
  )
})

test('reordering items, or splitting an item in two, does not change the reward', () => {
  fc.assert(
    fc.property(offers, goods, money, fc.infiniteStream(fc.nat()), (offer, bought, maxSpend, keys) => {
      const terms = makeTerms({ ...offer, maxSpend })
      const halves = bought.items.flatMap((one) => {
        const half = { amount: one.amount / 2n, refunded: one.refunded / 2n }
        return [
          { ...one, ...half },
          { ...one, amount: one.amount - half.amount, refunded: one.refunded - half.refunded },
        ]
      })
      const shuffled = halves
        .map((one) => ({ one, key: keys.next().value as number }))
        .sort((a, b) => a.key - b.key)
        .map(({ one }) => one)
      assert.equal(computeGross(terms, { ...bought, items: shuffled }), computeGross(terms, bought))
    }),
    RUNS,
  )
})

test('a refund never raises a reward', () => {
  fc.assert(
    fc.property(offers, goods, fc.option(money), (offer, bought, maxSpend) => {
      const terms = makeTerms({ ...offer, maxSpend })
      const kept = { ...bought, refunded: 0n, items: bought.items.map((one) => ({ ...one, refunded: 0n })) }
      assert.ok(computeGross(terms, bought) <= computeGross(terms, kept))
    }),
    RUNS,
  )
})

test('the parts in the trace cover the purchase after refunds and add up to the gross', () => {
  const minor = (text: string): bigint => BigInt(text.replace('.', ''))
  const product = (text: string): bigint => {
    const [units = '', decimals = ''] = text.split('.')
    return BigInt(units + decimals.padEnd(8, '0'))
  }
  fc.assert(
    fc.property(offers, goods, fc.option(money), (offer, bought, maxSpend) => {
      const { arithmetic, amounts: paid } = computeTarget(makeTerms({ ...offer, maxSpend }), bought)
      const { parts, unrounded, eligible_amount } = arithmetic
      const sum = (texts: readonly string[], read: (text: string) => bigint): bigint =>
        texts.reduce((all, text) => all + read(text), 0n)
      const left = bought.amount - bought.refunded
      assert.equal(
        sum(
          parts.map((part) => part.amount),
          minor,
        ),
        left,
      )
      assert.equal(
        sum(
          parts.map((part) => part.eligible_amount),
          minor,
        ),
        minor(eligible_amount),
      )
      assert.ok(maxSpend === null || minor(eligible_amount) <= maxSpend)
      assert.equal(
        sum(
          parts.map((part) => part.unrounded),
          product,
        ),
        product(unrounded),
      )
      assert.equal(roundHalfUp(product(unrounded)), paid.gross)
    }),
    RUNS,
  )
})

test('the target is a pure function of terms and purchase', () => {
  fc.assert(
    fc.property(offers, goods, (offer, bought) => {
      const terms = makeTerms(offer)
      const before = structuredClone({ terms, bought })
      assert.deepEqual(computeTarget(terms, bought), computeTarget(before.terms, before.bought))
      assert.deepEqual({ terms, bought }, before)
    }),
    { numRuns: runs(500) },
  )
})

test('a split adds up to the cent, and no part is negative', () => {
  const ppm = fc.integer({ min: 0, max: 1_000_000 })
  const types = fc.constantFrom('CASHBACK_PERCENTAGE' as const, 'DISCOUNT_DOLLAR' as const)
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 13n }), ppm, ppm, types, (gross, feePpm, part, rewardType) => {
      const sharePpm = Math.min(part, 1_000_000 - feePpm)
      const { user, publisher, fee, discount } = splitGross({ feePpm, sharePpm, rewardType }, gross)
      assert.equal(user + publisher + fee + discount, gross)
      assert.ok([user, publisher, fee, discount].every((amount) => amount >= 0n))
    }),
    { numRuns: runs(20_000) },
  )
})

test('the arithmetic shows each part, the sum, the rounding and the split', () => {
  const groups = [rate(1.25, { name: 'hats', productGroups: ['hats'] }), rate(3, { name: 'all else' })]
  const items = [
    item({ productGroup: 'hats', amount: 1_001n }),
    item({ sku: '7', productGroup: 'socks', amount: 2_000n, refunded: 500n }),
    item({ productGroup: 'hats', amount: 1_000n }),
  ]
  const terms = makeTerms({ groups, minSpend: 1_000n, maxSpend: 4_000n }, { feePpm: 100_000, sharePpm: 200_000 })
  assert.deepEqual(computeTarget(terms, { amount: 5_000n, refunded: 500n, items }).arithmetic, {
    amount: '50.00',
    refunded: '5.00',
    eligible_amount: '40.00',
    min_spend: '10.00',
    max_spend: '40.00',
    parts: [
      {
        commission_group: 'all else',
        items: ['7'],
        amount: '24.99',
        eligible_amount: '24.99',
        rate_percent: 3,
        fixed_amount: null,
        unrounded: '0.7497',
      },
      {
        commission_group: 'hats',
        items: ['hats', 'hats'],
        amount: '20.01',
        eligible_amount: '15.01',
        rate_percent: 1.25,
        fixed_amount: null,
        unrounded: '0.187625',
      },
    ],
    commission_group: 'all else, hats',
    rate_percent: null,
    fixed_amount: null,
    unrounded: '0.937325',
    gross: '0.94',
    fee_percent: 10,
    fee_unrounded: '0.094',
    fee: '0.09',
    share_percent: 20,
    publisher_share_unrounded: '0.188',
    publisher_share: '0.18',
    user_reward: '0.67',
  })
})

test('the trace shows which fixed-amount group pays and which goods earn nothing', () => {
  const groups = [
    dollars(300n, { name: 'socks', productGroups: ['socks'] }),
    dollars(500n, { name: 'hats', productGroups: ['hats'] }),
  ]
  const items = [item({ productGroup: 'socks', amount: 1_000n }), item({ productGroup: 'hats', amount: 1_000n })]
  const { arithmetic } = computeTarget(makeTerms({ rewardType: 'CASHBACK_DOLLAR', groups }), {
    ...whole(5_000n),
    items,
  })
  assert.deepEqual(
    arithmetic.parts.map((part) => [part.commission_group, part.amount, part.fixed_amount, part.unrounded]),
    [
      ['hats', '10.00', '5.00', '5.00'],
      ['socks', '10.00', '3.00', '0.00'],
      [null, '30.00', null, '0.00'],
    ],
  )
  assert.deepEqual([arithmetic.commission_group, arithmetic.fixed_amount, arithmetic.gross], ['hats', '5.00', '5.00'])
})

test("groups that pay the same keep the offer's order, even under max_spend", () => {
  const groups = ['socks', 'hats'].map((name) => rate(2, { name, productGroups: [name] }))
  const items = ['hats', 'socks'].map((name) => item({ productGroup: name, amount: 1_000n }))
  const { parts } = computeTarget(makeTerms({ groups, maxSpend: 1_500n }), { ...whole(2_000n), items }).arithmetic
  assert.deepEqual(
    parts.map((part) => [part.commission_group, part.eligible_amount]),
    [
      ['socks', '10.00'],
      ['hats', '5.00'],
    ],
  )
})

test('a part with many items lists only the first 20', () => {
  const items = Array.from({ length: 25 }, (_, index) => item({ sku: `sku ${index}`, amount: 100n }))
  const [part] = computeTarget(makeTerms({}), { ...whole(2_500n), items }).arithmetic.parts
  assert.equal(part?.items.length, 21)
  assert.equal(part?.items.at(-1), 'and 5 more')
  const [twenty] = computeTarget(makeTerms({}), { ...whole(2_000n), items: items.slice(0, 20) }).arithmetic.parts
  assert.equal(twenty?.items.at(-1), 'sku 19')
})

test('terms frozen before product groups existed pay as before', () => {
  const old: Terms = {
    offerUid: 'o',
    brandUid: 'b',
    offerType: 'CARD_LINKED',
    rewardType: 'CASHBACK_PERCENTAGE',
    currency: 'USD',
    groups: [
      { name: 'small', ratePpm: 20_000, amount: null, minAmount: null, maxAmount: '4999' },
      { name: 'large', ratePpm: 50_000, amount: null, minAmount: '5000', maxAmount: null },
    ],
    feePpm: 0,
    sharePpm: 0,
    minSpend: null,
    maxSpend: '6000',
    refundPeriodDays: 30,
    oneTimeUse: false,
    newCustomerDays: 365,
  }
  assert.equal(computeGross(old, whole(4_999n)), 100n)
  assert.equal(computeGross(old, { ...whole(9_000n), refunded: 1_000n }), 300n)
  assert.equal(computeGross(old, { ...whole(5_000n), items: [item({ productGroup: 'hats', amount: 5_000n })] }), 250n)
  assert.deepEqual(reevaluateTerms(old, new Date(0), null), { terms: old, reason: null })
})

test("frozen terms keep every group and the offer's version", () => {
  const groups = [rate(5, { productGroups: ['hats'] }), rate(3, { skus: ['7'], minAmount: 10n }), rate(2)]
  const frozen = JSON.parse(JSON.stringify(makeTerms({ groups, version: 7 }))) as Terms
  assert.equal(frozen.offerVersion, 7)
  assert.deepEqual(frozen.groups, [
    { name: null, ratePpm: 50_000, amount: null, minAmount: null, maxAmount: null, productGroups: ['hats'] },
    { name: null, ratePpm: 30_000, amount: null, minAmount: '10', maxAmount: null, skus: ['7'] },
    { name: null, ratePpm: 20_000, amount: null, minAmount: null, maxAmount: null },
  ])
  assert.equal(frozen.customer, undefined)
})

test('under frozen terms, the kind of customer depends on the currently known purchases', () => {
  const groups = [rate(8, { customer: 'new' }), rate(5, { customer: 'lapsed' }), rate(2, { customer: 'returning' })]
  const terms = makeTerms({ groups })
  const at = examplePurchase.at
  const known = (days: number | null) =>
    reevaluateTerms(terms, at, days === null ? null : new Date(at.getTime() - days * 86_400_000))
  const paid = (days: number | null) => computeGross(known(days).terms, whole(10_000n))
  assert.deepEqual([null, 400, 200, 100].map(paid), [800n, 800n, 500n, 200n])
  assert.equal(known(100).reason, null)
})

test('terms depend on earlier purchases if any part of them does', () => {
  assert.equal(needsHistory(makeTerms({})), false)
  assert.equal(needsHistory(makeTerms({ newCustomerOnly: true })), true)
  assert.equal(needsHistory(makeTerms({ conditions: { lapsedCustomerOnly: true } })), true)
  assert.equal(needsHistory(makeTerms({ groups: [rate(5, { customer: 'returning' })] })), true)
})

test('a reward for new or lapsed customers requires that kind of customer', () => {
  const before = (days: number): Date => new Date(examplePurchase.at.getTime() - days * 86_400_000)
  const findReason = (offer: Parameters<typeof makeOffer>[0], previous: Date | null) =>
    reevaluateTerms(makeTerms(offer), examplePurchase.at, previous).reason
  const fresh = { newCustomerOnly: true, newCustomerDays: 30 }
  assert.deepEqual(
    [null, before(31), before(30)].map((previous) => findReason(fresh, previous)),
    [null, null, 'not_a_new_customer'],
  )
  const lapsed = { conditions: { ...exampleOffer.conditions, lapsedCustomerOnly: true, lapsedCustomerDays: 30 } }
  assert.deepEqual(
    [null, before(31), before(30)].map((previous) => findReason(lapsed, previous)),
    ['not_a_lapsed_customer', null, 'not_a_lapsed_customer'],
  )
})
