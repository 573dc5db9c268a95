import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { group, offerBase, openTestWorld, START } from '../../../../test/support/reward-world.ts'
import { runs } from '../../../../test/support/runs.ts'
import type { Offer } from '../../../catalog/catalog/index.ts'
import { noConditions } from '../../../catalog/catalog/offer.ts'
import { DAY_MS, MINUTE_MS } from '../../../platform/calendar.ts'
import type { UserId } from '../../../platform/ids.ts'
import type { SourceEventInput } from '../event.ts'
import { evaluatePurchase } from '../intake/evaluate.ts'

// Random concurrent histories of a few users, in arbitrary batches, with offers that have budgets and limits. No bound
// is exceeded, and the books balance.
const HISTORIES = runs(8)
const USERS = 3

let offers: readonly Offer[] = []
let shops = 0

const { db, world } = await openTestWorld('limit_histories', { connections: 8, offersNow: () => offers })
const publisher = await world.publisher()

type Step = {
  readonly do: 'buy' | 'authorize' | 'clear' | 'refund' | 'reverse'
  readonly user: number
  readonly purchase: number
  readonly amount: number
}
type Round = { readonly steps: readonly Step[]; readonly together: boolean; readonly days: number }

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom('buy', 'buy', 'buy', 'authorize', 'clear', 'refund', 'reverse'),
  user: fc.integer({ min: 0, max: USERS - 1 }),
  purchase: fc.integer({ min: 0, max: 3 }),
  amount: fc.integer({ min: 1, max: 12_000 }),
})
const rounds = fc.array(
  fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: 6 }),
    together: fc.boolean(),
    days: fc.constantFrom(0, 0, 0, 1, 1, 6, 11, 31),
  }),
  { minLength: 1, maxLength: 12 },
)

const DAY_BUDGET = 1_500n
const LIFETIME_BUDGET = 4_000n
const WEEK_USES = 2
const MONTH_REWARD = 900n

function makeOffers(run: number): Offer[] {
  const base = {
    ...offerBase,
    brandUid: `brand${run}`,
    rewardType: 'CASHBACK_PERCENTAGE',
    refundPeriodDays: 3,
  } as const
  return [
    {
      ...base,
      offerUid: `best${run}`,
      groups: [group(100_000, null)],
      ordinal: 1,
      conditions: {
        ...noConditions,
        budgets: [
          { period: 'DAY', amount: DAY_BUDGET },
          { period: 'LIFETIME', amount: LIFETIME_BUDGET },
        ],
      },
    },
    {
      ...base,
      offerUid: `next${run}`,
      groups: [group(60_000, null)],
      ordinal: 2,
      conditions: {
        ...noConditions,
        userLimits: [
          { period: 'WEEK', uses: WEEK_USES, reward: null },
          { period: 'MONTH', uses: null, reward: MONTH_REWARD },
        ],
      },
    },
  ]
}

const KINDS = {
  buy: 'CLEARING',
  authorize: 'AUTHORIZATION',
  clear: 'CLEARING',
  refund: 'REFUND',
  reverse: 'REVERSAL',
} as const

function makeEvent(userId: UserId, reported: Step, run: number, nth: number, at: Date): SourceEventInput {
  const root = `${run} ${reported.purchase}`
  const begins = reported.do === 'buy' || reported.do === 'authorize'
  return {
    userId,
    source: 'CARD',
    kind: KINDS[reported.do],
    externalId: `${userId} ${begins ? root : `${root} ${nth}`}`,
    originalExternalId: begins ? null : `${userId} ${root}`,
    amount: BigInt(reported.amount),
    currency: 'USD',
    occurredAt: at,
    dateOnly: false,
    facts: { brandUid: `brand${run}` },
  }
}

async function play(history: readonly Round[]): Promise<void> {
  const run = shops++
  offers = makeOffers(run)
  const users = await Promise.all(Array.from({ length: USERS }, async () => (await world.user(publisher)).userId))
  let at = START.getTime()
  let nth = 0
  for (const { steps, together, days } of history) {
    const events = steps.map((reported) => {
      at += MINUTE_MS
      return makeEvent(users[reported.user] as UserId, reported, run, nth++, new Date(at))
    })
    if (together) await Promise.all(events.map((event) => world.report(publisher, [event], new Date(at))))
    else await world.report(publisher, events, new Date(at))
    at += days * DAY_MS
    await world.fallDue(publisher, new Date(at))
    await nothingAboveItsBound(run)
  }
  // Evaluate predicts the result.
  const one = makeEvent(users[0] as UserId, { do: 'buy', user: 0, purchase: 9, amount: 5_000 }, run, nth, new Date(at))
  const { trace } = await evaluatePurchase(db.reader, world, publisher, one, new Date(at))
  await world.report(publisher, [one], new Date(at))
  const [row] = await db.reader<[{ cashback: number; reason: string | null }]>`
    select user_amount::float8 / 100 as cashback, status_reason as reason from transactions
    where user_id = ${one.userId} and external_id = ${one.externalId}`
  assert.deepEqual([trace.user_reward, trace.status_reason], [row.cashback, row.reason])
  await nothingAboveItsBound(run)
}

/** Asserts that no sum recomputed from the transactions exceeds its bound. */
async function nothingAboveItsBound(run: number): Promise<void> {
  const rows = await db.reader<{ check: string; found: bigint; bound: bigint }[]>`
    with earned as (
      select t.user_id, t.offer_uid, t.authorized_at at time zone 'UTC' as day,
        t.gross + coalesce(sum(a.gross), 0) as gross, t.user_amount + coalesce(sum(a.user_amount), 0) as reward
      from transactions t left join transactions a on a.user_id = t.user_id and a.adjusts = t.transaction_id
      where t.adjusts is null and t.offer_uid in (${`best${run}`}, ${`next${run}`})
      group by t.user_id, t.transaction_id
    ), sums as (
      select 'day budget' as check, sum(gross) as found, ${DAY_BUDGET}::int8 as bound from earned
      where offer_uid = ${`best${run}`} group by date_trunc('day', day)
      union all
      select 'lifetime budget', sum(gross), ${LIFETIME_BUDGET}::int8 from earned where offer_uid = ${`best${run}`}
      union all
      select 'uses in a week', count(*), ${WEEK_USES}::int8 from earned
      where offer_uid = ${`next${run}`} and reward > 0 group by user_id, date_trunc('week', day)
      union all
      select 'reward in a month', sum(reward), ${MONTH_REWARD}::int8 from earned
      where offer_uid = ${`next${run}`} group by user_id, date_trunc('month', day)
    )
    select "check", found::int8, bound from sums where found > bound`
  assert.deepEqual([...rows], [])
}

test('no history exceeds a budget or limit, and evaluate predicts the result', async () => {
  await fc.assert(fc.asyncProperty(rounds, play), { numRuns: HISTORIES, endOnFailure: true })
})

test('afterward, holds match the spent budgets and the books balance', async () => {
  assert.deepEqual(await world.differences([publisher]), [])
})
