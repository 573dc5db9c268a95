import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  buildEvents,
  makeOffers,
  mixedHistory,
  openUser,
  paying,
  shuffled,
} from '../../../../test/support/mixed-histories.ts'
import { openTestWorld, START } from '../../../../test/support/reward-world.ts'
import { runs } from '../../../../test/support/runs.ts'
import type { Offer } from '../../../catalog/catalog/index.ts'
import { DAY_MS } from '../../../platform/calendar.ts'
import type { UserId } from '../../../platform/ids.ts'
import { changeSettings } from '../../../tenants/publishers/index.ts'
import type { RematchChange } from './changes.ts'
import { applyRematch, previewRematch, undoRematch } from './service.ts'

// Offers change after purchases have been decided. A re-match then does what its preview shows, repeating it changes
// nothing, and an undo restores everything. Decision 0016 lists two exceptions in which repeating it may change
// something: pairs and budgets.
const HISTORIES = runs(8)
const NOW = new Date(START.getTime() + 8 * DAY_MS)
const MATURED = new Date(NOW.getTime() + 40 * DAY_MS)

let offers: readonly Offer[] = []

const { db, world } = await openTestWorld('changed_offers', { offersNow: () => offers })

const CHANGES = {
  rate: (offer: Offer, ratePpm: number) => ({ ...offer, groups: [paying(ratePpm)] }),
  use: (offer: Offer) => ({ ...offer, oneTimeUse: !offer.oneTimeUse }),
  customer: (offer: Offer) => ({ ...offer, newCustomerOnly: !offer.newCustomerOnly, newCustomerDays: 1 }),
  spend: (offer: Offer) => ({ ...offer, minSpend: 9_400n }),
  limit: (offer: Offer) => {
    const userLimits = [{ period: 'LIFETIME' as const, uses: 1, reward: 500n }]
    return { ...offer, conditions: { ...offer.conditions, userLimits } }
  },
} satisfies Record<string, (offer: Offer, ratePpm: number) => Offer>

const change = fc.record({
  nth: fc.nat(),
  what: fc.constantFrom(...(Object.keys(CHANGES) as (keyof typeof CHANGES)[])),
  ratePpm: fc.constantFrom(30_000, 85_000, 130_000),
})
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

function changed(all: readonly Offer[], { nth, what, ratePpm }: Change): Offer[] {
  return all.map((offer, index) =>
    index === nth % all.length ? { ...CHANGES[what](offer, ratePpm), version: offer.version + 1 } : offer,
  )
}

/** Returns the offers, the first of them with this budget in minor units. */
function budgeted([first, ...others]: readonly Offer[], amount: bigint): Offer[] {
  if (first === undefined) return others
  return [{ ...first, conditions: { ...first.conditions, budgets: [{ period: 'LIFETIME', amount }] } }, ...others]
}

/** Returns each purchase with its terms, its reward including adjustments, and its holds. */
async function readState(userId: UserId): Promise<string[]> {
  const rows = await db.reader<{ text: string }[]>`
    select concat_ws(' ', t.external_id, t.source, t.status_reason, t.offer_uid, t.terms ->> 'offerVersion',
      t.gross + coalesce(sum(a.gross), 0), t.user_amount + coalesce(sum(a.user_amount), 0),
      (select string_agg(concat_ws(' ', h.kind, h.offer_uid, h.amount, h.most_gross), ', ' order by h.kind, h.period)
       from allowance_holds h where h.user_id = t.user_id and h.transaction_id = t.transaction_id)) as text
    from transactions t left join transactions a on a.user_id = t.user_id and a.adjusts = t.transaction_id
    where t.user_id = ${userId} and t.adjusts is null and t.status_reason is distinct from 'merged'
    group by t.user_id, t.transaction_id
    order by 1`
  return rows.map(({ text }) => text)
}

/** True if the reward changes. A second re-match may give another reason or offer for a purchase that earns nothing. */
const changesAmount = ({ before, after }: RematchChange): boolean => before.amounts.gross !== after.amounts.gross

async function isPaired(userId: UserId): Promise<boolean> {
  const rows = await db.reader`
    select 1 from purchase_pairs where user_id = ${userId}
    union all
    select 1 from card_pairs where user_id = ${userId}
    union all
    select 1 from sale_pairs where user_id = ${userId}
    limit 1`
  return rows.length > 0
}

test('a re-match does what its preview shows and is idempotent, and its undo restores every purchase', async () => {
  const publisher = await world.publisher()
  const deps = { db, catalog: { ...world.catalog, refresh: () => world.catalog.current() } }
  const changes = fc.array(change, { minLength: 1, maxLength: 3 })
  const when = fc.record({ matures: fc.boolean(), late: fc.nat({ max: 6 }) })
  const budget = fc.option(fc.integer({ min: 100, max: 4_000 }))
  await fc.assert(
    fc.asyncProperty(mixedHistory, changes, when, budget, async (history, made, { matures, late }, amount) => {
      const { purchases, policy, orders } = history
      const drafted = makeOffers(history.offers)
      offers = amount === null ? drafted : budgeted(drafted, BigInt(amount))
      const brandUid = offers[0]?.brandUid ?? ''
      const own = await db.transaction((tx) => changeSettings(tx, publisher.id, { stackingPolicy: policy }))
      const { userId, codes } = await openUser(db, world, own, offers)
      const now = matures ? MATURED : NOW
      const events = shuffled(buildEvents(purchases, brandUid), orders[0] ?? [])
      for (const make of events.slice(late)) await world.report(own, [make(userId, codes)], NOW)
      await world.fallDue(own, now)
      for (const make of events.slice(0, late)) await world.report(own, [make(userId, codes)], now)
      await world.fallDue(own, now)
      const before = await readState(userId)

      offers = made.reduce<readonly Offer[]>(changed, offers)
      const filter = { brandUid, template: null, since: null, until: null }
      const preview = await previewRematch(deps, own, filter, now)
      const order = { filter, by: 'Ana', reason: 'changed offers', expected: preview.hash }
      const undone = await applyRematch(deps, own, order, now)
      assert.equal(undone.changed, preview.changes.length)
      const { changes: further } = await previewRematch(deps, own, filter, now)
      const isException = amount !== null || (await isPaired(userId))
      if (!isException) assert.deepEqual(further.filter(changesAmount), [])
      const { kept } = await undoRematch(deps, own, { undone, by: 'Ben' }, now)
      assert.deepEqual([kept, await readState(userId)], [0, before])
    }),
    { numRuns: HISTORIES, endOnFailure: true },
  )
  assert.deepEqual(await world.differences([publisher]), [])
})
