import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../../../../test/support/postgres.ts'
import {
  type ArrivalCase,
  later,
  openStackingWorld,
  type Reported,
  testArrivals,
} from '../../../../test/support/same-purchase-world.ts'
import { ingestEvents } from '../intake/intake.ts'
import type { Policy } from './reports.ts'

// One card purchase, reported by the publisher and by the feed of the linked card.
const db = await openTestDatabase('reported_twice')
const world = await openStackingWorld(db)

const NOW = later(6)
const card: Reported = { id: 'card', source: 'CARD', kind: 'CLEARING', amount: 10_000n }
const feed: Reported = { ...card, id: 'feed', isFeed: true, hours: 1 }
const sale: Reported = { id: 'sale', source: 'AFFILIATE', kind: 'CLEARING', amount: 9_000n, hours: -1 }
const after = (of: Reported, kind: Reported['kind'], amount = of.amount, id = `${of.id} ${kind}`): Reported => ({
  ...of,
  id: id.replaceAll(' ', '-'),
  kind,
  amount,
  of: of.id,
  hours: 40,
})

const nextCard: Reported = { ...card, id: 'nextCard', hours: 96 }
const nextFeed: Reported = { ...feed, id: 'nextFeed', hours: 97 }
const TWO = [card, feed, nextCard, nextFeed]

/** A hold that clears in two parts. */
const cleared: readonly Reported[] = [
  { ...card, kind: 'AUTHORIZATION' },
  { ...after(card, 'CLEARING', 3_000n, 'first'), hours: 2 },
  { ...after(card, 'CLEARING', 7_000n, 'second'), hours: 24 },
]

/** The feed's rows for these parts. */
const PARTS: readonly Reported[] = [
  { ...feed, amount: 3_000n },
  { ...feed, id: 'feed2', amount: 7_000n, hours: 24 },
]

const CASES: readonly ArrivalCase[] = [
  {
    name: 'a purchase reported by both publisher and feed is rewarded once',
    reported: [card, feed],
    expected: 'card 700, feed stacked',
  },
  {
    name: 'two purchases of the same amount on one day stay two, even if only one is reported by both',
    reported: [card, { ...card, id: 'next', hours: 3 }, feed],
    expected: 'card 700, feed stacked, next 700',
  },
  {
    name: 'a refund from the feed takes back the reward of the reported purchase',
    reported: [card, feed, after(feed, 'REFUND')],
    expected: 'card refunded, feed refunded',
  },
  {
    name: 'a partial refund from the feed applies to the reported purchase',
    reported: [card, feed, after(feed, 'REFUND', 4_000n)],
    expected: 'card 420, feed stacked',
  },
  {
    name: 'a partial refund reported by both is deducted once',
    reported: [card, feed, after(feed, 'REFUND', 4_000n), after(card, 'REFUND', 4_000n)],
    expected: 'card 420, feed stacked',
  },
  {
    name: 'a refund that the publisher states as a new total counts once',
    reported: [card, feed, after(card, 'AMENDMENT', 6_000n), after(feed, 'REFUND', 4_000n)],
    expected: 'card 420, feed stacked',
  },
  {
    name: 'a refund that the reported amount already excludes counts once',
    reported: [{ ...card, amount: 6_000n }, feed, after(feed, 'REFUND', 4_000n)],
    expected: 'card 420, feed stacked',
  },
  {
    name: 'a refund from the feed of the part of a hold that never clears counts once',
    reported: [
      { ...card, kind: 'AUTHORIZATION' },
      after(card, 'CLEARING', 6_000n),
      feed,
      after(feed, 'REFUND', 4_000n),
    ],
    expected: 'card 420, feed stacked',
  },
  {
    name: 'a purchase that the publisher voids is rewarded as long as the bank still shows it',
    reported: [card, feed, after(card, 'REVERSAL')],
    expected: 'card reversed, feed 700',
  },
  {
    name: 'a row that the bank drops leaves the reward to the reported purchase',
    reported: [card, feed, after(feed, 'REVERSAL')],
    expected: 'card 700, feed reversed',
  },
  {
    name: 'a refund still counts when its purchase is voided afterwards',
    reported: [card, feed, after(card, 'REFUND'), { ...after(card, 'REVERSAL'), hours: 41 }],
    expected: 'card reversed, feed refunded',
  },
  {
    name: 'a partial refund still counts when the rest of the purchase is voided afterwards',
    reported: [card, feed, after(card, 'REFUND', 4_000n), { ...after(card, 'REVERSAL', 6_000n), hours: 41 }],
    expected: 'card reversed, feed 420',
  },
  {
    name: 'a full refund in one report is a full refund in both, even if only one includes a tip',
    reported: [card, { ...feed, kind: 'AUTHORIZATION' }, after(feed, 'CLEARING', 12_500n), after(card, 'REFUND')],
    expected: 'card refunded, feed refunded',
  },
  {
    name: "two refunds from the publisher both count, even if one is attached to the feed's row",
    reported: [card, feed, { ...after(feed, 'REFUND', 2_000n), isFeed: false }, after(card, 'REFUND', 3_000n)],
    expected: 'card 350, feed stacked',
  },
  {
    name: 'a refund attached to different purchases counts once, where the publisher attached it',
    reported: [...TWO, after(card, 'REFUND'), { ...after(nextFeed, 'REFUND'), hours: 130 }],
    expected: 'card refunded, feed refunded, nextCard 700, nextFeed stacked',
  },
  {
    name: 'a partial refund that publisher and feed attach to different purchases counts once',
    reported: [...TWO, after(card, 'REFUND', 4_000n), after(nextFeed, 'REFUND', 4_000n)],
    expected: 'card 420, feed stacked, nextCard 700, nextFeed stacked',
  },
  {
    name: 'a refund attached to different purchases counts once even if each purchase has only one report',
    reported: [card, nextFeed, after(card, 'REFUND'), { ...after(nextFeed, 'REFUND'), hours: 130 }],
    expected: 'card refunded, nextFeed 700',
  },
  {
    name: 'if both report refunds of two equal purchases, both rewards are taken back, however attached',
    reported: [
      ...TWO,
      ...[after(card, 'REFUND'), after(nextCard, 'REFUND'), after(nextFeed, 'REFUND'), after(feed, 'REFUND')],
    ],
    expected: 'card refunded, feed refunded, nextCard refunded, nextFeed refunded',
  },
  {
    name: 'refunds of the same amount that are weeks apart are separate refunds',
    reported: [...TWO, after(card, 'REFUND'), { ...after(nextFeed, 'REFUND'), hours: 40 + 15 * 24 }],
    expected: 'card refunded, feed refunded, nextCard refunded, nextFeed refunded',
  },
  {
    name: 'a tip that reaches one report before the other does not split the purchase',
    reported: [card, { ...feed, kind: 'AUTHORIZATION' }, after(feed, 'CLEARING', 12_500n)],
    expected: 'card 700, feed stacked',
  },
  {
    name: 'a purchase that clears in parts is rewarded once if the bank shows a row for each part',
    reported: [...cleared, ...PARTS],
    expected: 'card 700, feed stacked, feed2 stacked',
  },
  {
    name: 'a row that began as a hold for the full amount is also a partial clearing',
    reported: [
      ...cleared,
      { ...feed, kind: 'AUTHORIZATION' },
      after(feed, 'CLEARING', 3_000n),
      { ...feed, id: 'feed2', amount: 7_000n, hours: 24 },
    ],
    expected: 'card 700, feed stacked, feed2 stacked',
  },
  {
    name: 'a part refunded according to the bank is deducted from the reported purchase',
    reported: [...cleared, ...PARTS, after(feed, 'REFUND', 3_000n)],
    expected: 'card 490, feed refunded, feed2 stacked',
  },
  {
    name: 'a purchase for the amount of a part is separate if the bank shows a row for the full amount',
    reported: [...cleared, feed, { ...feed, id: 'other', amount: 3_000n, hours: 1 }],
    expected: 'card 700, feed stacked, other 210',
  },
  {
    name: 'if the publisher voids its report, the parts are rewarded as the bank shows them',
    reported: [...cleared, ...PARTS, after(card, 'REVERSAL')],
    expected: 'card reversed, feed 210, feed2 490',
  },
  {
    name: "the publisher's refund takes back one of the parts once, even if it voids the rest afterwards",
    reported: [...cleared, ...PARTS, after(card, 'REFUND', 2_000n), { ...after(card, 'REVERSAL', 8_000n), hours: 41 }],
    expected: 'card reversed, feed 70, feed2 490',
  },
  {
    name: "a publisher's refund that exceeds one part takes the excess back from the next",
    reported: [
      ...cleared,
      ...PARTS,
      after(card, 'REFUND', 4_000n),
      after(feed, 'REFUND', 1_000n),
      { ...after(card, 'REVERSAL', 6_000n), hours: 41 },
    ],
    expected: 'card reversed, feed refunded, feed2 420',
  },
  {
    name: 'a second report of a purchase does not make its user a returning customer',
    brand: 'welcome',
    reported: [card, { ...feed, hours: -1 }],
    expected: 'card 700, feed stacked',
  },
  {
    name: 'a purchase that the publisher reports as not qualifying is not rewarded through the feed',
    brand: 'online',
    reported: [{ ...card, facts: { channel: 'IN_STORE' } }, feed],
    expected: 'card channel_not_eligible, feed stacked',
  },
  {
    name: 'a second report of a purchase does not use up an offer',
    brand: 'once',
    reported: [card, feed],
    expected: 'card 700, feed stacked',
  },
]

testArrivals(world, 'CARD', CASES, NOW)

test('a purchase with two card reports and a sale earns one reward, or two if the policy pays both', async () => {
  const expected: Readonly<Record<Policy, string>> = {
    AFFILIATE: 'card stacked, feed stacked, sale 315',
    CARD: 'card 700, feed stacked, sale stacked',
    BOTH: 'card 700, feed stacked, sale 315',
  }
  for (const [policy, outcome] of Object.entries(expected) as [Policy, string][]) {
    const publisher = await world.publisher(policy)
    for (const arrival of [
      [card, feed, sale],
      [card, sale, feed],
      [feed, card, sale],
      [feed, sale, card],
      [sale, card, feed],
      [sale, feed, card],
    ]) {
      const one = await world.user(publisher)
      for (const event of arrival) await one.report([event], NOW)
      assert.equal(await one.shown(), outcome, `${policy}: ${arrival.map(({ id }) => id).join(' ')}`)
    }
    const one = await world.user(publisher)
    await one.report([card, feed, sale, after(sale, 'REVERSAL')], NOW)
    assert.equal(await one.shown(), 'card 700, feed stacked, sale reversed')
    await one.report([after(card, 'REVERSAL')], NOW)
    assert.equal(await one.shown(), 'card reversed, feed 700, sale reversed')
    assert.deepEqual(await world.differences(publisher), [])
  }
})

test('a pair keeps its policy when the other report of its card purchase arrives', async () => {
  const publisher = await world.publisher('CARD')
  const one = await world.user(publisher)
  await one.report([feed, sale], NOW)
  const changed = await world.setPolicy(publisher, 'AFFILIATE')
  await one.report([card], NOW, changed)
  assert.equal(await one.shown(), 'card 700, feed stacked, sale stacked')
})

test('an unreferenced refund matches the report with partial clearings, but no row for one of them', async () => {
  const publisher = await world.publisher('CARD')
  const one = await world.user(publisher)
  await one.report([...cleared, ...PARTS], NOW)
  const refund = { ...one.toEvent(after(card, 'REFUND', 1_000n)), originalExternalId: null }
  const deps = { ...world.deps, findsRefunded: true } as const
  await db.transaction((tx) => ingestEvents(tx, deps, publisher, [refund], NOW))
  assert.equal(await one.shown(), 'card 630, feed stacked, feed2 stacked')
  assert.deepEqual(await world.differences(publisher), [])
})

test('a matured reward remains with the report that earned it', async () => {
  const publisher = await world.publisher('CARD')
  const one = await world.user(publisher)
  await one.report([feed], NOW)
  await one.fallDue(later(40))
  await one.report([card], later(41))
  assert.equal(await one.shown(), 'card stacked, feed 700 EARNED')
  await one.report([after(card, 'REFUND', 4_000n)], later(42))
  assert.equal(await one.shown(), 'card stacked, feed 420 EARNED')
  assert.deepEqual(await one.balances(), { pending: 0n, available: 420n, debt: 0n })
  assert.deepEqual(await world.differences(publisher), [])
})

test('a clawed-back matured reward is restored if the refund proves to be for another purchase', async () => {
  const publisher = await world.publisher('CARD')
  const one = await world.user(publisher)
  await one.report(TWO, NOW)
  await one.fallDue(later(50))
  await one.report([{ ...after(nextFeed, 'REFUND'), hours: 1_250 }], later(53))
  assert.equal(await one.shown(), 'card 700 EARNED, feed stacked, nextCard 0 EARNED, nextFeed refunded')
  await one.report([{ ...after(card, 'REFUND'), hours: 1_200 }], later(54))
  assert.equal(await one.shown(), 'card 0 EARNED, feed refunded, nextCard 700 EARNED, nextFeed stacked')
  await one.fallDue(later(55))
  assert.deepEqual(await one.balances(), { pending: 0n, available: 700n, debt: 0n })
  assert.deepEqual(await world.differences(publisher), [])
})

test('a refund that the publisher withdraws applies where the feed attached it', async () => {
  const publisher = await world.publisher('CARD')
  const one = await world.user(publisher)
  const refund = after(card, 'REFUND')
  await one.report([...TWO, after(nextFeed, 'REFUND'), refund], NOW)
  assert.equal(await one.shown(), 'card refunded, feed refunded, nextCard 700, nextFeed stacked')
  await one.report([{ ...after(refund, 'REVERSAL'), hours: 50 }], NOW)
  assert.equal(await one.shown(), 'card 700, feed stacked, nextCard refunded, nextFeed refunded')
  assert.deepEqual(await world.differences(publisher), [])
})

test("the feed's report earns the reward if the publisher never clears its hold", async () => {
  const one = await world.user(await world.publisher('CARD'))
  await one.report([{ ...card, kind: 'AUTHORIZATION' }, feed], NOW)
  await one.fallDue(later(11))
  assert.equal(await one.shown(), 'card authorization_expired, feed 700')
})

test('two matured reports found to be of the same purchase keep only one reward', async () => {
  const publisher = await world.publisher('CARD')
  const one = await world.user(publisher)
  await one.report([{ ...card, amount: 20_000n }, feed], NOW)
  await one.fallDue(later(40))
  assert.equal(await one.shown(), 'card 1400 EARNED, feed 700 EARNED')
  await one.report([after(card, 'AMENDMENT', 10_000n)], later(41))
  assert.equal(await one.shown(), 'card 700 EARNED, feed 0 EARNED')
  assert.deepEqual(await world.differences(publisher), [])
})

test('undoing a re-match restores a purchase with three reports', async () => {
  const publisher = await world.publisher('AFFILIATE')
  const one = await world.user(publisher)
  await one.report([card, feed, sale], NOW)
  const changed = await world.setPolicy(publisher, 'CARD')
  const rematch = await world.rematch(changed, NOW)
  assert.equal(await one.shown(), 'card 700, feed stacked, sale stacked')
  await world.undo(changed, rematch, NOW)
  assert.equal(await one.shown(), 'card stacked, feed stacked, sale 315')
  assert.deepEqual(await world.differences(publisher), [])
})

test('each report of a purchase with a sale identifies the paid report and the preferred side', async () => {
  const publisher = await world.publisher('AFFILIATE')
  const one = await world.user(publisher)
  const line = (name: string, bound: string, passed: boolean) => [name, bound, passed]
  const readLines = async (names: readonly string[], now: Date) => {
    const found = await one.decisions(now)
    const findName = (value: string | null) => names.find((name) => one.uid(name) === value)
    return found.map(({ trace }) =>
      trace.candidates
        .flatMap(({ rules }) => rules)
        .filter(({ rule }) => rule === 'stacking')
        .map(({ value, bound, passed }) => [findName(value), bound, passed]),
    )
  }
  await one.report([card, feed, sale], NOW)
  assert.deepEqual(await readLines(['card', 'feed', 'sale'], NOW), [
    [line('sale', 'AFFILIATE', false), line('feed', 'REPORTED', true)],
    [line('sale', 'AFFILIATE', false), line('card', 'REPORTED', true)],
    [line('card', 'AFFILIATE', true)],
  ])
  const matured = await world.user(publisher)
  await matured.report([feed], NOW)
  await matured.fallDue(later(40))
  await matured.report([card], later(41))
  const lines = (await matured.decisions(later(41))).map(({ trace }) =>
    trace.candidates.flatMap(({ rules }) => rules).filter(({ rule }) => rule === 'stacking'),
  )
  assert.deepEqual(lines, [
    [{ rule: 'stacking', value: matured.uid('feed'), bound: 'FEED', passed: false }],
    [{ rule: 'stacking', value: matured.uid('card'), bound: 'FEED', passed: true }],
  ])
})

test("evaluate predicts the result, and each report's decision references the other report", async () => {
  const one = await world.user(await world.publisher('CARD'))
  await one.report([feed], NOW)
  const judged = await one.evaluate(card, NOW)
  assert.deepEqual([judged.trace.status_reason, judged.paid.user], [null, 700n])
  await one.report([card], NOW)
  const lines = (await one.decisions(NOW)).map(({ trace }) =>
    trace.candidates.flatMap(({ rules }) => rules).filter(({ rule }) => rule === 'stacking'),
  )
  assert.deepEqual(lines, [
    [{ rule: 'stacking', value: one.uid('feed'), bound: 'REPORTED', passed: true }],
    [{ rule: 'stacking', value: one.uid('card'), bound: 'REPORTED', passed: false }],
  ])
})
