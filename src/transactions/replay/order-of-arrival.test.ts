import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { testDatabase } from '../../../test/support/postgres.ts'
import { DAY_MS, group, offerBase, openWorld, START, type World } from '../../../test/support/reward-world.ts'
import { runs } from '../../../test/support/runs.ts'
import { handOutCode, importCodes } from '../../allowances/index.ts'
import { type CommissionGroup, noConditions, type Offer, type OfferConditions } from '../../catalog/index.ts'
import { type Database, openDatabase } from '../../platform/database.ts'
import type { UserId } from '../../platform/ids.ts'
import { changeSettings, type Publisher } from '../../publishers/index.ts'
import type { SourceEventInput } from '../intake/event.ts'

// Any order of arrival of the same events ends in the same state (docs/decisions/0022-replay.md). Each history mixes
// purchases by card, by link and by voucher code at a brand with several limited offers, with refunds, reversals, further
// clearings and corrections. It is reported in the order in which it happened, and in two others, in random batches.
const HISTORIES = runs(200)
const NOW = new Date(START.getTime() + 8 * DAY_MS)

let database: { url: string; drop(): Promise<void> }
let db: Database
let world: World
let offers: readonly Offer[] = []

before(async () => {
  database = await testDatabase('order_of_arrival')
  db = openDatabase(database.url, { connections: 4 })
  world = await openWorld(db, () => offers)
})
after(async () => {
  await db.close()
  await database.drop()
})

const SOURCES = ['CARD', 'CARD', 'CARD', 'AFFILIATE', 'VOUCHER'] as const
type Purchase = {
  readonly source: (typeof SOURCES)[number]
  readonly amount: number
  readonly hours: number
  readonly isHeld: boolean
  readonly order: string | null
  /** The user's code that it names. */
  readonly code: number | null
  readonly next: readonly { readonly kind: SourceEventInput['kind']; readonly amount: number }[]
}

const amount = fc.constantFrom(1_000, 4_000, 9_400, 10_000, 12_000, 20_000)
const purchase: fc.Arbitrary<Purchase> = fc.record({
  source: fc.constantFrom(...SOURCES),
  amount,
  // Some at one instant.
  hours: fc.integer({ min: 1, max: 60 }),
  isHeld: fc.boolean(),
  order: fc.constantFrom(null, null, null, '1', '2'),
  code: fc.option(fc.integer({ min: 0, max: 1 }), { freq: 2 }),
  next: fc.array(
    fc.record({ kind: fc.constantFrom('REFUND', 'REVERSAL', 'AMENDMENT', 'CLEARING', 'DECLINE'), amount }),
    { maxLength: 2 },
  ),
})

type Asks = Partial<Omit<Offer, 'conditions'>> & { readonly conditions?: Partial<OfferConditions> }
const paying = (ratePpm: number, customer: CommissionGroup['customer'] = null): CommissionGroup => ({
  ...group(ratePpm, null),
  customer,
})
const OFFERS: readonly Asks[] = [
  { oneTimeUse: true, groups: [paying(100_000)] },
  { newCustomerOnly: true, newCustomerDays: 1, groups: [paying(90_000)] },
  { conditions: { userLimits: [{ period: 'DAY', uses: 1, reward: null }] }, groups: [paying(80_000)] },
  { conditions: { userLimits: [{ period: 'LIFETIME', uses: null, reward: 900n }] }, groups: [paying(70_000)] },
  { groups: [paying(60_000, 'new'), paying(20_000, 'returning')] },
  { minSpend: 9_400n, groups: [paying(50_000)] },
  { conditions: { lapsedCustomerOnly: true, lapsedCustomerDays: 1 }, groups: [paying(95_000)] },
  { offerType: 'AFFILIATE', groups: [paying(40_000)] },
  { offerType: 'AFFILIATE', oneTimeUse: true, groups: [paying(110_000)] },
  { offerType: 'VOUCHER_CODE', conditions: { uniqueCodes: true }, groups: [paying(120_000)] },
]

const history = fc.record({
  purchases: fc.array(purchase, { minLength: 2, maxLength: 6 }),
  offers: fc.subarray([...OFFERS], { minLength: 1, maxLength: 5 }),
  policy: fc.constantFrom('AFFILIATE' as const, 'CARD' as const, 'BOTH' as const),
  orders: fc.array(fc.array(fc.nat(), { minLength: 18, maxLength: 18 }), { minLength: 2, maxLength: 2 }),
  batch: fc.integer({ min: 1, max: 5 }),
})

let brands = 0

/** The offers of a new brand. */
function offersOf(asked: readonly Asks[]): Offer[] {
  const brandUid = `brand_${brands++}`
  return asked.map(({ conditions, ...more }, ordinal) => ({
    ...offerBase,
    offerUid: `${brandUid}_${ordinal}`,
    brandUid,
    rewardType: 'CASHBACK_PERCENTAGE',
    refundPeriodDays: 30,
    ordinal,
    conditions: { ...noConditions, ...conditions },
    ...more,
  }))
}

type MakeEvent = (userId: UserId, codes: readonly string[]) => SourceEventInput

function eventsOf(purchases: readonly Purchase[], brandUid: string): MakeEvent[] {
  return purchases.flatMap(({ source, amount: bought, hours, isHeld, order, code, next }, index) => {
    const event =
      (kind: SourceEventInput['kind'], nth: number, minor: number): MakeEvent =>
      (userId, codes) => ({
        ...{ userId, source, kind, currency: 'USD', dateOnly: false, amount: BigInt(minor) },
        externalId: `${userId} ${index}${nth === 0 ? '' : ` ${nth}`}`,
        originalExternalId: nth === 0 ? null : `${userId} ${index}`,
        occurredAt: new Date(START.getTime() + (hours + nth / 2) * 3_600_000),
        facts: {
          brandUid,
          ...(order === null ? {} : { orderId: order }),
          ...(code === null || codes[code] === undefined ? {} : { voucherCode: codes[code] }),
        },
      })
    return [
      event(isHeld ? 'AUTHORIZATION' : 'CLEARING', 0, bought),
      ...next.map(({ kind, amount: minor }, nth) => event(kind, nth + 1, minor)),
    ]
  })
}

/** A new user, with two codes of each pool. */
async function openUser(publisher: Publisher) {
  const { userId, name } = await world.user(publisher)
  const codes: string[] = []
  const assortment = await world.catalog.assortmentOf(publisher)
  const pooled = offers.filter(({ conditions }) => conditions.uniqueCodes)
  for (const { offerUid } of pooled) {
    const given = [`${name}-ONE`, `${name}-TWO`].map((code) => ({ code, expiresOn: null }))
    const pool = { offerUid, environment: publisher.environment }
    await db.transaction((tx) => importCodes(tx, world.vault, pool, given, START))
    await db.transaction(async (tx) => {
      const named = { publisherUserId: name, offerUid }
      codes.push((await handOutCode(tx, { assortment, vault: world.vault }, publisher, named, START)).code)
    })
  }
  return { userId, codes }
}

/** What is stored about a user's purchases, without ids and times that follow from the arrival. What kind of customer a user is follows from the purchases themselves. */
async function stateOf(userId: UserId): Promise<string[]> {
  const nameOf = (externalId: string) => externalId.slice(userId.length + 1).split(' ')[0]
  const rows = await db.reader<{ externalId: string; text: string }[]>`
    select t.external_id, concat_ws(' | ', t.source, t.status, t.status_reason, t.brand_uid, t.offer_uid, t.amount, t.refunded, t.gross,
      t.user_amount, t.publisher_amount, t.fee_amount, t.authorized_at, t.cleared_on, t.available_on, t.terms - 'customer',
      (select string_agg(concat_ws(' ', h.kind, h.offer_uid, h.period, h.starts_on, h.amount, h.most_gross), ', ' order by h.kind)
       from allowance_holds h where h.user_id = t.user_id and h.transaction_id = t.transaction_id),
      (select concat_ws(' ', p.policy, p.stacked) from purchase_pairs p
       where p.user_id = t.user_id and t.transaction_id in (p.card_id, p.affiliate_id))) as text
    from transactions t where t.user_id = ${userId} and t.adjusts is null`
  return rows.map(({ externalId, text }) => `${nameOf(externalId)} | ${text}`).sort()
}

test('any order of arrival of the same events ends in the same state', async () => {
  const publisher = await world.publisher()
  await fc.assert(
    fc.asyncProperty(history, async ({ purchases, offers: asked, policy, orders, batch }) => {
      offers = offersOf(asked)
      const own = await db.transaction((tx) => changeSettings(tx, publisher.id, { stackingPolicy: policy }))
      const made = eventsOf(purchases, offers[0]?.brandUid ?? '')
      const arrivals = [made, ...orders.map((keys) => shuffled(made, keys))]
      const states: string[][] = []
      for (const [nth, arrival] of arrivals.entries()) {
        const { userId, codes } = await openUser(own)
        const size = nth === 0 ? made.length : batch
        for (let from = 0; from < arrival.length; from += size) {
          const events = arrival.slice(from, from + size).map((make) => make(userId, codes))
          await world.report(own, events, NOW)
        }
        states.push(await stateOf(userId))
      }
      for (const state of states.slice(1)) assert.deepEqual(state, states[0])
    }),
    { numRuns: HISTORIES },
  )
  assert.deepEqual(await world.differences([publisher]), [])
})

function shuffled<T>(all: readonly T[], keys: readonly number[]): T[] {
  return all
    .map((one, index) => ({ one, key: keys[index] ?? 0 }))
    .sort((a, b) => a.key - b.key)
    .map(({ one }) => one)
}
