import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permutations } from '../../../../test/support/folding.ts'
import { openTestDatabase } from '../../../../test/support/postgres.ts'
import {
  type ArrivalCase,
  later,
  openStackingWorld,
  type Reported,
  testArrivals,
} from '../../../../test/support/same-purchase-world.ts'
import type { Policy } from './reports.ts'

// One sale that a network reports for a click and the publisher also posts.
const db = await openTestDatabase('network_sales')
const world = await openStackingWorld(db)

const NOW = later(6)
const posted: Reported = { id: 'posted', source: 'AFFILIATE', kind: 'CLEARING', amount: 9_000n, order: 'a77' }
const network: Reported = { ...posted, id: 'network', isFromClick: true, order: '#Ａ-77', hours: -1 }
const card: Reported = { id: 'card', source: 'CARD', kind: 'CLEARING', amount: 10_000n }
const after = (of: Reported, kind: Reported['kind'], amount = of.amount): Reported => ({
  ...of,
  id: `${of.id}-${kind}`,
  kind,
  amount,
  of: of.id,
  hours: 40,
})
const withoutOrder = ({ order: _, ...rest }: Reported): Reported => rest

/** The network's statement of the sale's total. */
const states = (amount: bigint, hours: number): Reported => ({
  ...network,
  id: `stated-${amount}`,
  of: 'network',
  amount,
  hours,
  facts: { stated: { item: '', lockDays: 90, isTimed: true } },
})

const CASES: readonly ArrivalCase[] = [
  {
    name: 'a sale reported by both network and publisher is rewarded once',
    reported: [network, posted],
    expected: 'network 315, posted stacked',
  },
  {
    name: 'reports with the same order number are one sale, whatever the amounts and days',
    reported: [network, { ...posted, amount: 10_000n, hours: 200 }],
    expected: 'network 315, posted stacked',
  },
  {
    name: 'reports with different order numbers are two sales',
    reported: [network, { ...posted, order: 'a78' }],
    expected: 'network 315, posted 315',
  },
  {
    name: 'without an order number, nothing proves that two reports are of one sale',
    reported: [withoutOrder(network), withoutOrder(posted)],
    expected: 'network 315, posted 315',
  },
  {
    name: 'a rejection by the network takes back the reward of both reports',
    reported: [network, posted, after(network, 'REVERSAL')],
    expected: 'network reversed, posted refunded',
  },
  {
    name: 'a partial rejection by the network applies to both reports',
    reported: [network, posted, after(network, 'REVERSAL', 4_000n)],
    expected: 'network 175, posted stacked',
  },
  {
    name: 'a refund reported by the publisher applies to both reports',
    reported: [network, posted, after(posted, 'REFUND')],
    expected: 'network refunded, posted refunded',
  },
  {
    name: 'if the publisher posts only part of an order, its full refund takes back only that part',
    reported: [network, { ...posted, amount: 4_000n }, after({ ...posted, amount: 4_000n }, 'REFUND')],
    expected: 'network 175, posted refunded',
  },
  {
    name: 'a partial refund reported by both is deducted once',
    reported: [network, posted, after(network, 'REVERSAL', 4_000n), after(posted, 'REFUND', 4_000n)],
    expected: 'network 175, posted stacked',
  },
  {
    name: 'a report that the publisher voids leaves the reward to the network',
    reported: [network, posted, after(posted, 'REVERSAL')],
    expected: 'network 315, posted reversed',
  },
  {
    name: 'a refund from the publisher counts in addition to a lower total that both reports state',
    reported: [states(9_000n, -2), states(6_000n, -1), { ...posted, amount: 6_000n }, after(posted, 'REFUND', 1_000n)],
    expected: 'network 175, posted stacked',
  },
  {
    name: 'a refund from the publisher and a lower total from the network are deducted only once',
    reported: [states(9_000n, -2), states(6_000n, -1), posted, after(posted, 'REFUND', 3_000n)],
    expected: 'network 210, posted stacked',
  },
  {
    name: 'a lower total stated by both reports counts once',
    reported: [states(9_000n, -2), states(6_000n, -1), posted, after(posted, 'AMENDMENT', 6_000n)],
    expected: 'network 210, posted stacked',
  },
  {
    name: 'a second report of a sale does not make its user a returning customer',
    brand: 'welcome',
    reported: [network, { ...posted, hours: -2 }],
    expected: 'network 315, posted stacked',
  },
  {
    name: 'a second report of a sale does not use up an offer',
    brand: 'once',
    reported: [network, { ...posted, hours: -2 }],
    expected: 'network 315, posted stacked',
  },
]

testArrivals(world, 'AFFILIATE', CASES, NOW)

test('a card purchase with two sale reports earns one reward, or two if the policy pays both sides', async () => {
  const expected: Readonly<Record<Policy, string>> = {
    AFFILIATE: 'card stacked, network 315, posted stacked',
    CARD: 'card 700, network stacked, posted stacked',
    BOTH: 'card 700, network 315, posted stacked',
  }
  for (const [policy, outcome] of Object.entries(expected) as [Policy, string][]) {
    const publisher = await world.publisher(policy)
    for (const arrival of permutations([card, network, posted])) {
      const one = await world.user(publisher)
      for (const event of arrival) await one.report([event], NOW)
      assert.equal(await one.shown(), outcome, `${policy}: ${arrival.map(({ id }) => id).join(' ')}`)
    }
    const one = await world.user(publisher)
    await one.report([card, network, posted, after(network, 'REVERSAL')], NOW)
    assert.equal(await one.shown(), 'card 700, network reversed, posted refunded')
    assert.deepEqual(await world.differences(publisher), [])
  }
})

test('the posted report earns the reward if the network never approves the sale', async () => {
  const publisher = await world.publisher('AFFILIATE')
  const one = await world.user(publisher)
  await one.report([{ ...network, kind: 'AUTHORIZATION' }, posted], NOW)
  assert.equal(await one.shown(), 'network 315, posted stacked')
  await one.fallDue(later(130))
  assert.equal(await one.shown(), 'network authorization_expired, posted 315 EARNED')
  assert.deepEqual(await world.differences(publisher), [])
})

test('a matured reward remains with the report that earned it until the sale is refunded', async () => {
  const publisher = await world.publisher('AFFILIATE')
  const one = await world.user(publisher)
  await one.report([posted], NOW)
  await one.fallDue(later(40))
  await one.report([network], later(41))
  assert.equal(await one.shown(), 'network stacked, posted 315 EARNED')
  await one.report([after(network, 'REVERSAL', 4_000n)], later(42))
  assert.equal(await one.shown(), 'network stacked, posted 175 EARNED')
  assert.deepEqual(await one.balances(), { pending: 0n, available: 175n, debt: 0n })
  assert.deepEqual(await world.differences(publisher), [])
})

test("a total that the network lowers reduces a matured posted sale's reward exactly once", async () => {
  const publisher = await world.publisher('AFFILIATE')
  const one = await world.user(publisher)
  await one.report([posted], NOW)
  await one.fallDue(later(40))
  await one.report([states(9_000n, 0)], later(41))
  assert.equal(await one.shown(), 'network stacked, posted 315 EARNED')
  await one.report([states(6_000n, 1)], later(42))
  assert.equal(await one.shown(), 'network stacked, posted 210 EARNED')
  assert.deepEqual(await one.balances(), { pending: 0n, available: 210n, debt: 0n })
  await one.report([after(posted, 'REFUND', 3_000n)], later(43))
  assert.equal(await one.shown(), 'network stacked, posted 210 EARNED')
  assert.deepEqual(await world.differences(publisher), [])
})

test('amounts that the network has not approved yet are not clawed back from a matured posted sale', async () => {
  const publisher = await world.publisher('AFFILIATE')
  const one = await world.user(publisher)
  const item = (kind: Reported['kind'], amount: bigint, hours: number): Reported => ({
    ...states(amount, hours),
    id: `item-${kind}`,
    kind,
    facts: { stated: { item: 'a', lockDays: 90, isTimed: true } },
  })
  await one.report([posted], NOW)
  await one.fallDue(later(40))
  const pending = [states(12_000n, 0), states(9_000n, 1)].map((some) => ({ ...some, kind: 'AUTHORIZATION' }) as const)
  await one.report([...pending, item('CLEARING', 6_000n, 2)], later(41))
  assert.equal(await one.shown(), 'network stacked, posted 315 EARNED')
  await one.report([{ ...states(8_000n, 3), kind: 'AUTHORIZATION' }], later(42))
  assert.equal(await one.shown(), 'network stacked, posted 280 EARNED')
  assert.deepEqual(await world.differences(publisher), [])
})

test('two matured reports found to be of the same sale keep only one reward', async () => {
  const publisher = await world.publisher('AFFILIATE')
  const one = await world.user(publisher)
  await one.report([network, withoutOrder(posted)], NOW)
  await one.fallDue(later(40))
  assert.equal(await one.shown(), 'network 315 EARNED, posted 315 EARNED')
  await one.report([after(posted, 'AMENDMENT')], later(41))
  assert.equal(await one.shown(), 'network 315 EARNED, posted 0 EARNED')
  assert.deepEqual(await world.differences(publisher), [])
})

test('undoing a re-match restores a sale with two reports and its card purchase', async () => {
  const publisher = await world.publisher('AFFILIATE')
  const one = await world.user(publisher)
  await one.report([card, network, posted], NOW)
  const changed = await world.setPolicy(publisher, 'CARD')
  const rematch = await world.rematch(changed, NOW)
  assert.equal(await one.shown(), 'card 700, network stacked, posted stacked')
  await world.undo(changed, rematch, NOW)
  assert.equal(await one.shown(), 'card stacked, network 315, posted stacked')
  assert.deepEqual(await world.differences(publisher), [])
})

test("evaluate predicts the result, and each report's decision references the other report", async () => {
  const one = await world.user(await world.publisher('AFFILIATE'))
  await one.report([network], NOW)
  const judged = await one.evaluate(posted, NOW)
  assert.deepEqual([judged.trace.status_reason, judged.paid.user], ['stacked', 0n])
  await one.report([posted], NOW)
  const lines = (await one.decisions(NOW)).map(({ trace }) =>
    trace.candidates.flatMap(({ rules }) => rules).filter(({ rule }) => rule === 'stacking'),
  )
  assert.deepEqual(lines, [
    [{ rule: 'stacking', value: one.uid('posted'), bound: 'NETWORK', passed: true }],
    [{ rule: 'stacking', value: one.uid('network'), bound: 'NETWORK', passed: false }],
  ])
})
