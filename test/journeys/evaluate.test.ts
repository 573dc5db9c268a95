import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { importCodes } from '../../src/catalog/allowances/index.ts'
import { verifyLedger } from '../../src/ledger/index.ts'
import { DAY_MS } from '../../src/platform/calendar.ts'
import { encodeId } from '../../src/platform/ids.ts'
import { verifyRewards, verifyTransactions } from '../../src/purchases/transactions/index.ts'
import type { Trace, UserView } from '../../src/purchases/transactions/trace-schema.ts'
import { changeSettings } from '../../src/tenants/publishers/index.ts'
import { acceptTerms, createUser, deactivateUser } from '../../src/users/users/index.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { runs, SEED } from '../support/runs.ts'

// Evaluating a purchase predicts its outcome for random offers, users and purchases, and stores nothing.

const START_MS = Date.now() - 90 * DAY_MS
const dayText = (offset: number): string => new Date(START_MS + offset * DAY_MS).toISOString().slice(0, 10)

const BRANDS = 24
/** Leaves a value unset `unset` times as often as it sets it. */
const some = <T>(arbitrary: fc.Arbitrary<T>, unset = 4): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: unset, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
const rate = fc.constantFrom(0.0001, 1, 3.3333, 5, 8.25, 50)
const dollars = fc.constantFrom(0.01, 0.99, 4, 25)
const bounds = fc.record({
  product_groups: some(fc.constant(['shoes'])),
  skus: some(fc.constant(['A-1', 'B-2']), 2),
  customer: some(fc.constantFrom('new', 'returning', 'lapsed'), 2),
  min_amount: some(fc.constantFrom(5, 20), 2),
  max_amount: some(fc.constantFrom(20, 80), 2),
})
const worth = fc.oneof(
  fc.record({ reward_type: fc.constantFrom('CASHBACK_PERCENTAGE', 'DISCOUNT_PERCENTAGE'), pays: fc.record({ rate }) }),
  fc.record({
    reward_type: fc.constantFrom('CASHBACK_DOLLAR', 'DISCOUNT_DOLLAR'),
    pays: fc.record({ amount: dollars }),
  }),
)
const kind = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ offer_type: 'CARD_LINKED' }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<object>(
      { offer_type: 'AFFILIATE', tracking_url: 'https://shop.example/?s={sub_id}' },
      { offer_type: 'GIFT_CARD', denominations: [20, 50] },
      { offer_type: 'VOUCHER_CODE', voucher_code: 'SAVE' },
      { offer_type: 'VOUCHER_CODE', unique_codes: true },
    ),
  },
)
const limit = fc.record({
  period: fc.constantFrom('DAY', 'WEEK', 'MONTH', 'LIFETIME'),
  uses: fc.integer({ min: 1, max: 3 }),
  reward: fc.constantFrom(0.5, 2, 10),
})
const conditions = fc.record({
  spends: some(
    fc.constantFrom<object>(
      { min_spend: 5 },
      { min_spend: 50 },
      { max_spend: 10 },
      { min_spend: 5, max_spend: 10 },
      { min_spend: 20, max_spend: 60 },
    ),
    1,
  ),
  start_date: some(fc.integer({ min: 0, max: 60 }).map(dayText)),
  end_date: some(fc.integer({ min: 61, max: 95 }).map(dayText)),
  days_of_week: some(fc.subarray(['MON', 'WED', 'FRI', 'SAT', 'SUN'], { minLength: 1 })),
  hours: some(fc.constantFrom({ from: '08:00', to: '18:00' }, { from: '20:00', to: '04:00' })),
  one_time_use: some(fc.constant(true)),
  customer: some(fc.constantFrom('new_customer_only', 'lapsed_customer_only'), 2),
  new_customer_days: some(fc.constantFrom(1, 10)),
  lapsed_customer_days: some(fc.constantFrom(1, 5)),
  channels: some(fc.constantFrom(['IN_STORE'], ['ONLINE'])),
  location: some(fc.constantFrom('NY', 'Austin', '10001'), 6),
  store_addresses: some(fc.constant([{ store_number: '12', street_address1: '1 Elm St', zip_code: '10001' }]), 8),
  activation_required: some(fc.constant(true), 6),
  user_limits: some(fc.uniqueArray(limit, { minLength: 1, maxLength: 2, selector: (one) => one.period })),
  budgets: some(
    fc.record({ period: fc.constantFrom('DAY', 'LIFETIME'), amount: fc.constantFrom(3, 40) }).map((one) => [one]),
  ),
})
const offer = fc.record({ worth, kind, conditions, groups: some(fc.array(bounds, { minLength: 1, maxLength: 3 })) })

type Shape = typeof offer extends fc.Arbitrary<infer T> ? T : never
function makeOffer({ worth: { reward_type, pays }, kind, conditions, groups }: Shape, offer_uid: string): object {
  const { customer, spends, lapsed_customer_days, ...asked } = conditions
  const asksForLapsed = customer === 'lapsed_customer_only' || groups?.some((one) => one.customer === 'lapsed')
  const commission =
    groups === undefined
      ? { commission: pays }
      : { commission_groups: groups.map((one, index) => ({ name: `group ${index}`, ...pays, ...one })) }
  return {
    offer_uid,
    name: offer_uid,
    reward_type,
    refund_period_days: 3650,
    ...commission,
    ...kind,
    ...asked,
    ...spends,
    ...(customer === undefined ? {} : { [customer]: true }),
    // An import rejects this number of days on an offer without a condition for lapsed customers.
    ...(asksForLapsed && { lapsed_customer_days }),
  }
}

const item = fc.record({
  sku: some(fc.constantFrom('A-1', 'Z'), 2),
  product_group: some(fc.constantFrom('shoes', 'hats'), 2),
})
const purchase = fc.record({
  user: fc.nat(1),
  brand: fc.nat(2),
  /** Before, during and after the offers' validity. The last value is after their activation. */
  hour: fc.oneof(fc.integer({ min: 0, max: 90 * 24 - 1 }), fc.constant(90 * 24 + 2)),
  cents: fc.oneof(fc.constantFrom(1, 1_999, 2_000, 5_000), fc.integer({ min: 1, max: 12_000 })),
  items: fc.array(item, { maxLength: 2 }),
  reported: fc.record({
    kind: fc.constantFrom('CLEARING', 'CLEARING', 'AUTHORIZATION'),
    source: fc.constantFrom('CARD', 'CARD', 'CARD', 'AFFILIATE', 'GIFT_CARD', 'VOUCHER', 'OTHER'),
    currency: fc.constantFrom('USD', 'USD', 'USD', 'USD', 'EUR'),
    channel: some(fc.constantFrom('IN_STORE', 'ONLINE'), 1),
    voucher_code: some(fc.constantFrom('SAVE', 'other'), 2),
    state: some(fc.constantFrom('NY', 'TX'), 1),
    city: some(fc.constantFrom('Austin', 'Reno'), 1),
    store_number: some(fc.constantFrom('12', '13'), 1),
  }),
  named: fc.constantFrom('brand', 'brand', 'brand', 'offer', 'descriptor'),
  withOwnCode: fc.boolean(),
})
type Bought = typeof purchase extends fc.Arbitrary<infer T> ? T : never

const shapes = fc.sample(fc.array(offer, { minLength: 1, maxLength: 4 }), { numRuns: BRANDS, seed: SEED })
const toUid = (brand: number, index: number): string => `offer-${brand}-${index}`
const brands = shapes.map((offers, brand) => ({
  brand_uid: `brand-${brand}`,
  category_id: 1,
  name: `Quillfeather Number ${brand}`,
  offers: offers.map((shape, index) => makeOffer(shape, toUid(brand, index))),
}))
/** The three consecutive brands, starting with this one, where a pair of users buys. */
const brandsFrom = (first: number): number[] => [0, 1, 2].map((brand) => (first + brand) % BRANDS)

let app: TestApp
let users = 0
let events = 0

before(async () => {
  app = await startTestApp()
  const settings = { ownCardFeed: true, timeZone: 'America/New_York', feePpm: 123_400, sharePpm: 251_000 }
  await app.service.db.transaction((tx) => changeSettings(tx, app.publisher.id, settings))
  await app.catalog({ categories: [{ category_id: 1, category: 'ALL' }], brands })
  const address = `/operator/publishers/${encodeId('pub', app.publisher.id)}/assortment`
  const offers = brands
    .slice(0, 6)
    .flatMap(({ brand_uid }) => [{ offer_uid: `${brand_uid.replace('brand', 'offer')}-0`, fee: 0, share: 33.3 }])
  assert.equal((await app.operator('PUT', address, { offers })).status, 200)
  await app.service.catalog.refresh()
})
after(() => app.close())

/** Creates two users who registered before all purchases: an active one, and one with this status. */
async function newUsers(second: 'active' | 'left' | 'without terms'): Promise<string[]> {
  const names = ['active', second].map((state) => ({ state, publisherUserId: `user-${users++}` }))
  for (const { state, publisherUserId } of names) {
    await app.service.db.transaction(async (tx) => {
      const joined = new Date(START_MS - DAY_MS)
      await createUser(
        tx,
        app.publisher,
        { publisherUserId, email: null, primaryZipCode: null, attributes: null },
        joined,
      )
      if (state === 'without terms') return
      await acceptTerms(tx, app.publisher, publisherUserId, app.tncId, joined)
      if (state === 'left') await deactivateUser(tx, app.publisher, publisherUserId, new Date(START_MS + 45 * DAY_MS))
    })
  }
  return names.map(({ publisherUserId }) => publisherUserId)
}

/** Activates these brands' offers for the active user, and assigns a code from each of their pools. */
async function prepare(publisher_user_id: string | undefined, visited: readonly number[]) {
  const codes = new Map<string, string>()
  const offers = visited.flatMap((brand) =>
    (shapes[brand] ?? []).map((shape, index) => ({ shape, offerUid: toUid(brand, index) })),
  )
  for (const { shape, offerUid } of offers) {
    if (shape.conditions.activation_required === true)
      await app.call('POST', `/offers/${offerUid}/activate`, { publisher_user_id })
    if (!('unique_codes' in shape.kind)) continue
    const code = `${offerUid}-${publisher_user_id}`
    await app.service.db.transaction((tx) =>
      importCodes(
        tx,
        app.service.vault,
        { offerUid, environment: 'sandbox' },
        [{ code, expiresOn: null }],
        new Date(START_MS),
      ),
    )
    const { body } = await app.call('POST', `/offers/${offerUid}/voucher-code`, { publisher_user_id })
    if (body.code !== undefined) codes.set(offerUid, body.code)
  }
  return codes
}

type Bearer = { readonly names: readonly string[]; readonly codes: ReadonlyMap<string, string>; readonly first: number }

/** @param first the first of the three brands where the pair of users buys */
function makeEvent(bought: Bought, { names, codes, first }: Bearer): object {
  const brand = (first + bought.brand) % BRANDS
  const { user, hour, cents, items, reported, named, withOwnCode } = bought
  const code = withOwnCode
    ? (shapes[brand] ?? []).flatMap((_one, index) => codes.get(toUid(brand, index)) ?? [])[0]
    : undefined
  const share = Math.floor(cents / 3)
  return {
    publisher_user_id: names[user],
    external_id: `event-${events++}`,
    amount: cents / 100,
    transaction_date_time: new Date(START_MS + hour * (DAY_MS / 24)).toISOString(),
    ...(share > 0 && items.length > 0 ? { items: items.map((one) => ({ ...one, amount: share / 100 })) } : {}),
    ...reported,
    ...(code === undefined ? {} : { voucher_code: code }),
    ...(named === 'brand' ? { brand_uid: `brand-${brand}` } : {}),
    ...(named === 'offer' ? { offer_uid: toUid(brand, 0) } : {}),
    ...(named === 'descriptor' ? { merchant_descriptor: `QUILLFEATHER NUMBER ${brand}` } : {}),
  }
}

async function ok(method: string, path: string, body?: object) {
  const answer = await app.call(method, path, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

const reasons = new Set<string | null>()

async function staysTrue(event: object): Promise<void> {
  const asked = await ok('POST', '/transactions/evaluate', event)
  const askedByUser = await ok('POST', '/transactions/evaluate?view=user', event)
  const reported = await ok('POST', '/transactions', event)
  const about = `seed ${SEED}, ${JSON.stringify(event)}`
  assert.deepEqual(
    [reported.user_cashback, reported.offer_uid, reported.status_reason],
    [asked.user_cashback, asked.offer_uid, asked.status_reason],
    about,
  )
  const address = `/transactions/${reported.transaction_uid}/decision`
  const decision = await ok('GET', address)
  assert.deepEqual(decision, asked.decision, about)
  assert.equal(decision.user_reward, Math.round((reported.user_cashback + reported.user_discount) * 100) / 100, about)
  const view = await ok('GET', `${address}?view=user`)
  // A past purchase has no open conditions, so only the sentence differs.
  const { conditional, ...predicted } = askedByUser.decision
  assert.deepEqual(view, conditional === undefined ? predicted : { ...predicted, sentence: view.sentence }, about)
  isRedacted(view, decision, about)
  reasons.add(reported.status_reason)
}

/** Checks that a user sees only their own reward and the offer it came from. */
function isRedacted(view: UserView, decision: Trace, about: string): void {
  assert.deepEqual(Object.keys(view), [
    'offer_uid',
    'status_reason',
    'user_cashback',
    'user_discount',
    'sentence',
    'steps',
  ])
  for (const { rate_percent: _, ...step } of view.steps)
    assert.deepEqual(Object.keys(step), ['step', 'amount', 'sentence'])
  const text = [view.offer_uid, view.sentence, ...view.steps.map(({ sentence }) => sentence)].join(' ')
  const others = decision.candidates.map(({ offer_uid }) => offer_uid).filter((uid) => uid !== decision.chosen)
  for (const word of [...others, 'fee', 'share', 'commission', 'publisher', 'SAVE', 'QUILLFEATHER', 'txn_'])
    assert.ok(!new RegExp(`\\b${word}`).test(text), `${word} in ${text}: ${about}`)
}

test('an evaluation predicts the offer, the amounts, the reason and the entire trace', async () => {
  const history = fc.record({
    second: fc.constantFrom('active' as const, 'left' as const, 'without terms' as const),
    first: fc.nat(BRANDS - 1),
    purchases: fc.array(purchase, { minLength: 4, maxLength: 10 }),
  })
  await fc.assert(
    fc.asyncProperty(history, async ({ second, first, purchases }) => {
      const names = await newUsers(second)
      const codes = await prepare(names[0], brandsFrom(first))
      for (const bought of purchases) await staysTrue(makeEvent(bought, { names, codes, first }))
    }),
    { numRuns: runs(10) },
  )
  // Ensures that the random cases cover many outcomes.
  assert.ok(reasons.has(null) && reasons.size >= 6, [...reasons].join())
  const { db } = app.service
  assert.deepEqual(
    [
      ...(await verifyLedger(db.reader)),
      ...(await verifyRewards(db.reader)),
      ...(await verifyTransactions(db.reader, app.publisher)),
    ],
    [],
  )
})

async function rowCounts(): Promise<object> {
  const rows = await app.service.db.reader<{ name: string; count: string }[]>`
    select c.oid::regclass::text as name,
      (xpath('/row/count/text()', query_to_xml(format('select count(*) from %s', c.oid::regclass), false, true, '')))[1]::text as count
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = 'public'`
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

test('an evaluation changes no row in any table', async () => {
  const names = await newUsers('active')
  const codes = await prepare(names[0], [...shapes.keys()])
  const purchases = fc
    .sample(purchase, { numRuns: 16, seed: SEED })
    .map((bought, first) => makeEvent(bought, { names, codes, first }))
  // The worker may still be changing rows of earlier reports. A row written by an evaluation would appear every time.
  for (let tries = 1; ; tries++) {
    const counts = await rowCounts()
    for (const one of purchases) await ok('POST', '/transactions/evaluate', one)
    const counted = await rowCounts()
    if (isDeepStrictEqual(counted, counts)) break
    if (tries === 20) assert.deepEqual(counted, counts)
  }
})
