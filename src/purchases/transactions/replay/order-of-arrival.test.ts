import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { buildEvents, makeOffers, mixedHistory, openUser, shuffled } from '../../../../test/support/mixed-histories.ts'
import { openTestWorld, START } from '../../../../test/support/reward-world.ts'
import { runs } from '../../../../test/support/runs.ts'
import type { Offer } from '../../../catalog/catalog/index.ts'
import { DAY_MS } from '../../../platform/calendar.ts'
import type { UserId } from '../../../platform/ids.ts'
import { changeSettings } from '../../../tenants/publishers/index.ts'

// Any arrival order of the same events leads to the same state (docs/decisions/0022-replay.md). Each history is
// reported in chronological order, and in two other orders in random batches.
const HISTORIES = runs(18)
const NOW = new Date(START.getTime() + 8 * DAY_MS)

let offers: readonly Offer[] = []

const { db, world } = await openTestWorld('order_of_arrival', { offersNow: () => offers })

/**
 * Returns what is stored about a user's purchases, without ids and times that depend on arrival. Omits the kind of
 * customer, which follows from the purchases themselves.
 */
async function readState(userId: UserId): Promise<string[]> {
  const toName = (externalId: string) => externalId.slice(userId.length + 1).split(' ')[0]
  const rows = await db.reader<{ externalId: string; text: string }[]>`
    select t.external_id, concat_ws(' | ', t.source, t.status, t.status_reason, t.brand_uid, t.offer_uid, t.amount, t.refunded, t.gross,
      t.user_amount, t.publisher_amount, t.fee_amount, t.authorized_at, t.cleared_on, t.available_on, t.terms - 'customer',
      (select string_agg(concat_ws(' ', h.kind, h.offer_uid, h.period, h.starts_on, h.amount, h.most_gross), ', ' order by h.kind)
       from allowance_holds h where h.user_id = t.user_id and h.transaction_id = t.transaction_id),
      (select concat_ws(' ', p.policy, p.stacked) from purchase_pairs p
       where p.user_id = t.user_id and t.transaction_id in (p.card_id, p.affiliate_id)),
      (select concat_ws(' ', 'twice', p.stacked) from card_pairs p
       where p.user_id = t.user_id and t.transaction_id in (p.reported_id, p.feed_id)),
      (select concat_ws(' ', 'twice', p.stacked) from sale_pairs p
       where p.user_id = t.user_id and t.transaction_id in (p.network_id, p.reported_id))) as text
    from transactions t where t.user_id = ${userId} and t.adjusts is null and t.status_reason is distinct from 'merged'`
  return rows.map(({ externalId, text }) => `${toName(externalId)} | ${text}`).sort()
}

test('any arrival order of the same events leads to the same state', async () => {
  const publisher = await world.publisher()
  await fc.assert(
    fc.asyncProperty(mixedHistory, async ({ purchases, offers: asked, policy, orders, batch }) => {
      offers = makeOffers(asked)
      const own = await db.transaction((tx) => changeSettings(tx, publisher.id, { stackingPolicy: policy }))
      const made = buildEvents(purchases, offers[0]?.brandUid ?? '')
      const arrivals = [made, ...orders.map((keys) => shuffled(made, keys))]
      const states: string[][] = []
      for (const [nth, arrival] of arrivals.entries()) {
        const { userId, codes } = await openUser(db, world, own, offers)
        const size = nth === 0 ? made.length : batch
        for (let from = 0; from < arrival.length; from += size) {
          const events = arrival.slice(from, from + size).map((make) => make(userId, codes))
          await world.report(own, events, NOW)
        }
        states.push(await readState(userId))
      }
      for (const state of states.slice(1)) assert.deepEqual(state, states[0])
    }),
    { numRuns: HISTORIES, endOnFailure: true },
  )
  assert.deepEqual(await world.differences([publisher]), [])
})
