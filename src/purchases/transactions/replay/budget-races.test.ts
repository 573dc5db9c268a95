import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../../test/support/eventually.ts'
import { group, offerBase, openTestWorld, START } from '../../../../test/support/reward-world.ts'
import { runs } from '../../../../test/support/runs.ts'
import type { Offer } from '../../../catalog/catalog/index.ts'
import { type Budget, noConditions } from '../../../catalog/catalog/offer.ts'
import type { UserId } from '../../../platform/ids.ts'
import type { SourceEventInput } from '../event.ts'
import { ingestEvents } from '../intake/intake.ts'

// Concurrent purchases by many users across all of a process's connections, with shared budgets.
const CONNECTIONS = 16
// `npm run test:long` runs three times as many.
const SCALE = Math.min(10, runs(3))
const USERS = 20 * SCALE
const SCARCE = 10_000n * BigInt(SCALE)
const CHURNED = 3_000n * BigInt(SCALE)
const FIRST = 4_000n * BigInt(SCALE)
const SECOND = 5_000n * BigInt(SCALE)

const budgeted = (brandUid: string, ordinal: number, budgets: readonly Budget[]): Offer => ({
  ...offerBase,
  offerUid: `off_${brandUid}`,
  brandUid,
  rewardType: 'CASHBACK_PERCENTAGE',
  groups: [group(100_000, null)],
  refundPeriodDays: 10,
  ordinal,
  conditions: { ...noConditions, budgets },
})
const OFFERS: readonly Offer[] = [
  budgeted('scarce', 1, [{ period: 'LIFETIME', amount: SCARCE }]),
  budgeted('churned', 2, [{ period: 'MONTH', amount: CHURNED }]),
  budgeted('first', 3, [
    { period: 'DAY', amount: FIRST },
    { period: 'MONTH', amount: FIRST + FIRST / 2n },
  ]),
  budgeted('second', 4, [{ period: 'DAY', amount: SECOND }]),
  budgeted('tiny', 5, [{ period: 'DAY', amount: 1_000n }]),
  budgeted('alone', 6, [{ period: 'WEEK', amount: 50_000n }]),
  budgeted('contested', 7, [{ period: 'DAY', amount: 1_000n }]),
  { ...budgeted('contested', 8, []), offerUid: 'off_fallback', groups: [group(10_000, null)] },
  budgeted('ladder', 9, [{ period: 'DAY', amount: 1_000n }]),
  { ...budgeted('ladder', 10, [{ period: 'DAY', amount: 500n }]), offerUid: 'off_rung', groups: [group(50_000, null)] },
]

const { db, world } = await openTestWorld('budget_races', { connections: CONNECTIONS, offersNow: () => OFFERS })
const publisher = await world.publisher()
const users = await Promise.all(Array.from({ length: USERS }, async () => (await world.user(publisher)).userId))

const makeUserId = (index: number): UserId => users[index % USERS] as UserId

function purchase(brandUid: string, index: number, amount: bigint): SourceEventInput {
  return {
    userId: makeUserId(index * 7),
    source: 'CARD',
    kind: 'CLEARING',
    externalId: `${brandUid} ${index}`,
    originalExternalId: null,
    amount,
    currency: 'USD',
    occurredAt: START,
    dateOnly: false,
    facts: { brandUid },
  }
}

function refund(of: SourceEventInput, amount: bigint): SourceEventInput {
  return { ...of, kind: 'REFUND', externalId: `${of.externalId} back`, originalExternalId: of.externalId, amount }
}

const report = (events: readonly SourceEventInput[]): Promise<void> => world.report(publisher, events, START)

async function readSpent(offerUid: string): Promise<{ gross: bigint; refused: number }> {
  const [row] = await db.reader<[{ gross: bigint; refused: number }]>`
    select coalesce(sum(gross) filter (where offer_uid = ${offerUid}), 0)::int8 as gross,
      count(*) filter (where status_reason = 'budget_exhausted')::int as refused
    from transactions where brand_uid = ${offerUid.slice('off_'.length)}`
  return row
}

test(`${100 * SCALE} racing purchases spend a budget down to its last reward and never overspend it`, async () => {
  // Rewards of 1.00 to 3.00 that add up to twice the budget.
  const computeReward = (index: number): bigint => BigInt(100 + ((index * 37) % 201))
  const purchases = Array.from({ length: 100 * SCALE }, (_, index) =>
    purchase('scarce', index, computeReward(index) * 10n),
  )
  await Promise.all(purchases.map((one) => report([one])))
  const { gross, refused } = await readSpent('off_scarce')
  assert(gross <= SCARCE, `spent ${gross}`)
  // A purchase worth at most 3.00 was refused, so less than that is left.
  assert(gross > SCARCE - 301n, `spent only ${gross}`)
  assert(refused > 0)
  assert.deepEqual(await world.differences([publisher]), [])
})

test('refunds that race with purchases return exactly what was taken, which can then be spent again', async () => {
  const rounds = Array.from({ length: 40 * SCALE }, (_, index) => purchase('churned', index, 2_000n))
  await Promise.all(
    rounds.map(async (one, index) => {
      await report([one])
      if (index % 2 === 0) await report([refund(one, index % 4 === 0 ? 2_000n : 500n)])
    }),
  )
  const { gross } = await readSpent('off_churned')
  assert(gross <= CHURNED, `spent ${gross}`)
  assert.deepEqual(await world.differences([publisher]), [])
  // Spends what the last refunds gave back.
  await Promise.all(
    Array.from({ length: 25 * SCALE }, (_, index) => report([purchase('churned', 1_000 + index, 2_000n)])),
  )
  const after = await readSpent('off_churned')
  assert(after.gross <= CHURNED && after.gross > CHURNED - 200n, `spent ${after.gross}`)
  assert.deepEqual(await world.differences([publisher]), [])
})

test('batches that span several budgets, in any order, neither deadlock nor overspend', async () => {
  const batches = Array.from({ length: 4 * SCALE }, (_, batch) =>
    Array.from({ length: 25 }, (_unused, place) => {
      const index = batch * 25 + place
      const brandUid = (index + batch) % 2 === 0 ? 'first' : 'second'
      return purchase(brandUid, index, BigInt(900 + ((index * 53) % 700)))
    }),
  )
  await Promise.all(batches.map((batch, index) => report(index % 2 === 0 ? batch : batch.toReversed())))
  const [first, second] = [await readSpent('off_first'), await readSpent('off_second')]
  assert(first.gross <= FIRST && first.gross > FIRST - 160n, `first spent ${first.gross}`)
  assert(second.gross <= SECOND && second.gross > SECOND - 160n, `second spent ${second.gross}`)
  assert.deepEqual(await world.differences([publisher]), [])
})

test('a budget that covers only a few rewards is not split into slots smaller than one reward', async () => {
  await Promise.all(Array.from({ length: 60 }, (_, index) => report([purchase('tiny', index, 3_000n)])))
  assert.equal((await readSpent('off_tiny')).gross, 900n)
})

test('one user can spend an entire budget, using every slot', async () => {
  const alone = makeUserId(0)
  for (let count = 0; count < 51; count++)
    await report([{ ...purchase('alone', count, 10_000n), userId: alone, externalId: `alone ${count}` }])
  const { gross, refused } = await readSpent('off_alone')
  assert.deepEqual([gross, refused], [50_000n, 1])
  assert.deepEqual(await world.differences([publisher]), [])
})

test('a transaction that loses a race is decided again and retains no trace of its first decision', async () => {
  // The first round also opens the budget, so its second purchase waits for that. In later rounds it waits for a slot.
  for (const round of [0, 1, 2]) {
    const [one, two] = [purchase('contested', round * 2, 10_000n), purchase('contested', round * 2 + 1, 10_000n)]
    const taken = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const faster = db.transaction(async (tx) => {
      await ingestEvents(tx, world, publisher, [one], START)
      taken.resolve()
      await gate.promise
    })
    await taken.promise
    const slower = report([two])
    await eventually(async () => {
      const [row] = await db.reader<[{ waiting: number }]>`
        select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return row.waiting > 0
    })
    gate.resolve()
    await Promise.all([faster, slower])
    const rows = await db.reader<{ offer: string; gross: bigint; events: number; traces: number }[]>`
      select t.offer_uid as offer, t.gross,
        (select count(*)::int from events e where e.user_id = t.user_id and e.stored_data ->> 5 = t.external_id) as events,
        (select count(*)::int from decisions d where d.user_id = t.user_id and d.transaction_id = t.transaction_id) as traces
      from transactions t where t.external_id in (${one.externalId}, ${two.externalId}) order by t.gross desc`
    assert.deepEqual(
      [...rows],
      [
        { offer: 'off_contested', gross: 1_000n, events: 1, traces: 1 },
        { offer: 'off_fallback', gross: 100n, events: 1, traces: 1 },
      ],
    )
    assert.deepEqual(await world.differences([publisher]), [])
    await report([refund(one, 10_000n)])
  }
})

test('when one budget after another runs out, each is spent exactly once and no purchase fails', async () => {
  await Promise.all(Array.from({ length: 40 }, (_, index) => report([purchase('ladder', index, 10_000n)])))
  const rows = await db.reader<{ outcome: string; count: number }[]>`
    select coalesce(offer_uid, status_reason) as outcome, count(*)::int as count
    from transactions where brand_uid = 'ladder' group by 1 order by 1`
  assert.deepEqual(
    [...rows],
    [
      { outcome: 'budget_exhausted', count: 38 },
      { outcome: 'off_ladder', count: 1 },
      { outcome: 'off_rung', count: 1 },
    ],
  )
  assert.deepEqual(await world.differences([publisher]), [])
})
