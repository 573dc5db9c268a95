import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testDatabase } from '../../test/support/postgres.ts'
import { DAY_MS, group, offerBase, openWorld, START, type World } from '../../test/support/reward-world.ts'
import { type CommissionGroup, noConditions, type Offer, type OfferConditions } from '../catalog/index.ts'
import { type Database, openDatabase } from '../platform/database.ts'
import type { UserId } from '../platform/ids.ts'
import type { Publisher } from '../publishers/index.ts'
import { evaluatePurchase } from './evaluate.ts'
import type { SourceEventInput } from './event.ts'

// What is known later of earlier purchases counts as if it had been known at once: whoever is told first, the purchases of
// one customer earn the same.
let database: { url: string; drop(): Promise<void> }
let db: Database
let world: World
let publisher: Publisher
let offers: readonly Offer[] = []

before(async () => {
  database = await testDatabase('earlier_purchases')
  db = openDatabase(database.url, { connections: 6 })
  world = await openWorld(db, () => offers)
  publisher = await world.publisher()
})
after(async () => {
  await db.close()
  await database.drop()
})

type Asks = Partial<Omit<Offer, 'conditions'>> & { readonly conditions?: Partial<OfferConditions> }
const forKind = (customer: CommissionGroup['customer'], ratePpm = 100_000): CommissionGroup => ({
  ...group(ratePpm, null),
  customer,
})
const lapsed: Partial<OfferConditions> = { lapsedCustomerOnly: true, lapsedCustomerDays: 30 }

/** Offers of one brand, and what its purchases on these days earn in the end. */
const CASES: Readonly<
  Record<
    string,
    { readonly offers: readonly Asks[]; readonly days: readonly number[]; readonly earn: readonly number[] }
  >
> = {
  'an offer for new customers': { offers: [{ newCustomerOnly: true }], days: [1, 2], earn: [1_000, 0] },
  'a one-time offer for new customers': {
    offers: [{ newCustomerOnly: true, oneTimeUse: true }],
    days: [1, 2],
    earn: [1_000, 0],
  },
  'an offer for new customers that each may use once': {
    offers: [{ newCustomerOnly: true, conditions: { userLimits: [{ period: 'LIFETIME', uses: 1, reward: null }] } }],
    days: [1, 2],
    earn: [1_000, 0],
  },
  'an offer for new customers whose budget carries one of them': {
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
  'an offer for returning customers alone': {
    offers: [{ groups: [forKind('returning')] }],
    days: [1, 2],
    earn: [0, 1_000],
  },
  'an offer for new customers beside one for all': {
    offers: [{ newCustomerOnly: true }, { groups: [group(50_000, null)] }],
    days: [1, 2, 3],
    earn: [1_000, 500, 500],
  },
  'an offer for lapsed customers beside a better one that is over': {
    offers: [{ conditions: lapsed }, { endDate: '2026-01-01', groups: [group(500_000, null)] }],
    days: [-100, 1],
    earn: [0, 1_000],
  },
  'a one-time offer for new customers beside a one-time offer for all': {
    offers: [
      { newCustomerOnly: true, oneTimeUse: true },
      { groups: [group(50_000, null)], oneTimeUse: true },
    ],
    days: [1, 2],
    earn: [1_000, 500],
  },
}

let brands = 0
function offersOf(asked: readonly Asks[]): Offer[] {
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

const purchase = (user: UserId, brandUid: string, day: number): SourceEventInput => ({
  ...{ userId: user, source: 'CARD', kind: 'CLEARING', externalId: `${user} ${day}`, originalExternalId: null },
  ...{ amount: 10_000n, currency: 'USD', occurredAt: at(day), dateOnly: false, facts: { brandUid } },
})

/** Reports a purchase of each day, one by one. Answers what each was said to earn beforehand, and does once it is known. */
async function buy(user: UserId, brandUid: string, days: readonly number[]): Promise<string[]> {
  const otherwise: string[] = []
  for (const day of days) {
    const bought = purchase(user, brandUid, day)
    const { paid } = await evaluatePurchase(db.reader, world, publisher, bought, at(70))
    await world.report(publisher, [bought], at(70))
    const [row] = await db.reader<[{ gross: bigint }]>`
      select gross from transactions where user_id = ${user} and external_id = ${bought.externalId}`
    if (row.gross !== paid.gross) otherwise.push(`day ${day}: ${paid.gross} beforehand, then ${row.gross}`)
  }
  return otherwise
}

function ordersOf(days: readonly number[]): number[][] {
  if (days.length < 2) return [[...days]]
  return days.flatMap((day) => ordersOf(days.filter((one) => one !== day)).map((rest) => [day, ...rest]))
}

for (const [name, { offers: asked, days, earn }] of Object.entries(CASES))
  test(`${name} pays the same purchases in every order of arrival, and what it said beforehand`, async () => {
    for (const order of ordersOf(days)) {
      offers = offersOf(asked)
      const brandUid = offers[0]?.brandUid ?? ''
      const { userId } = await world.user(publisher)
      assert.deepEqual(await buy(userId, brandUid, order), [], order.join(' then '))
      const rows = await db.reader<{ gross: bigint }[]>`
        select gross from transactions where user_id = ${userId} order by authorized_at`
      assert.deepEqual(
        rows.map(({ gross }) => Number(gross)),
        earn,
        order.join(' then '),
      )
    }
    assert.deepEqual(await world.differences([publisher]), [])
  })
