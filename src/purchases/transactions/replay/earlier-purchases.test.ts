import assert from 'node:assert/strict'
import { test } from 'node:test'
import { group, offerBase, openTestWorld, START } from '../../../../test/support/reward-world.ts'
import { sample } from '../../../../test/support/runs.ts'
import type { CommissionGroup, Offer, OfferConditions } from '../../../catalog/catalog/index.ts'
import { noConditions } from '../../../catalog/catalog/offer.ts'
import { DAY_MS } from '../../../platform/calendar.ts'
import type { TransactionId, UserId } from '../../../platform/ids.ts'
import type { SourceEventInput } from '../event.ts'
import { evaluatePurchase } from '../intake/evaluate.ts'
import { listTransactionsById } from '../rewards/queries.ts'
import { getDecision } from '../trace/decision.ts'

// Earlier purchases that become known late count as if they had been known all along. A customer's purchases earn the
// same in any arrival order.
let offers: readonly Offer[] = []

const { db, world } = await openTestWorld('earlier_purchases', { connections: 6, offersNow: () => offers })
const publisher = await world.publisher()

type Asks = Partial<Omit<Offer, 'conditions'>> & { readonly conditions?: Partial<OfferConditions> }
const forKind = (customer: CommissionGroup['customer'], ratePpm = 100_000): CommissionGroup => ({
  ...group(ratePpm, null),
  customer,
})
const lapsed: Partial<OfferConditions> = { lapsedCustomerOnly: true, lapsedCustomerDays: 30 }

const uses = (most: number) => ({ userLimits: [{ period: 'MONTH', uses: most, reward: null }] }) as const
const rewards = (most: bigint) => ({ userLimits: [{ period: 'MONTH', uses: null, reward: most }] }) as const

/** Offers of a brand, and what purchases on these days earn. Users get 70% of the commission. */
const CASES: Readonly<
  Record<
    string,
    {
      readonly offers: readonly Asks[]
      readonly days: readonly number[]
      /** The amount of each purchase in minor units, if not 100.00. */
      readonly spend?: readonly number[]
      readonly earn: readonly number[]
    }
  >
> = {
  'an offer for new customers': { offers: [{ newCustomerOnly: true }], days: [1, 2], earn: [1_000, 0] },
  'a one-time offer for new customers': {
    offers: [{ newCustomerOnly: true, oneTimeUse: true }],
    days: [1, 2],
    earn: [1_000, 0],
  },
  'an offer for new customers that each customer may use once': {
    offers: [{ newCustomerOnly: true, conditions: { userLimits: [{ period: 'LIFETIME', uses: 1, reward: null }] } }],
    days: [1, 2],
    earn: [1_000, 0],
  },
  'an offer for new customers whose budget pays for only one of them': {
    offers: [{ newCustomerOnly: true, conditions: { budgets: [{ period: 'LIFETIME', amount: 1_000n }] } }],
    days: [1, 2],
    earn: [1_000, 0],
  },
  'a one-time offer for lapsed customers': {
    offers: [{ oneTimeUse: true, conditions: lapsed }],
    days: [-100, 1, 2],
    earn: [0, 1_000, 0],
  },
  'an offer for lapsed customers': {
    offers: [{ conditions: lapsed }],
    days: [-100, 1, 2, 60],
    earn: [0, 1_000, 0, 1_000],
  },
  'an offer for returning customers only': {
    offers: [{ groups: [forKind('returning')] }],
    days: [1, 2],
    earn: [0, 1_000],
  },
  'an offer for new customers next to an offer for everyone': {
    offers: [{ newCustomerOnly: true }, { groups: [group(50_000, null)] }],
    days: [1, 2, 3],
    earn: [1_000, 500, 500],
  },
  'an offer for lapsed customers and a better one that has ended': {
    offers: [{ conditions: lapsed }, { endDate: '2026-01-01', groups: [group(500_000, null)] }],
    days: [-100, 1],
    earn: [0, 1_000],
  },
  'a one-time offer for new customers and a one-time offer for everyone': {
    offers: [
      { newCustomerOnly: true, oneTimeUse: true },
      { groups: [group(50_000, null)], oneTimeUse: true },
    ],
    days: [1, 2],
    earn: [1_000, 500],
  },
  'a one-time offer that pays only new customers': {
    offers: [{ oneTimeUse: true, minSpend: 6_000n, groups: [forKind('new')] }],
    days: [1, 2, 3],
    spend: [10_000, 500, 20_000],
    earn: [1_000, 0, 0],
  },
  'an offer that pays only new customers next to an offer for everyone': {
    offers: [{ groups: [forKind('new')] }, { groups: [group(50_000, null)] }],
    days: [1, 2, 3],
    earn: [1_000, 500, 500],
  },
  'a one-time offer': { offers: [{ oneTimeUse: true }], days: [1, 2], spend: [5_000, 10_000], earn: [500, 0] },
  'a one-time offer next to an offer for everyone': {
    offers: [{ oneTimeUse: true }, { groups: [group(50_000, null)] }],
    days: [1, 2, 3],
    spend: [5_000, 10_000, 2_000],
    earn: [500, 500, 100],
  },
  'a one-time offer with a minimum spend': {
    offers: [{ oneTimeUse: true, minSpend: 6_000n }],
    days: [1, 2, 3],
    spend: [5_000, 9_000, 10_000],
    earn: [0, 900, 0],
  },
  'an offer that each user may use twice a month': {
    offers: [{ conditions: uses(2) }],
    days: [1, 2, 3, 25],
    spend: [1_000, 2_000, 3_000, 4_000],
    earn: [100, 200, 0, 400],
  },
  'an offer with a monthly reward limit per user': {
    offers: [{ conditions: rewards(1_000n) }],
    days: [1, 2, 3, 25],
    spend: [10_000, 20_000, 30_000, 5_000],
    earn: [1_000, 427, 0, 500],
  },
  'an offer with a monthly limit per user next to an offer for everyone': {
    offers: [{ conditions: rewards(1_000n) }, { groups: [group(30_000, null)] }],
    days: [1, 2, 3],
    spend: [10_000, 20_000, 30_000],
    earn: [1_000, 600, 900],
  },
}

let brands = 0
function makeOffers(asked: readonly Asks[]): Offer[] {
  const brandUid = `brand_${++brands}`
  return asked.map(({ conditions, ...more }, index) => ({
    ...offerBase,
    offerUid: `off_${brands}_${index}`,
    brandUid,
    rewardType: 'CASHBACK_PERCENTAGE',
    groups: [group(100_000, null)],
    refundPeriodDays: 10,
    ordinal: index + 1,
    ...more,
    conditions: { ...noConditions, ...conditions },
  }))
}

const at = (day: number): Date => new Date(START.getTime() + day * DAY_MS)

type Bought = { readonly id: number; readonly day: number; readonly amount: number }

const purchase = (user: UserId, brandUid: string, { id, day, amount }: Bought): SourceEventInput => ({
  userId: user,
  source: 'CARD',
  kind: 'CLEARING',
  externalId: `${user} ${id}`,
  originalExternalId: null,
  amount: BigInt(amount),
  currency: 'USD',
  occurredAt: at(day),
  dateOnly: false,
  facts: { brandUid },
})

/** Reports purchases one by one. Returns those that earn something other than evaluate predicted. */
async function buy(user: UserId, brandUid: string, purchases: readonly Bought[]): Promise<string[]> {
  const otherwise: string[] = []
  for (const one of purchases) {
    const bought = purchase(user, brandUid, one)
    const { paid } = await evaluatePurchase(db.reader, world, publisher, bought, at(70))
    await world.report(publisher, [bought], at(70))
    const [row] = await db.reader<[{ gross: bigint }]>`
      select gross from transactions where user_id = ${user} and external_id = ${bought.externalId}`
    if (row.gross !== paid.gross) otherwise.push(`day ${one.day}: ${paid.gross} beforehand, then ${row.gross}`)
  }
  return otherwise
}

/** Returns both orders of two items, or a random sample of the orders of more items. */
function sampleOrders<T>(some: readonly T[]): T[][] {
  const all = permutations(some)
  return all.length <= 2 ? all : sample(all, Math.max(3 / all.length, 1 / 4))
}

function permutations<T>(some: readonly T[]): T[][] {
  if (some.length < 2) return [[...some]]
  return some.flatMap((one, index) => permutations(some.toSpliced(index, 1)).map((rest) => [one, ...rest]))
}

for (const [name, { offers: asked, days, spend, earn }] of Object.entries(CASES))
  test(`${name} pays the same purchases in any arrival order, as evaluate predicts`, async () => {
    const purchases = days.map((day, id): Bought => ({ id, day, amount: spend?.[id] ?? 10_000 }))
    for (const order of sampleOrders(purchases)) {
      const reported = order.map(({ id }) => `the ${id + 1}.`).join(' then ')
      offers = makeOffers(asked)
      const brandUid = offers[0]?.brandUid ?? ''
      const { userId } = await world.user(publisher)
      assert.deepEqual(await buy(userId, brandUid, order), [], reported)
      const rows = await db.reader<{ gross: bigint }[]>`
        select gross from transactions where user_id = ${userId} order by authorized_at, external_id`
      assert.deepEqual(
        rows.map(({ gross }) => Number(gross)),
        earn,
        reported,
      )
    }
    assert.deepEqual(await world.differences([publisher]), [])
  })

/** Returns what each purchase of the user earns, in chronological order. */
async function earned(user: UserId): Promise<number[]> {
  const rows = await db.reader<{ gross: bigint }[]>`
    select t.gross + coalesce((select sum(a.gross) from transactions a where a.adjusts = t.transaction_id), 0)::int8 as gross
    from transactions t where t.user_id = ${user} and t.adjusts is null order by t.authorized_at`
  return rows.map(({ gross }) => Number(gross))
}

test('of two simultaneous purchases, the one with the lower id gets the use, in any arrival order', async () => {
  offers = makeOffers([{ oneTimeUse: true }])
  const brandUid = offers[0]?.brandUid ?? ''
  const { userId } = await world.user(publisher)
  for (const [day, id] of [2, 1].entries())
    await world.report(publisher, [purchase(userId, brandUid, { id, day: 1, amount: id * 5_000 })], at(2 + day))
  const more = purchase(userId, brandUid, { id: 3, day: 1, amount: 1_000 })
  await world.report(publisher, [{ ...more, originalExternalId: `${userId} 1` }], at(5))
  const rows = await db.reader<{ gross: bigint }[]>`
    select gross from transactions where user_id = ${userId} order by external_id`
  assert.deepEqual(
    rows.map(({ gross }) => gross),
    [600n, 0n],
  )
})

test('the decision of a purchase that lost its use to an earlier one states the reason', async () => {
  offers = makeOffers([{ oneTimeUse: true }])
  const brandUid = offers[0]?.brandUid ?? ''
  const { userId } = await world.user(publisher)
  for (const id of [2, 1])
    await world.report(publisher, [purchase(userId, brandUid, { id, day: id, amount: 5_000 })], at(2))
  const [{ id }] = await db.reader<[{ id: TransactionId }]>`
    select transaction_id as id from transactions where user_id = ${userId} and external_id = ${`${userId} 2`}`
  const [later] = await listTransactionsById(db.reader, publisher.id, [id])
  assert(later !== undefined)
  const { trace } = await getDecision(db.reader, publisher, later, at(2))
  assert.equal(trace.status_reason, 'offer_already_used')
  assert.deepEqual(
    trace.candidates.map(({ eligible, status_reason }) => [eligible, status_reason]),
    [[false, 'offer_already_used']],
  )
})

test('a matured purchase keeps its use when earlier purchases are reported', async () => {
  offers = makeOffers([{ oneTimeUse: true }])
  const brandUid = offers[0]?.brandUid ?? ''
  const { userId } = await world.user(publisher)
  await world.report(publisher, [purchase(userId, brandUid, { id: 2, day: 2, amount: 10_000 })], at(2))
  await world.fallDue(publisher, at(30))
  await world.report(publisher, [purchase(userId, brandUid, { id: 1, day: 1, amount: 5_000 })], at(30))
  assert.deepEqual(await earned(userId), [0, 1_000])
  assert.deepEqual(await world.differences([publisher]), [])
})

test('a freed use goes to the next purchase, even if that purchase was refused before', async () => {
  offers = makeOffers([{ oneTimeUse: true }])
  const brandUid = offers[0]?.brandUid ?? ''
  const { userId } = await world.user(publisher)
  const [first, second] = [1, 2].map((id) => purchase(userId, brandUid, { id, day: id, amount: id * 5_000 }))
  assert(first !== undefined && second !== undefined)
  await world.report(publisher, [first, second], at(2))
  await world.fallDue(publisher, at(30))
  assert.deepEqual(await earned(userId), [500, 0])
  const back = { ...first, kind: 'REFUND', externalId: `${userId} back`, originalExternalId: first.externalId } as const
  await world.report(publisher, [back], at(30))
  assert.deepEqual(await earned(userId), [0, 1_000])
  await world.report(publisher, [purchase(userId, brandUid, { id: 3, day: 3, amount: 2_000 })], at(30))
  assert.deepEqual(await earned(userId), [0, 1_000, 0])
  assert.deepEqual(await world.differences([publisher]), [])
})

test('each purchase is judged against the limits in force when it was first reported', async () => {
  for (const [before, after, earns, later] of [
    [uses(3), uses(1), [500, 500, 500], [500, 500, 500, 0]],
    [rewards(1_050n), rewards(400n), [500, 500, 500], [500, 500, 500, 0]],
  ] as const) {
    offers = makeOffers([{ conditions: before }])
    const [offer] = offers
    assert(offer !== undefined)
    const { userId } = await world.user(publisher)
    const made = [2, 3, 4].map((id) => purchase(userId, offer.brandUid, { id, day: id, amount: 5_000 }))
    await world.report(publisher, made, at(4))
    assert.deepEqual(await earned(userId), earns)
    offers = [{ ...offer, version: offer.version + 1, conditions: { ...offer.conditions, ...after } }]
    const more = made.map((one) => ({
      ...one,
      amount: 1n,
      externalId: `${one.externalId} more`,
      originalExternalId: one.externalId,
    }))
    await world.report(publisher, more, at(4))
    assert.deepEqual(await earned(userId), earns, 'without earlier purchases')
    await world.report(publisher, [purchase(userId, offer.brandUid, { id: 1, day: 1, amount: 5_000 })], at(5))
    assert.deepEqual(await earned(userId), later)
  }
  assert.deepEqual(await world.differences([publisher]), [])
})

for (const [name, changes] of Object.entries({
  'has paid less since': { groups: [group(1_000, null)] },
  'has ended since': { endDate: '2026-01-20' },
  'has had a lower limit per user since': { conditions: { ...noConditions, ...rewards(500n) } },
}))
  test(`an earlier purchase that grows leaves a later one the remaining limit of an offer that ${name}`, async () => {
    offers = makeOffers([{ conditions: rewards(1_000n) }, { groups: [group(1_000, null)] }])
    const [offer, ...others] = offers
    assert(offer !== undefined)
    const { userId } = await world.user(publisher)
    await world.report(publisher, [purchase(userId, offer.brandUid, { id: 1, day: 1, amount: 1_000 })], at(1))
    await world.report(publisher, [purchase(userId, offer.brandUid, { id: 2, day: 20, amount: 20_000 })], at(20))
    assert.deepEqual(await earned(userId), [100, 1_327])
    offers = [{ ...offer, ...changes, version: offer.version + 1 }, ...others]
    const more = {
      ...purchase(userId, offer.brandUid, { id: 3, day: 2, amount: 1_000 }),
      originalExternalId: `${userId} 1`,
    }
    await world.report(publisher, [more], at(21))
    assert.deepEqual(await earned(userId), [200, 1_227])
    assert.deepEqual(await world.differences([publisher]), [])
  })

test('a purchase that moves to an earlier time and another brand is judged against the purchases around it', async () => {
  const reported = makeOffers([{ oneTimeUse: true }, { newCustomerOnly: true, groups: [group(500_000, null)] }])
  offers = [...reported, ...makeOffers([{}])]
  const [brandUid = '', formerly = ''] = [...new Set(offers.map((offer) => offer.brandUid))]
  const { userId } = await world.user(publisher)
  for (const [id, day, brand] of [
    [1, 0.1, brandUid],
    [3, 3, brandUid],
    [2, 2, formerly],
  ] as const)
    await world.report(publisher, [purchase(userId, brand, { id, day, amount: 1_000 })], at(4))
  assert.deepEqual(await earned(userId), [500, 100, 100])
  const hold = { ...purchase(userId, brandUid, { id: 4, day: 1, amount: 1_000 }), originalExternalId: `${userId} 2` }
  await world.report(publisher, [{ ...hold, kind: 'AUTHORIZATION' }], at(4))
  assert.deepEqual(await earned(userId), [500, 100, 0])
  assert.deepEqual(await world.differences([publisher]), [])
})

test('a purchase refunded below the minimum yields its use to an earlier one that reaches the minimum', async () => {
  offers = makeOffers([{ oneTimeUse: true, minSpend: 2_000n }])
  const brandUid = offers[0]?.brandUid ?? ''
  const { userId } = await world.user(publisher)
  const [first, second] = [1, 2].map((id) => purchase(userId, brandUid, { id, day: id, amount: id * 1_500 }))
  assert(first !== undefined && second !== undefined)
  await world.report(publisher, [first, second], at(2))
  const back = { ...second, kind: 'REFUND', amount: 2_000n, originalExternalId: second.externalId } as const
  await world.report(publisher, [{ ...back, externalId: `${userId} back` }], at(3))
  assert.deepEqual(await earned(userId), [0, 0])
  const more = { ...first, externalId: `${userId} more`, originalExternalId: first.externalId }
  await world.report(publisher, [more], at(3))
  assert.deepEqual(await earned(userId), [300, 0])
  assert.deepEqual(await world.differences([publisher]), [])
})

test("a sale paired with a card purchase uses an offer at the sale's own time, in any arrival order", async () => {
  for (const order of sampleOrders([1, 2, 3])) {
    offers = makeOffers([{ offerType: 'AFFILIATE', oneTimeUse: true }, { groups: [group(20_000, null)] }])
    const brandUid = offers[0]?.brandUid ?? ''
    const { userId } = await world.user(publisher)
    const made: readonly SourceEventInput[] = [
      purchase(userId, brandUid, { id: 1, day: 1, amount: 10_000 }),
      { ...purchase(userId, brandUid, { id: 2, day: 1.5, amount: 3_000 }), source: 'AFFILIATE' },
      { ...purchase(userId, brandUid, { id: 3, day: 1.9, amount: 10_000 }), source: 'AFFILIATE' },
    ]
    for (const id of order) {
      const reported = made.find(({ externalId }) => externalId === `${userId} ${id}`)
      assert(reported !== undefined)
      const { paid } = await evaluatePurchase(db.reader, world, publisher, reported, at(4))
      await world.report(publisher, [reported], at(4))
      const [row] = await db.reader<[{ gross: bigint }]>`
        select gross from transactions where user_id = ${userId} and external_id = ${reported.externalId}`
      assert.equal(paid.gross, row.gross, `${id} of ${order} beforehand`)
    }
    assert.deepEqual(await earned(userId), [200, 300, 0], order.join(' then '))
  }
  assert.deepEqual(await world.differences([publisher]), [])
})
