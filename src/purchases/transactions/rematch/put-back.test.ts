import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openTestDatabase } from '../../../../test/support/postgres.ts'
import { BRANDS, brand, later, openRematchWorld } from '../../../../test/support/rematch-world.ts'
import { differencesIn } from '../../../../test/support/reward-world.ts'
import { runs } from '../../../../test/support/runs.ts'
import type { UserId } from '../../../platform/ids.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import { applyRematch, undoRematch } from './service.ts'

// Random purchases by a few users with a 5% offer that has a budget and limits. The user gets 70% of the commission.
const HISTORIES = runs(7)
const USERS = 3

let playedCount = 0
const played: Publisher[] = []

const db = await openTestDatabase('put_back', { connections: 6 })
const world = await openRematchWorld(db)

const NOW = later(60)
const everything = { brandUid: null, template: null, since: later(-1), until: null }
const order = { filter: everything, by: 'Ana', reason: 'corrected', expected: null }

type Step = {
  readonly user: number
  readonly amount: number
  readonly day: number
  /** True if bought at the shop whose alias moves to another brand. */
  readonly moves: boolean
  /** The percentage of the purchase that is refunded, so that others may earn more; null for no refund. */
  readonly refund: number | null
}
type History = {
  readonly steps: readonly Step[]
  readonly budget: number | null
  readonly reward: number | null
  readonly uses: number | null
  readonly once: boolean
  readonly matures: boolean
  /** The minimum spend of the corrected offer; null for no correction. */
  readonly minSpend: number | null
  /** Purchases between the re-match and its undo. */
  readonly meanwhile: readonly Step[]
  readonly size: number
}

const step: fc.Arbitrary<Step> = fc.record({
  user: fc.integer({ min: 0, max: USERS - 1 }),
  amount: fc.integer({ min: 1_000, max: 30_000 }),
  day: fc.integer({ min: 0, max: 20 }),
  moves: fc.boolean(),
  refund: fc.option(fc.integer({ min: 1, max: 100 }), { freq: 3 }),
})
const histories: fc.Arbitrary<History> = fc.record({
  steps: fc.array(step, { minLength: 2, maxLength: 9 }),
  budget: fc.option(fc.integer({ min: 5, max: 40 })),
  reward: fc.option(fc.integer({ min: 3, max: 20 })),
  uses: fc.option(fc.integer({ min: 1, max: 3 }), { freq: 2 }),
  once: fc.boolean(),
  matures: fc.boolean(),
  minSpend: fc.option(fc.integer({ min: 20, max: 200 })),
  meanwhile: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(step, { minLength: 1, maxLength: 2 })),
  size: fc.constantFrom(1, 500),
})

async function play(history: History): Promise<void> {
  const name = `shop${playedCount++}`
  const { budget, reward, uses } = history
  const limits = { ...(reward === null ? {} : { reward }), ...(uses === null ? {} : { uses }) }
  const offer = {
    commission: { rate: 5 },
    ...(history.once ? { one_time_use: true } : {}),
    ...(budget === null ? {} : { budgets: [{ period: 'LIFETIME', amount: budget }] }),
    ...(reward === null && uses === null ? {} : { user_limits: [{ period: 'LIFETIME', ...limits }] }),
  }
  const offered = (more: object) => world.load([...BRANDS, brand(name, `Ember ${name}`, { ...offer, ...more })])
  await offered({})
  const publisher = await world.publisher()
  await world.say(publisher, 'zorble kiosk', name)
  await world.say(publisher, `real ${name}`, name)
  played.push(publisher)
  // Users in separate batches would compete for a shared budget, but the purchases of one user stay together.
  const count = history.size === 1 ? 1 : USERS
  const users = await Promise.all(Array.from({ length: count }, () => world.user(publisher)))
  const buy = async ({ user, amount, day, moves, refund }: Step, id: string): Promise<void> => {
    const who = users[user % count] as UserId
    const shop = moves ? 'ZORBLE KIOSK' : `REAL ${name.toUpperCase()}`
    await world.report(publisher, who, [{ id, amount, day, shop }])
    if (refund === null) return
    const part = Math.ceil((amount * refund) / 100)
    await world.report(publisher, who, [{ id: `${id} back`, amount: part, day: 25, kind: 'REFUND', of: id }])
  }
  for (const [nth, one] of history.steps.entries()) await buy(one, `a${nth}`)
  if (history.matures) await world.mature(publisher, later(40))
  const had = await readPurchases(publisher)
  await world.say(publisher, 'zorble kiosk', 'two')
  if (history.minSpend !== null) await offered({ min_spend: history.minSpend })
  const rematch = await applyRematch(world.deps, publisher, order, NOW)
  for (const [nth, one] of history.meanwhile.entries()) await buy(one, `b${nth}`)
  const undo = await undoRematch(world.deps, publisher, { undone: rematch, by: 'Ben' }, NOW, history.size)
  if (history.meanwhile.length === 0) {
    assert.deepEqual(await readPurchases(publisher), had)
    assert.deepEqual([undo.kept, undo.sums['USD']?.after], [0, rematch.sums['USD']?.before])
  }
  const [sums] = await db.reader<[{ gross: bigint; reward: bigint }]>`
    select coalesce(sum(gross), 0)::int8 as gross, coalesce(max(reward), 0)::int8 as reward from (
      select sum(one.gross) as gross, sum(one.user_amount) as reward from transactions t
      join transactions one on one.user_id = t.user_id and coalesce(one.adjusts, one.transaction_id) = t.transaction_id
      where t.publisher_id = ${publisher.id} and t.adjusts is null and t.offer_uid = ${`offer-${name}`}
      group by t.user_id) as users`
  assert(budget === null || sums.gross <= BigInt(budget) * 100n, 'the budget is exceeded')
  assert(reward === null || sums.reward <= BigInt(reward) * 100n, 'the limit of a user is exceeded')
}

/** Returns each purchase with its adjustments and holds. */
async function readPurchases(publisher: Publisher): Promise<string[]> {
  const rows = await db.reader<{ text: string }[]>`
    select concat_ws(' ', t.external_id, t.status, t.status_reason, t.brand_uid, t.offer_uid, t.terms,
      t.gross + coalesce(sum(a.gross), 0), t.user_amount + coalesce(sum(a.user_amount), 0),
      t.publisher_amount + coalesce(sum(a.publisher_amount), 0), t.fee_amount + coalesce(sum(a.fee_amount), 0),
      (select string_agg(concat_ws(' ', h.kind, h.period, h.amount, h.most_gross), ', ' order by h.kind, h.period)
       from allowance_holds h where h.user_id = t.user_id and h.transaction_id = t.transaction_id)) as text
    from transactions t left join transactions a on a.user_id = t.user_id and a.adjusts = t.transaction_id
    where t.publisher_id = ${publisher.id} and t.adjusts is null
    group by t.user_id, t.transaction_id
    order by t.external_id`
  return rows.map((row) => row.text)
}

test('undoing a re-match restores every purchase to the cent', async () => {
  await fc.assert(fc.asyncProperty(histories, play), { numRuns: HISTORIES, endOnFailure: true })
})

test('afterward, holds match the spent budgets and the books balance', async () => {
  assert.deepEqual(await differencesIn(db, played), [])
})
