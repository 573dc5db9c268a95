import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY_MS } from '../../src/platform/calendar.ts'
import { encodeId, toUserId } from '../../src/platform/ids.ts'
import { setNetworkSecret } from '../../src/sources/affiliate/index.ts'
import { changeSettings } from '../../src/tenants/publishers/index.ts'
import { CATALOG, type Call, fetchPatiently, startTestApp, type Tenant, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'

// A publisher drops a brand and an offer while its users are buying, and later carries both again.

const DAYS_AHEAD = 4
const SECRET = 'a-secret-of-the-network'
const NOT_CARRIED = {
  brands: [{ brand_uid: 'brand-market', carried: false }],
  offers: [
    { offer_uid: 'offer-gadgets-link', carried: false },
    { offer_uid: 'offer-gadgets-gift', fee: 0, share: 50, formatted_description: 'Half for you, half for us' },
  ],
  category_order: [2, 1],
}

let app: TestApp
let address: string

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
  const { db, vault } = app.service
  address = `/operator/publishers/${encodeId('pub', app.publisher.id)}/assortment`
  await db.transaction(async (tx) => {
    await changeSettings(tx, app.publisher.id, { ownCardFeed: true, feePpm: 100_000, sharePpm: 200_000 })
    await setNetworkSecret(tx, vault, 'default', SECRET, new Date())
  })
  await register(app.call)
  // Leaves room to backdate purchases to any time after the terms were accepted.
  assert.equal((await app.call('POST', '/sandbox/clock', { advance_days: DAYS_AHEAD })).status, 200)
  await buyWhileCarried()
})
after(() => app.close())

async function register(call: Call): Promise<void> {
  await call('POST', '/users', { publisher_user_id: 'ada' })
  assert.equal((await call('POST', '/terms/accept', { publisher_user_id: 'ada', tnc_id: app.tncId })).status, 200)
}

const readBrands = async (call: Call, query = ''): Promise<string[]> => {
  const { body } = await call('GET', `/publishers/brands?publisher_user_id=ada${query}`)
  return body.content.map((brand: { brand_uid: string }) => brand.brand_uid)
}
/** Returns the offer from its brand's page, as users see it. */
const readOffer = async (brandUid: string, offerUid: string) => {
  const { status, body } = await app.call('GET', `/publishers/brands/${brandUid}?publisher_user_id=ada`)
  return status === 200 ? body[0].offers.find((one: { offer_uid: string }) => one.offer_uid === offerUid) : null
}
const report = async (event: object) => {
  const { status, body } = await app.call('POST', '/transactions', { publisher_user_id: 'ada', ...event })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
const put = async (assortment: object): Promise<void> => {
  const answer = await app.operator('PUT', address, assortment)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}
const follow = (trackingUrl: string, method = 'GET') => fetchPatiently(trackingUrl, { method, redirect: 'manual' })

/** The user's links and orders from before the publisher dropped any offer. */
type Before = {
  readonly trackingUrl: string
  readonly subId: string | null
  readonly boughtAt: Date
  readonly transactionUid: string
}
const PURCHASE = {
  external_id: 'clearing',
  original_external_id: 'authorization',
  amount: 100,
  brand_uid: 'brand-market',
}
let other: Tenant
let done: Before

async function buyWhileCarried(): Promise<void> {
  other = await app.tenant()
  await register(other.call)
  assert.deepEqual(await readBrands(app.call), ['brand-market', 'brand-gadgets'])
  assert.equal((await readOffer('brand-market', 'offer-market')).customer_offer, 3.5)
  const { tracking_url: trackingUrl } = await readOffer('brand-gadgets', 'offer-gadgets-link')
  const clicked = await follow(trackingUrl)
  const subId = new URL(clicked.headers.get('location') ?? '').searchParams.get('sub')
  const boughtAt = new Date(Date.now() + (DAYS_AHEAD - 1) * DAY_MS)
  const first = await report({ ...PURCHASE, transaction_date_time: boughtAt.toISOString() })
  assert.deepEqual([first.status, first.user_cashback], ['PENDING', 3.5])
  done = { trackingUrl, subId, boughtAt, transactionUid: first.transaction_uid }
  await put(NOT_CARRIED)
  await eventually(async () => (await readBrands(app.call)).length === 1)
}

test("lists, search, brands and categories show only what is carried, in the publisher's wording", async () => {
  assert.deepEqual(await readBrands(app.call), ['brand-gadgets'])
  assert.deepEqual(await readBrands(app.call, '&search_text=corner'), [])
  assert.equal(await readOffer('brand-market', 'offer-market'), null)
  assert.equal(await readOffer('brand-gadgets', 'offer-gadgets-link'), undefined)
  const gift = await readOffer('brand-gadgets', 'offer-gadgets-gift')
  assert.deepEqual([gift.customer_offer, gift.formatted_description], [2, 'Half for you, half for us'])
  const { body } = await app.call('GET', '/publishers/categories')
  assert.deepEqual(body, [{ category_id: 2, category: 'ELECTRONICS' }])
})

test('other publishers are unaffected', async () => {
  assert.deepEqual(await readBrands(other.call), ['brand-market', 'brand-gadgets'])
  const { body } = await other.call('GET', '/publishers/categories')
  assert.equal(body.length, 2)
})

test('a purchase at a dropped brand is recorded but earns nothing, even if it names the brand or offer', async () => {
  for (const [index, named] of [{ brand_uid: 'brand-market' }, { offer_uid: 'offer-market' }].entries()) {
    const purchase = { external_id: `late-${index}`, amount: 100, merchant_name: 'Corner Market', ...named }
    const asked = await app.call('POST', '/transactions/evaluate', { publisher_user_id: 'ada', ...purchase })
    const reported = await report(purchase)
    assert.deepEqual([asked.body.eligible, asked.body.status_reason], [false, 'no_offer'])
    assert.deepEqual([reported.status, reported.status_reason, reported.user_cashback], ['CANCELLED', 'no_offer', 0])
    const { body } = await app.call('GET', '/reports/transactions?format=csv')
    assert(body.includes(reported.transaction_uid))
  }
})

test("a purchase's commission is split as the assortment specifies for its offer", async () => {
  const reported = await report({ external_id: 'gift', source: 'GIFT_CARD', amount: 50, brand_uid: 'brand-gadgets' })
  assert.deepEqual([reported.offer_uid, reported.user_cashback], ['offer-gadgets-gift', 1])
})

test('a decided purchase keeps its terms even if its amount and time change', async () => {
  const amended = { external_id: 'amendment', original_external_id: 'authorization', kind: 'AMENDMENT', amount: 200 }
  assert.equal((await report(amended)).user_cashback, 7)
  const earlier = new Date(done.boughtAt.getTime() - DAY_MS).toISOString()
  const authorization = { external_id: 'authorization', kind: 'AUTHORIZATION', amount: 90, brand_uid: 'brand-market' }
  const reported = await report({ ...authorization, transaction_date_time: earlier })
  assert.deepEqual([reported.transaction_uid, reported.status], [done.transactionUid, 'PENDING'])
  assert.deepEqual([reported.transaction_date_time?.slice(0, 10), reported.user_cashback], [earlier.slice(0, 10), 7])
})

test("a dropped offer's link records no clicks, and a sale from an earlier click still earns", async () => {
  for (const method of ['GET', 'HEAD']) assert.equal((await follow(done.trackingUrl, method)).status, 404)
  const clicks = await app.service.db.reader`
    select 1 from clicks where user_id = ${toUserId(app.publisher.id, 'ada')}`
  assert.equal(clicks.length, 1)
  const posted = await fetchPatiently(`${app.service.url}/postbacks/default`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'X-Postback-Secret': SECRET },
    body: JSON.stringify({ sub_id: done.subId, order_id: 'order-7', amount: 100, currency: 'USD', status: 'approved' }),
  })
  assert.equal(posted.status, 200, await posted.text())
  const sale = await eventually(async () => {
    const { body } = await app.call('GET', '/transactions?publisher_user_id=ada&search_text=order-7')
    return body.content[0]
  })
  assert.deepEqual([sale.status, sale.offer_uid, sale.user_cashback], ['PENDING', 'offer-gadgets-link', 5.6])
})

test('a brand or offer works as before once it is carried again', async () => {
  await put({})
  await eventually(async () => (await readBrands(app.call)).length === 2)
  assert.deepEqual(await readBrands(app.call), ['brand-market', 'brand-gadgets'])
  assert.equal((await follow(done.trackingUrl)).status, 302)
  assert.equal((await report({ ...PURCHASE, external_id: 'again', original_external_id: 'b' })).user_cashback, 3.5)
})

test('replacing an assortment that changed in the meantime is a conflict and overwrites nothing', async () => {
  const read = (await app.operator('GET', address)).body
  const theirs = { ...read, category_order: [1, 2] }
  const ours = { ...read, carries: 'listed' }
  const saved = await app.operator('PUT', address, { ...theirs, expected: read })
  assert.deepEqual([saved.status, saved.body.category_order], [200, [1, 2]])
  const late = await app.operator('PUT', address, { ...ours, expected: read })
  assert.deepEqual(
    [late.status, late.body.code, late.body.field, late.body.current],
    [409, 'changed_meanwhile', 'category_order', [1, 2]],
  )
  assert.deepEqual((await app.operator('GET', address)).body, saved.body)
  assert.equal((await app.operator('PUT', address, { ...read, expected: saved.body })).status, 200)
})

test("operators, but not publishers, read and replace a publisher's assortment, and changes are audited", async () => {
  await put({})
  const shown = await app.operator('GET', address)
  const usual = { carries: 'everything', categories: [], brands: [], offers: [], category_order: [] }
  assert.deepEqual(shown.body, usual)
  const market = { offer_uid: 'offer-market', formatted_description: 'Own words' }
  const words = { offers: [market] }
  const named = { offers: [{ ...market, name: '5% back', brand_name: 'Corner Market' }] }
  // A response can be sent back unchanged, because the names in it are ignored.
  for (const sent of [words, named, {}, {}]) {
    await put({ ...usual, ...sent })
    const { body } = await app.operator('GET', address)
    assert.deepEqual(body, { ...usual, ...('offers' in sent ? named : {}) })
  }
  const { body } = await app.operator('GET', `/operator/audit?subject=${encodeId('pub', app.publisher.id)}`)
  const [last, former] = body.content
  assert.deepEqual([last.action, last.actor_name, last.before, last.after], ['assortment.changed', 'Ada', words, {}])
  assert.deepEqual([former.before, former.after], [{}, words])
  const unknown = await app.operator('PUT', address, { brands: [{ brand_uid: 'nobody', carried: true }] })
  assert.deepEqual([unknown.status, unknown.body.code], [400, 'assortment_invalid'])
  assert.match(unknown.body.detail, /no brand nobody/)
  assert.equal((await app.operator('GET', '/operator/publishers/pub_x/assortment')).body.code, 'publisher_not_found')
  assert.equal((await app.call('PUT', address, {})).status, 401)
})
