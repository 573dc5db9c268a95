import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../../../../test/support/postgres.ts'
import { sample } from '../../../../test/support/runs.ts'
import { later, openStackingWorld, type Reported } from '../../../../test/support/same-purchase-world.ts'
import type { Policy } from './reports.ts'

const db = await openTestDatabase('stacking', { connections: 8 })
const world = await openStackingWorld(db)

const NOW = later(6)
const card: Reported = { id: 'card', source: 'CARD', kind: 'CLEARING', amount: 10_000n }
const hold: Reported = { id: 'hold', source: 'CARD', kind: 'AUTHORIZATION', amount: 10_000n }
const near: Reported = { ...card, id: 'near', amount: 9_000n, hours: -1 }
const sale: Reported = { id: 'sale', source: 'AFFILIATE', kind: 'CLEARING', amount: 9_000n, hours: -1 }

type Case = {
  readonly name: string
  readonly brand?: string
  readonly reported: readonly Reported[]
  /** The outcome of each purchase by policy, card purchases first. */
  readonly expected: Readonly<Record<Policy, string>>
}

const CASES: readonly Case[] = [
  {
    name: 'a purchase reported by card and as a sale is rewarded once',
    reported: [card, sale],
    expected: { AFFILIATE: 'card stacked, sale 315', CARD: 'card 700, sale stacked', BOTH: 'card 700, sale 315' },
  },
  {
    name: 'a rejected sale leaves the reward to the card',
    reported: [card, sale, { ...sale, id: 'back', kind: 'REVERSAL', of: 'sale', hours: 40 }],
    expected: {
      AFFILIATE: 'card 700, sale reversed',
      CARD: 'card 700, sale reversed',
      BOTH: 'card 700, sale reversed',
    },
  },
  {
    name: 'a purchase refunded only on the card leaves the reward to the sale',
    reported: [card, sale, { ...card, id: 'back', kind: 'REFUND', of: 'card', hours: 40 }],
    expected: {
      AFFILIATE: 'card refunded, sale 315',
      CARD: 'card refunded, sale 315',
      BOTH: 'card refunded, sale 315',
    },
  },
  {
    name: 'a partly refunded purchase stays one purchase',
    reported: [card, sale, { ...card, id: 'back', kind: 'REFUND', of: 'card', amount: 4_000n, hours: 40 }],
    expected: { AFFILIATE: 'card stacked, sale 315', CARD: 'card 420, sale stacked', BOTH: 'card 420, sale 315' },
  },
  {
    name: 'a corrected sale stays one purchase with its card purchase',
    reported: [card, sale, { ...sale, id: 'less', kind: 'AMENDMENT', of: 'sale', amount: 6_000n, hours: 40 }],
    expected: { AFFILIATE: 'card stacked, sale 210', CARD: 'card 700, sale stacked', BOTH: 'card 700, sale 210' },
  },
  {
    name: 'a card purchase that clears in parts is one purchase with its sale throughout',
    reported: [
      hold,
      { ...card, id: 'part', of: 'hold', amount: 4_000n, hours: 24 },
      { ...card, id: 'rest', of: 'hold', amount: 6_000n, hours: 48 },
      sale,
    ],
    expected: { AFFILIATE: 'hold stacked, sale 315', CARD: 'hold 700, sale stacked', BOTH: 'hold 700, sale 315' },
  },
  {
    name: 'a reversed hold leaves the reward to the sale',
    reported: [hold, sale, { ...hold, id: 'off', kind: 'REVERSAL', of: 'hold', hours: 24 }],
    expected: {
      AFFILIATE: 'hold reversed, sale 315',
      CARD: 'hold reversed, sale 315',
      BOTH: 'hold reversed, sale 315',
    },
  },
  {
    name: 'a side that no offer rewards does not take the reward from the other side',
    brand: 'picky',
    reported: [card, sale],
    expected: {
      AFFILIATE: 'card 700, sale source_not_eligible',
      CARD: 'card 700, sale stacked',
      BOTH: 'card 700, sale source_not_eligible',
    },
  },
  {
    name: 'reports with amounts too far apart are two purchases',
    reported: [{ ...card, amount: 14_000n }, sale],
    expected: { AFFILIATE: 'card 980, sale 315', CARD: 'card 980, sale 315', BOTH: 'card 980, sale 315' },
  },
  {
    name: 'reports with the same order number are one purchase, whatever the amounts, even if charged late',
    reported: [
      { ...card, amount: 14_000n, hours: 120, order: '#A-77' },
      { ...sale, order: 'a77' },
    ],
    expected: { AFFILIATE: 'card stacked, sale 315', CARD: 'card 980, sale stacked', BOTH: 'card 980, sale 315' },
  },
  {
    name: 'reports with different order numbers are two purchases',
    reported: [
      { ...card, order: '1' },
      { ...sale, order: '2' },
    ],
    expected: { AFFILIATE: 'card 700, sale 315', CARD: 'card 700, sale 315', BOTH: 'card 700, sale 315' },
  },
  {
    name: 'a card charged five days after the sale is another purchase',
    reported: [{ ...card, hours: 120 }, sale],
    expected: { AFFILIATE: 'card 700, sale 315', CARD: 'card 700, sale 315', BOTH: 'card 700, sale 315' },
  },
  {
    name: 'of two card purchases, the sale is paired with the one that fits best',
    reported: [{ ...card, id: 'near', amount: 9_100n }, card, sale],
    expected: {
      AFFILIATE: 'card 700, near stacked, sale 315',
      CARD: 'card 700, near 637, sale stacked',
      BOTH: 'card 700, near 637, sale 315',
    },
  },
  {
    name: 'two card purchases and two sales make two pairs, even though one card purchase fits both sales',
    reported: [card, { ...card, id: 'more', amount: 12_500n }, sale, { ...sale, id: 'tall', amount: 10_000n }],
    expected: {
      AFFILIATE: 'card stacked, more stacked, sale 315, tall 350',
      CARD: 'card 700, more 875, sale stacked, tall stacked',
      BOTH: 'card 700, more 875, sale 315, tall 350',
    },
  },
  {
    name: 'an offer for new customers counts the two reports as one purchase',
    brand: 'welcome',
    reported: [{ ...card, hours: -2 }, sale],
    expected: { AFFILIATE: 'card stacked, sale 315', CARD: 'card 700, sale stacked', BOTH: 'card 700, sale 315' },
  },
  {
    name: 'a sale counts as made when its card was charged, before any purchase in between',
    brand: 'welcome',
    reported: [card, { ...card, id: 'next', amount: 30_000n, hours: 0.5 }, { ...sale, hours: 1 }],
    expected: {
      AFFILIATE: 'card stacked, next not_a_new_customer, sale 315',
      CARD: 'card 700, next not_a_new_customer, sale stacked',
      BOTH: 'card 700, next not_a_new_customer, sale 315',
    },
  },
]

for (const { name, brand, reported, expected } of CASES)
  test(`${name}, in any arrival order`, async () => {
    for (const [policy, outcome] of Object.entries(expected) as [Policy, string][]) {
      const publisher = await world.publisher(policy)
      for (const arrival of sampleOrders(reported)) {
        const one = await world.user(publisher, brand)
        for (const event of arrival) await one.report([event], NOW)
        assert.equal(await one.shown(), outcome, `${policy}: ${arrival.map(({ id }) => id).join(' ')}`)
      }
      const one = await world.user(publisher, brand)
      await one.report(reported, NOW)
      assert.equal(await one.shown(), outcome, `${policy}: in one batch`)
      assert.deepEqual(await world.differences(publisher), [])
    }
  })

/** Returns both orders of two items, or three random orders of more items. */
function sampleOrders<T>(some: readonly T[]): T[][] {
  const all = permutations(some)
  return all.length <= 2 ? all : sample(all, 3 / all.length)
}

function permutations<T>(some: readonly T[]): T[][] {
  if (some.length < 2) return [[...some]]
  return some.flatMap((one, index) => permutations(some.toSpliced(index, 1)).map((rest) => [one, ...rest]))
}

test('a matured reward remains, and a sale reported later earns nothing', async () => {
  const one = await world.user(await world.publisher('AFFILIATE'))
  await one.report([card], NOW)
  await one.fallDue(later(40))
  await one.report([sale], later(41))
  assert.equal(await one.shown(), 'card 700 EARNED, sale stacked')
  assert.deepEqual(await one.balances(), { pending: 0n, available: 700n, debt: 0n })
  await one.report([{ ...card, id: 'back', kind: 'REFUND', of: 'card', hours: 1_000 }], later(42))
  assert.equal(await one.shown(), 'card 0 EARNED, sale 315')
  await one.fallDue(later(80))
  assert.deepEqual(await one.balances(), { pending: 0n, available: 315n, debt: 0n })
})

test('a card purchase reported after its sale matured earns nothing, even if cards are preferred', async () => {
  const one = await world.user(await world.publisher('CARD'))
  await one.report([sale], NOW)
  await one.fallDue(later(40))
  await one.report([card], later(41))
  assert.equal(await one.shown(), 'card stacked, sale 315 EARNED')
  await one.report([{ ...sale, id: 'back', kind: 'REVERSAL', of: 'sale', hours: 1_000 }], later(42))
  assert.equal(await one.shown(), 'card 700, sale 0 EARNED')
})

test('only the preferred one of two matured reports found to be of one purchase keeps its reward', async () => {
  const one = await world.user(await world.publisher('AFFILIATE'))
  await one.report([{ ...card, amount: 20_000n }, sale], NOW)
  await one.fallDue(later(40))
  assert.equal(await one.shown(), 'card 1400 EARNED, sale 315 EARNED')
  await one.report([{ ...card, id: 'less', kind: 'AMENDMENT', of: 'card', hours: 1_000 }], later(42))
  assert.equal(await one.shown(), 'card 0 EARNED, sale 315 EARNED')
  assert.deepEqual(await one.balances(), { pending: 0n, available: 315n, debt: 0n })
  await one.report([{ ...sale, id: 'back', kind: 'REVERSAL', of: 'sale', hours: 1_001 }], later(43))
  assert.equal(await one.shown(), 'card 700 EARNED, sale 0 EARNED')
})

test('a pair with a matured side remains paired, even if another report fits better', async () => {
  const one = await world.user(await world.publisher('AFFILIATE'))
  await one.report([card, sale], NOW)
  await one.fallDue(later(40))
  await one.report([near], later(41))
  assert.equal(await one.shown(), 'card stacked, near 630, sale 315 EARNED')
})

test('a matured report whose reward was clawed back can be re-paired, and each purchase is paid once', async () => {
  const one = await world.user(await world.publisher('AFFILIATE'), 'picky')
  const large = { ...sale, amount: 20_000n }
  await one.report([{ ...card, amount: 24_000n }, large], NOW)
  await one.fallDue(later(40))
  assert.equal(await one.shown(), 'card stacked, sale 700 EARNED')
  await one.report([{ ...large, id: 'less', kind: 'REFUND', amount: 100n, of: 'sale', hours: 1_000 }], later(43))
  assert.equal(await one.shown(), 'card 1680, sale 0 EARNED')
  await one.report(
    [
      { ...near, amount: 20_000n },
      { ...large, id: 'own', amount: 24_500n },
    ],
    later(44),
  )
  assert.equal(await one.shown(), 'card stacked, near 1400, own 858, sale 0 EARNED')
})

for (const matures of [false, true])
  test(`a rejected sale frees its ${matures ? 'matured' : 'pending'} card for another sale of the purchase`, async () => {
    const one = await world.user(await world.publisher('CARD'))
    const other: Reported = { ...sale, id: 'other', amount: 8_900n }
    await one.report([card, sale, { ...other, kind: 'AUTHORIZATION' }], NOW)
    assert.deepEqual(await one.pairs(), ['card sale AFFILIATE'])
    if (matures) await one.fallDue(later(38))
    await one.report([{ ...other, id: 'approved', of: 'other', hours: 39 * 24 }], later(39))
    await one.report([{ ...sale, id: 'no', kind: 'REVERSAL', of: 'sale', hours: 40 * 24 }], later(40))
    await one.fallDue(later(90))
    assert.equal(await one.shown(), 'card 700 EARNED, other stacked, sale reversed')
  })

test('an order number learned only after the reward matured pairs the purchase with a late sale', async () => {
  const one = await world.user(await world.publisher('CARD'))
  await one.report([card], NOW)
  await one.fallDue(later(33))
  await one.report([{ ...card, id: 'named', kind: 'AMENDMENT', of: 'card', order: 'A-1', hours: 32 * 24 }], later(33))
  await one.report([{ ...sale, amount: 5_000n, order: 'A-1', hours: 10 * 24 }], later(34))
  assert.equal(await one.shown(), 'card 700 EARNED, sale stacked')
})

test('a pending sale lapses after its lock period, and a late approval reopens it', async () => {
  const one = await world.user(await world.publisher('AFFILIATE'))
  await one.report([{ ...sale, kind: 'AUTHORIZATION' }], NOW)
  await one.fallDue(later(119))
  assert.equal(await one.shown(), 'sale 315')
  await one.fallDue(later(121))
  assert.equal(await one.shown(), 'sale authorization_expired')
  await one.report([{ ...sale, id: 'approved', of: 'sale', hours: 130 * 24 }], later(130))
  assert.equal(await one.shown(), 'sale 315')
})

test('a sale takes over the reward of a lapsed hold until the hold clears late', async () => {
  const one = await world.user(await world.publisher('CARD'))
  await one.report([hold, { ...sale, kind: 'AUTHORIZATION' }], NOW)
  assert.equal(await one.shown(), 'hold 700, sale stacked')
  await one.report([{ ...sale, id: 'approved', of: 'sale', hours: 100 }], NOW)
  await one.fallDue(later(11))
  assert.equal(await one.shown(), 'hold authorization_expired, sale 315')
  await one.report([{ ...card, of: 'hold', hours: 265 }], later(12))
  assert.equal(await one.shown(), 'hold 700, sale stacked')
})

test('an unpaid report releases its use of a one-time offer and reclaims the use once paid', async () => {
  const one = await world.user(await world.publisher('AFFILIATE'), 'once')
  await one.report([card], NOW)
  await one.report([sale], NOW)
  assert.equal(await one.shown(), 'card stacked, sale 315')
  await one.report([{ ...sale, id: 'back', kind: 'REVERSAL', of: 'sale', hours: 40 }], NOW)
  assert.equal(await one.shown(), 'card 700, sale reversed')
  await one.report([{ ...card, id: 'next', hours: 100 }], NOW)
  assert.equal(await one.shown(), 'card 700, next offer_already_used, sale reversed')
  const other = await world.user(await world.publisher('AFFILIATE'), 'once')
  await other.report([card, sale], NOW)
  await other.report([{ ...card, id: 'next', hours: 100 }], NOW)
  assert.equal(await other.shown(), 'card stacked, next 700, sale 315')
})

test('an unpaid report releases its hold on a budget', async () => {
  const publisher = await world.publisher('AFFILIATE')
  const one = await world.user(publisher, 'scarce')
  await one.report([card], NOW)
  const other = await world.user(publisher, 'scarce')
  await other.report([card], NOW)
  assert.equal(await other.shown(), 'card budget_exhausted')
  await one.report([sale], NOW)
  await other.report([{ ...card, id: 'next', hours: 2 }], NOW)
  assert.equal(await other.shown(), 'card budget_exhausted, next 700')
  assert.deepEqual(await world.differences(publisher), [])
})

test('a new policy changes decided pairs only in a re-match, which can be undone', async () => {
  const publisher = await world.publisher('AFFILIATE')
  const one = await world.user(publisher)
  await one.report([card, sale], NOW)
  const changed = await world.setPolicy(publisher, 'CARD')
  await one.report([{ ...card, id: 'back', kind: 'REFUND', of: 'card', amount: 1_000n, hours: 40 }], NOW, changed)
  assert.equal(await one.shown(), 'card stacked, sale 315')
  const rematch = await world.rematch(changed, NOW)
  assert.equal(await one.shown(), 'card 630, sale stacked')
  await world.undo(changed, rematch, NOW)
  assert.equal(await one.shown(), 'card stacked, sale 315')
  const both = await world.setPolicy(changed, 'BOTH')
  const second = await world.rematch(both, NOW)
  assert.equal(await one.shown(), 'card 630, sale 315')
  const back = await world.setPolicy(both, 'CARD')
  const third = await world.rematch(back, NOW)
  assert.equal(await one.shown(), 'card 630, sale stacked')
  await world.undo(back, third, NOW)
  assert.equal(await one.shown(), 'card 630, sale 315')
  await world.undo(back, second, NOW)
  assert.equal(await one.shown(), 'card stacked, sale 315')
  assert.deepEqual(await world.differences(back), [])
})

test("evaluate predicts the result, and each report's decision references the other report", async () => {
  const publisher = await world.publisher('AFFILIATE')
  for (const [first, second] of [
    [card, sale],
    [sale, card],
  ] as const) {
    const one = await world.user(publisher, 'welcome')
    await one.report([first], NOW)
    const judged = await one.evaluate(second, NOW)
    await one.report([second], NOW)
    const reported = await one.decisions(NOW)
    assert.equal(await one.shown(), 'card stacked, sale 315')
    assert.equal(judged.trace.status_reason, second === card ? 'stacked' : null)
    assert.equal(judged.paid.user, second === card ? 0n : 315n)
    const lines = reported.map(({ trace }) => trace.candidates.flatMap(({ rules }) => rules).filter(isStacking))
    assert.deepEqual(lines, [
      [{ rule: 'stacking', value: one.uid('sale'), bound: 'AFFILIATE', passed: false }],
      [{ rule: 'stacking', value: one.uid('card'), bound: 'AFFILIATE', passed: true }],
    ])
    const judgedLines = judged.trace.candidates.flatMap(({ rules }) => rules).filter(isStacking)
    assert.deepEqual(judgedLines, [
      { rule: 'stacking', value: one.uid(first.id), bound: 'AFFILIATE', passed: second !== card },
    ])
  }
})

function isStacking({ rule }: { readonly rule: string }): boolean {
  return rule === 'stacking'
}

test('evaluate predicts that a matured report keeps the reward', async () => {
  const one = await world.user(await world.publisher('AFFILIATE'))
  await one.report([card], NOW)
  await one.fallDue(later(40))
  const { trace, paid } = await one.evaluate(sale, later(41))
  assert.deepEqual([trace.status_reason, paid.user], ['stacked', 0n])
})

test('concurrent reports of one purchase, by card and as a sale, are paid only once', async () => {
  const publisher = await world.publisher('AFFILIATE')
  const users = await Promise.all(Array.from({ length: 24 }, () => world.user(publisher)))
  await Promise.all(users.flatMap((one) => [one.report([card], NOW), one.report([sale], NOW)]))
  for (const one of users) assert.equal(await one.shown(), 'card stacked, sale 315')
  assert.deepEqual(await world.differences(publisher), [])
})

test('a sale, its card purchase and a later purchase have the same outcome in any arrival order', async () => {
  const publisher = await world.publisher('AFFILIATE')
  const reported: readonly Reported[] = [
    { id: 'card', source: 'CARD', kind: 'CLEARING', amount: 10_000n },
    { id: 'sale', source: 'AFFILIATE', kind: 'CLEARING', amount: 10_000n },
    { id: 'card2', source: 'CARD', kind: 'CLEARING', amount: 5_000n, hours: 200 },
  ]
  for (const arrival of sampleOrders(reported)) {
    const user = await world.user(publisher, 'once')
    for (const one of arrival) await user.report([one], later(10))
    assert.equal(await user.shown(), 'card stacked, card2 350, sale 350', arrival.map(({ id }) => id).join(' '))
  }
})

test('more than 200 competing reports get the same pairs, regardless of which arrives last', async () => {
  const publisher = await world.publisher('AFFILIATE')
  // A chain spanning a month. A single card precedes pairs of card and sale, so that chunks of 200 split a pair.
  const chain = Array.from({ length: 121 }, (_, nth): Reported[] => [
    { ...card, id: `card${nth}`, hours: nth * 6 },
    { ...card, id: `sale${nth}`, source: 'AFFILIATE', hours: nth * 6 + 1 },
  ]).flat()
  const reported = chain.filter(({ id }) => id !== 'sale0')
  const whole = await world.user(publisher)
  await whole.report(reported, later(40))
  const expected = [await whole.shown(), await whole.pairs()]
  for (const last of ['card0', 'sale60', 'sale120']) {
    const one = await world.user(publisher)
    const [others, rest] = [reported.filter(({ id }) => id !== last), reported.filter(({ id }) => id === last)]
    await one.report(others, later(40))
    await one.report(rest, later(40))
    assert.deepEqual([await one.shown(), await one.pairs()], expected, `${last} is last`)
  }
})
