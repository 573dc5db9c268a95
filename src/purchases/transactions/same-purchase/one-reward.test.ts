import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openTestDatabase } from '../../../../test/support/postgres.ts'
import { runs } from '../../../../test/support/runs.ts'
import { later, openStackingWorld, type Reported } from '../../../../test/support/same-purchase-world.ts'

// Purchases with a linked card, reported by publisher and feed, each in its own way: under former account ids, in
// parts, by the day of posting, as holds. Each purchase has a different amount, so that it can be identified.
const NOW = later(20)
const AMOUNTS = [10_000n, 4_400n, 7_700n]

const db = await openTestDatabase('one_reward')
const world = await openStackingWorld(db)

const account = fc.constantFrom('former', 'present')
const purchase = fc.record({
  hours: fc.integer({ min: 0, max: 60 }),
  /** Hours from the purchase to each of two clearings; null if it clears in one. */
  parts: fc.option(fc.tuple(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 200 }))),
  reported: fc.record({ account: fc.option(account), isHeld: fc.boolean() }),
  brought: fc.record({
    account,
    /** True if the bank shows the parts as separate rows. */
    isSplit: fc.boolean(),
    dated: fc.constantFrom('time', 'day', 'posting'),
    postedAfterDays: fc.integer({ min: 0, max: 4 }),
  }),
  keys: fc.array(fc.nat(), { minLength: 6, maxLength: 6 }),
})
type Purchase = typeof purchase extends fc.Arbitrary<infer One> ? One : never

type Clearing = { readonly amount: bigint; readonly hours: number }

/** A purchase starts with its hold or with its first clearing. */
function buildClearings({ hours, parts, reported }: Purchase, whole: bigint): Clearing[] {
  if (parts === null) return [{ amount: whole, hours }]
  const small = (whole * 3n) / 10n
  return [
    { amount: small, hours: reported.isHeld ? hours + parts[0] : hours },
    { amount: whole - small, hours: hours + parts[1] },
  ]
}

function byPublisher(one: Purchase, id: string, whole: bigint): Reported[] {
  const { account: accountId, isHeld } = one.reported
  const common = { source: 'CARD', facts: accountId === null ? {} : { accountId } } as const
  const clearings = buildClearings(one, whole).map((clearing, nth): Reported => {
    const isFirst = !isHeld && nth === 0
    const own = { ...common, ...clearing, kind: 'CLEARING', id: isFirst ? id : `${id}-${nth}` } as const
    return isFirst ? own : { ...own, of: id }
  })
  const hold: Reported = { ...common, id, kind: 'AUTHORIZATION', amount: whole, hours: one.hours }
  return isHeld ? [hold, ...clearings] : clearings
}

function byBank(one: Purchase, id: string, whole: bigint): Reported[] {
  const { account: accountId, isSplit, dated, postedAfterDays } = one.brought
  const rows = isSplit ? buildClearings(one, whole) : [{ amount: whole, hours: one.hours }]
  const isPosted = dated === 'posting'
  return rows.map(({ amount, hours }, nth) => ({
    source: 'CARD',
    isFeed: true,
    kind: 'CLEARING',
    id: `${id}-${nth}`,
    amount,
    dateOnly: dated !== 'time',
    facts: { accountId, ...(isPosted ? { isPosted } : {}) },
    hours: hours + (isPosted ? postedAfterDays * 24 : 0),
  }))
}

test('a purchase reported twice earns one reward, even if ids, dates and partial amounts differ', async () => {
  const publisher = await world.publisher('CARD')
  await fc.assert(
    fc.asyncProperty(fc.array(purchase, { minLength: 1, maxLength: AMOUNTS.length }), async (purchases) => {
      const user = await world.user(publisher)
      await user.linkCard(['former', 'present'])
      const events = purchases.flatMap((one, nth) => {
        const whole = AMOUNTS[nth] ?? 0n
        const both = [...byPublisher(one, `card${nth}`, whole), ...byBank(one, `feed${nth}`, whole)]
        return both.map((event, index) => ({ event, key: one.keys[index] ?? 0 }))
      })
      for (const { event } of events.toSorted((a, b) => a.key - b.key)) await user.report([event], NOW)
      const bought = AMOUNTS.slice(0, purchases.length).reduce((sum, amount) => sum + amount, 0n)
      assert.equal(await user.earnsInAll(), (bought * 7n) / 100n, await user.shown())
    }),
    { numRuns: runs(12) },
  )
  assert.deepEqual(await world.differences(publisher), [])
})
