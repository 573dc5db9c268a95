import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openTestDatabase } from '../../../../test/support/postgres.ts'
import { runs } from '../../../../test/support/runs.ts'
import { later, openStackingWorld, type Reported } from '../../../../test/support/same-purchase-world.ts'

// Card purchases of the same amount by one customer, and their refunds, each reported by publisher, linked feed or
// both. The publisher attaches a refund to either report of the right purchase. The feed attaches it to any purchase,
// because its rows reference none. Each refund is taken back at most once and, if the publisher reports all refunds,
// from the right purchases.
const HISTORIES = runs(10)
const NOW = later(7)
const PRICE = 10_000n

const db = await openTestDatabase('refund_histories')
const world = await openStackingWorld(db)

type Bought = { readonly inReport: boolean; readonly inFeed: boolean }
type Refund = {
  /** The index of its purchase, and of the one that the feed attaches it to. */
  readonly of: number
  readonly guess: number
  readonly percent: number
  readonly by: 'publisher' | 'feed' | 'both'
  /** True if the publisher's refund references no purchase and was attached to the feed's report. */
  readonly isOnRow: boolean
  readonly days: number
}

const BOTH: Bought = { inReport: true, inFeed: true }
const bought = fc.constantFrom(BOTH, { inReport: true, inFeed: false }, { inReport: false, inFeed: true })
const refund: fc.Arbitrary<Refund> = fc.record({
  of: fc.constantFrom(0, 0, 0, 1, 2),
  guess: fc.nat(2),
  percent: fc.constantFrom(20, 30, 50, 100),
  by: fc.constantFrom('publisher', 'publisher', 'publisher', 'both', 'both', 'feed'),
  isOnRow: fc.boolean(),
  days: fc.nat(1),
})
// Two reports with the same date and amount are one purchase, so purchases on one day are always reported by both
// sides.
const days = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      apartHours: fc.constant(40),
      purchases: fc.array(bought, { minLength: 1, maxLength: 2 }).map((more) => [BOTH, ...more]),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      apartHours: fc.constant(2),
      purchases: fc.array(fc.constant(BOTH), { minLength: 2, maxLength: 3 }),
    }),
  },
)
const history = fc.record({
  days,
  refunds: fc.array(refund, { minLength: 2, maxLength: 4 }),
  keys: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
  batch: fc.integer({ min: 1, max: 4 }),
})

type GivenBack = {
  readonly of: number
  readonly amount: bigint
  readonly byPublisher: boolean
  readonly byFeed: boolean
}

/** Returns the reports of a history and its refunds, none of which exceeds what is left of its purchase. */
function playedOut(purchases: readonly Bought[], refunds: readonly Refund[], apartHours: number) {
  const reported = purchases.flatMap(({ inReport, inFeed }, nth): Reported[] => {
    const common = { source: 'CARD', kind: 'CLEARING', amount: PRICE } as const
    return [
      ...(inReport ? [{ ...common, id: `card${nth}`, hours: nth * apartHours }] : []),
      ...(inFeed ? [{ ...common, id: `feed${nth}`, isFeed: true, hours: nth * apartHours + 1 }] : []),
    ]
  })
  const rows = purchases.flatMap(({ inFeed }, nth) => (inFeed ? [nth] : []))
  const left = purchases.map(() => PRICE)
  const given: GivenBack[] = []
  for (const [index, { of, guess, percent, by, isOnRow, days }] of refunds.entries()) {
    const nth = of % purchases.length
    const amount = (PRICE * BigInt(percent)) / 100n
    const row = rows[guess % Math.max(1, rows.length)]
    const byFeed = by !== 'publisher' && row !== undefined
    const byPublisher = by !== 'feed' || !byFeed
    if (amount > (left[nth] ?? 0n)) continue
    left[nth] = (left[nth] ?? 0n) - amount
    given.push({ of: nth, amount, byPublisher, byFeed })
    const refunded = { source: 'CARD', kind: 'REFUND', amount } as const
    const { inReport = true, inFeed = true } = purchases[nth] ?? {}
    const attached = inFeed && (isOnRow || !inReport) ? `feed${nth}` : `card${nth}`
    if (byPublisher) reported.push({ ...refunded, id: `refund${index}`, of: attached, hours: 100 + index })
    if (byFeed)
      reported.push({ ...refunded, id: `row${index}`, of: `feed${row}`, isFeed: true, hours: 110 + 24 * days + index })
  }
  return { reported, given }
}

test('each refund claws back its reward once, regardless of where publisher and feed attach it', async () => {
  const publisher = await world.publisher('CARD')
  await fc.assert(
    fc.asyncProperty(history, async ({ days: { purchases, apartHours }, refunds, keys, batch }) => {
      const { reported, given } = playedOut(purchases, refunds, apartHours)
      const whole = await world.user(publisher)
      await whole.report(reported, NOW)
      const arrival = reported
        .map((one, index) => ({ one, key: keys[index] ?? 0 }))
        .sort((a, b) => a.key - b.key)
        .map(({ one }) => one)
      const some = await world.user(publisher)
      for (let from = 0; from < arrival.length; from += batch) await some.report(arrival.slice(from, from + batch), NOW)
      const names = arrival.map(({ id, of }) => (of === undefined ? id : `${id} of ${of}`)).join(', ')
      assert.equal(await some.shown(), await whole.shown(), names)

      const rewards = await Promise.all(
        purchases.map(async (_, nth) => (await some.earns(`card${nth}`)) + (await some.earns(`feed${nth}`))),
      )
      const computeReward = (amount: bigint): bigint => (amount * 7n) / 100n
      const addUp = (all: readonly bigint[]): bigint => all.reduce((sum, one) => sum + one, 0n)
      const lost = addUp(purchases.map(() => computeReward(PRICE))) - addUp(rewards)
      const rewardBack = (of: readonly GivenBack[]): bigint => computeReward(addUp(of.map(({ amount }) => amount)))
      assert(lost <= rewardBack(given), `${lost} of ${rewardBack(given)} lost: ${names}`)
      // Equal purchases of the same day may be paired in any way.
      if (apartHours < 24 || given.some(({ byPublisher }) => !byPublisher)) return
      const expected = purchases.map(
        (_, nth) => computeReward(PRICE) - rewardBack(given.filter(({ of }) => of === nth)),
      )
      assert.deepEqual(rewards, expected, names)
    }),
    { numRuns: HISTORIES },
  )
  assert.deepEqual(await world.differences(publisher), [])
})
