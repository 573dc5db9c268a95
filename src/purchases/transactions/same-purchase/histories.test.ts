import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openTestDatabase } from '../../../../test/support/postgres.ts'
import { runs } from '../../../../test/support/runs.ts'
import {
  later,
  openStackingWorld,
  type Reported,
  type StackingWorld,
} from '../../../../test/support/same-purchase-world.ts'
import type { Policy } from './reports.ts'

// Random purchases by a customer, by card and as sales, reported by publisher, linked feed or network in any order and
// in any batches. As long as nothing has matured, pairs and sums do not depend on the order, and evaluate predicts the
// outcome of a new purchase that is reported last.
const HISTORIES = runs(14)
const NOW = later(7)

const db = await openTestDatabase('stacking_histories')
const world = await openStackingWorld(db)

const REPORTERS = {
  card: { source: 'CARD', isFeed: false },
  feed: { source: 'CARD', isFeed: true },
  sale: { source: 'AFFILIATE', isFeed: false },
  network: { source: 'AFFILIATE', isFeed: false, isFromClick: true },
} as const
type Reporter = keyof typeof REPORTERS
type Purchase = {
  readonly reporter: Reporter
  readonly amount: bigint
  readonly hours: number
  readonly order: string | undefined
  readonly isHeld: boolean
  readonly next: { readonly kind: 'REFUND' | 'REVERSAL' | 'AMENDMENT' | 'CLEARING'; readonly amount: bigint } | null
}

const amount = fc.constantFrom(4_000n, 9_000n, 9_400n, 10_000n, 12_000n, 13_000n)
const purchase: fc.Arbitrary<Purchase> = fc.record({
  reporter: fc.constantFrom('card', 'feed', 'sale', 'network'),
  amount,
  hours: fc.integer({ min: 0, max: 130 }),
  order: fc.constantFrom(undefined, undefined, undefined, '1', '2'),
  isHeld: fc.boolean(),
  next: fc.option(fc.record({ kind: fc.constantFrom('REFUND', 'REVERSAL', 'AMENDMENT', 'CLEARING'), amount })),
})

function buildReports(purchases: readonly Purchase[]): Reported[] {
  return purchases.flatMap(({ reporter, amount: bought, hours: hour, order, isHeld, next }, index): Reported[] => {
    // No two happen at the same time.
    const hours = hour + index / 100
    const id = `${reporter}${index}`
    const common = { ...REPORTERS[reporter], ...(order === undefined ? {} : { order }) }
    const first: Reported = { ...common, id, kind: isHeld ? 'AUTHORIZATION' : 'CLEARING', amount: bought, hours }
    return next === null ? [first] : [first, { ...common, ...next, id: `${id}b`, of: id, hours: hours + 1 }]
  })
}

const history = fc.record({
  purchases: fc.array(purchase, { minLength: 2, maxLength: 6 }),
  policy: fc.constantFrom<Policy[]>('AFFILIATE', 'CARD', 'BOTH'),
  brand: fc.constantFrom('shop', 'shop', 'picky', 'welcome'),
  orders: fc.array(fc.array(fc.nat(), { minLength: 12, maxLength: 12 }), { minLength: 2, maxLength: 2 }),
  batch: fc.integer({ min: 1, max: 4 }),
})

test('any arrival order leads to the same pairs and sums, as predicted by evaluate', async () => {
  const publishers = new Map<Policy, Awaited<ReturnType<StackingWorld['publisher']>>>()
  for (const policy of ['AFFILIATE', 'CARD', 'BOTH'] as const) publishers.set(policy, await world.publisher(policy))
  await fc.assert(
    fc.asyncProperty(history, async ({ purchases, policy, brand, orders, batch }) => {
      const publisher = publishers.get(policy)
      assert(publisher !== undefined)
      const reported = buildReports(purchases)
      const whole = await world.user(publisher, brand)
      await whole.report(reported, NOW)
      const expected = [await whole.shown(), await whole.pairs()]
      for (const keys of orders) {
        const arrival = reported
          .map((one, index) => ({ one, key: keys[index] ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ one }) => one)
        const some = await world.user(publisher, brand)
        const last = arrival.at(-1)
        assert(last !== undefined)
        for (let from = 0; from < arrival.length - 1; from += batch)
          await some.report(arrival.slice(from, Math.min(from + batch, arrival.length - 1)), NOW)
        const isFresh =
          last.isFeed === false &&
          last.isFromClick !== true &&
          last.of === undefined &&
          !reported.some(({ of }) => of === last.id)
        const judged = isFresh ? await some.evaluate(last, NOW) : null
        await some.report([last], NOW)
        const names = arrival.map(({ id }) => id).join(' ')
        assert.deepEqual([await some.shown(), await some.pairs()], expected, `arrived as ${names}`)
        if (judged !== null) assert.equal(judged.paid.user, await some.earns(last.id), `judged ${last.id} of ${names}`)
      }
    }),
    { numRuns: HISTORIES },
  )
  for (const publisher of publishers.values()) assert.deepEqual(await world.differences(publisher), [])
})
