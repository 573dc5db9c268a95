import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../../../../test/support/postgres.ts'
import { type Bought, brand, later, openRematchWorld } from '../../../../test/support/rematch-world.ts'
import type { TransactionId, UserId } from '../../../platform/ids.ts'
import { applyRematch, undoRematch } from '../rematch/service.ts'
import { listTransactionsById } from '../rewards/queries.ts'
import { getDecision } from './decision.ts'
import { CANDIDATES_MAX } from './trace.ts'
import { buildUserView } from './user-view.ts'

// A decision shows the current state of a purchase: after refunds, maturing, re-matches and undos.

const OFFERS = 300

const db = await openTestDatabase('decision')
const world = await openRematchWorld(db)
const offers = Array.from({ length: OFFERS }, (_one, index) => ({
  offer_uid: `many-${index}`,
  name: `many ${index}`,
  offer_type: 'CARD_LINKED',
  reward_type: 'CASHBACK_PERCENTAGE',
  commission: { rate: 5 },
  start_date: '2025-01-01',
  end_date: '2026-12-31',
  min_spend: 1 + (index % 50),
  max_spend: 500,
  days_of_week: ['SAT', 'SUN'],
  hours: { from: '08:00', to: '20:00' },
}))
await world.load([
  brand('five', 'Quillfeather', { commission: { rate: 5 } }),
  brand('ten', 'Marmalade Depot', { commission: { rate: 10 } }),
  brand('once', 'Velvet Harbour', { commission: { rate: 10 }, one_time_use: true }),
  { brand_uid: 'many', category_id: 1, name: 'Ochre Pavilion', offers },
])
await world.catalog.refresh()
const publisher = await world.publisher()

async function reported(transactionId: TransactionId | undefined) {
  const [shown] = await listTransactionsById(
    db.reader,
    publisher.id,
    transactionId === undefined ? [] : [transactionId],
  )
  assert(shown !== undefined)
  return getDecision(db.reader, publisher, shown, later(60))
}

async function outcome(transactionId: TransactionId | undefined) {
  const { trace } = await reported(transactionId)
  const { matching, chosen, status_reason, user_reward, arithmetic } = trace
  return [matching.brand_uid, chosen, status_reason, user_reward, arithmetic?.user_reward ?? null]
}

const bought: Bought = { id: 'a', amount: 10_000, day: 0 }
const atKiosk = async (shop: string, ...events: Bought[]): Promise<[TransactionId | undefined, UserId]> => {
  const user = await world.user(publisher)
  const [id] = await world.report(publisher, user, events, { merchantDescriptor: shop })
  return [id, user]
}

test('a decision shows the re-match and, after an undo, the former judgment', async () => {
  await world.say(publisher, 'zorble kiosk', 'five')
  const [id] = await atKiosk('ZORBLE KIOSK', bought)
  const former = await outcome(id)
  assert.deepEqual(former, ['five', 'offer-five', null, 3.5, '3.50'])
  await world.say(publisher, 'zorble kiosk', 'ten')
  const filter = { brandUid: null, template: 'zorble kiosk', since: null, until: null }
  const order = { filter, by: 'Ana', reason: 'it is the depot’s', expected: null }
  const rematch = await applyRematch(world.deps, publisher, order, later(1))
  assert.deepEqual(await outcome(id), ['ten', 'offer-ten', null, 7, '7.00'])
  await undoRematch(world.deps, publisher, { undone: rematch, by: 'Ana' }, later(2))
  assert.deepEqual(await outcome(id), former)
})

test('undoing the re-match of an unmatched purchase restores its former decision', async () => {
  const [id] = await atKiosk('BRIMBLE STALL', bought)
  const former = await outcome(id)
  assert.deepEqual(former, [null, null, 'unmatched', 0, null])
  await world.say(publisher, 'brimble stall', 'ten')
  const filter = { brandUid: null, template: 'brimble stall', since: null, until: null }
  const order = { filter, by: 'Ana', reason: 'it is the depot’s', expected: null }
  const rematch = await applyRematch(world.deps, publisher, order, later(1))
  assert.equal((await outcome(id))[3], 7)
  await undoRematch(world.deps, publisher, { undone: rematch, by: 'Ana' }, later(2))
  assert.deepEqual(await outcome(id), former)
})

test("after a late refund, purchase and adjusting transaction show the remaining reward's arithmetic", async () => {
  const user = await world.user(publisher)
  const facts = { brandUid: 'ten' }
  const [id] = await world.report(publisher, user, [bought], facts)
  await world.mature(publisher, later(40))
  await world.report(publisher, user, [{ id: 'b', amount: 4_000, day: 41, kind: 'REFUND', of: 'a' }], facts)
  assert.deepEqual(await outcome(id), ['ten', 'offer-ten', null, 4.2, '4.20'])
  const [row] = await db.reader<[{ id: TransactionId }]>`
    select transaction_id as id from transactions where user_id = ${user} and adjusts = ${id ?? null}`
  assert.deepEqual(await outcome(row.id), ['ten', 'offer-ten', 'refunded', 4.2, '4.20'])
  const { sentence, steps } = buildUserView(await reported(row.id))
  assert.deepEqual(
    [sentence, ...steps.map((step) => step.sentence)],
    [
      'You were refunded for this purchase. The refunded amount earns nothing.',
      'You spent $100.00.',
      '$40.00 of it was refunded or canceled.',
      '$60.00 of it counts for this offer.',
      'You earn 7% of $60.00.',
      'You get $4.20 back.',
    ],
  )
})

test('the latest reason explains why a matured reward was fully clawed back', async () => {
  const user = await world.user(publisher)
  const facts = { brandUid: 'once' }
  const report = (...events: Bought[]) => world.report(publisher, user, events, facts)
  const [id] = await report({ ...bought, day: 5 })
  await world.mature(publisher, later(40))
  await report({ id: 'b', amount: 10_000, day: 41, kind: 'REFUND', of: 'a' })
  assert.deepEqual(await outcome(id), ['once', 'offer-once', 'refunded', 0, '0.00'])
  // By the time the refund is reversed, another purchase has used the offer.
  await report({ ...bought, id: 'earlier', day: 1 })
  await report({ id: 'c', amount: 10_000, day: 42, kind: 'REVERSAL', of: 'b' })
  const decision = await reported(id)
  assert.partialDeepStrictEqual(decision.trace, {
    status_reason: 'offer_already_used',
    user_reward: 0,
    arithmetic: { gross: '10.00', withheld_for: 'offer_already_used' },
  })
  assert.equal(buildUserView(decision).sentence, 'This offer can be used once, and you have already used it.')
})

test('a withheld reward shows how it would have been split', async () => {
  const user = await world.user(publisher)
  const hold: Bought = { ...bought, kind: 'AUTHORIZATION' }
  const [id] = await world.report(publisher, user, [hold, { ...hold, id: 'c', day: 20 }], { brandUid: 'five' })
  const { trace } = await reported(id)
  assert.partialDeepStrictEqual(trace, {
    status_reason: 'authorization_expired',
    user_reward: 0,
    arithmetic: { gross: '5.00', withheld_for: 'authorization_expired', fee: '0.50', user_reward: '3.50' },
  })
})

test('with hundreds of offers, the trace shows the best ones and counts the rest', async () => {
  const user = await world.user(publisher)
  const [id] = await world.report(publisher, user, [bought], { brandUid: 'many' })
  const { trace } = await reported(id)
  assert.deepEqual([trace.candidates.length, trace.more_candidates], [CANDIDATES_MAX, OFFERS - CANDIDATES_MAX])
  assert.deepEqual([trace.chosen, trace.chosen_by, trace.chosen_over], ['many-0', 'age', 'many-1'])
  const [{ bytes }] = await db.reader<[{ bytes: number }]>`
    select pg_column_size(trace) as bytes from decisions where transaction_id = ${id ?? null}`
  assert.ok(bytes < 8_192, `${bytes} bytes`)
})
