import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changeSettings } from '../../src/tenants/publishers/index.ts'
import { acceptTerms } from '../../src/users/users/index.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

// Offers limited to places, named as people name them. If a search nearby finds a store, a purchase there must be
// rewarded.

const offer = (offer_uid: string, given: object) => ({
  offer_uid,
  name: offer_uid,
  offer_type: 'CARD_LINKED',
  reward_type: 'CASHBACK_PERCENTAGE',
  commission: { rate: 5 },
  ...given,
})
const STORE_78702 = { store_number: '7', zip_code: '78702', state: 'TX' }
const OFFERS = {
  'zip-store': { store_addresses: [STORE_78702] },
  'exact-store': { store_addresses: [{ latitude: 40.7506, longitude: -73.9972 }] },
  texas: { location: 'Texas' },
  tx: { location: 'TX' },
  zip: { location: '78701' },
  austin: { location: 'Austin' },
  'austin-tx': { location: 'Austin, TX' },
  'no-town': { location: 'Nowhere At All' },
  'new-york': { location: 'new york' },
}
const HOMES = { ada: '78701', tex: '79901', nell: '10001' }
let app: TestApp

before(async () => {
  app = await startTestApp()
  await app.service.db.transaction((tx) => changeSettings(tx, app.publisher.id, { ownCardFeed: true }))
  await app.catalog({
    categories: [{ category_id: 1, category: 'GROCERY' }],
    brands: Object.entries(OFFERS).map(([name, given]) => ({
      brand_uid: name,
      category_id: 1,
      name,
      offers: [offer(name, given)],
    })),
  })
  for (const [name, primary_zip_code] of Object.entries(HOMES)) {
    await app.call('POST', '/users', { publisher_user_id: name, primary_zip_code })
    await app.service.db.transaction((tx) => acceptTerms(tx, app.publisher, name, app.tncId, new Date()))
  }
})
after(() => app.close())

async function listed(user: string, query = ''): Promise<string[]> {
  const { status, body } = await app.call('GET', `/publishers/brands?publisher_user_id=${user}&size=50${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.content.flatMap((one: { offers: { offer_uid: string }[] }) => one.offers.map((each) => each.offer_uid))
}

async function earned(brand_uid: string, place: object): Promise<number> {
  const purchase = { publisher_user_id: 'ada', source: 'CARD', external_id: 'a', kind: 'CLEARING', amount: 100 }
  const { body } = await app.call('POST', '/transactions/evaluate', { ...purchase, brand_uid, ...place })
  return body.user_cashback
}

test('an offer limited to a place is listed for users nearby; if the place is unrecognized, for everyone', async () => {
  const near = ['zip-store', 'texas', 'tx', 'zip', 'austin', 'austin-tx', 'no-town']
  assert.deepEqual(await listed('ada'), near)
  assert.deepEqual(await listed('tex'), ['texas', 'tx', 'no-town'])
  assert.deepEqual(await listed('nell'), ['exact-store', 'no-town', 'new-york'])
})

test("filtering by state lists offers in its zip codes, and filtering by zip code lists its state's offers", async () => {
  assert.deepEqual(await listed('ada', '&location=TX'), ['zip-store', 'texas', 'tx', 'zip', 'austin-tx'])
  assert.deepEqual(await listed('ada', '&location=78701'), ['texas', 'tx', 'zip'])
  assert.deepEqual(await listed('ada', '&location=78702'), ['zip-store', 'texas', 'tx'])
  assert.deepEqual(await listed('ada', '&location=NY'), [])
})

test('a store without coordinates is located at the center of its zip code', async () => {
  assert.deepEqual(await listed('ada', '&location=30.2672,-97.7431&radius=20000'), ['zip-store'])
  assert.deepEqual(await listed('ada', '&location=30.2672,-97.7431&radius=500'), [])
  const { body } = await app.call('GET', '/publishers/brands?publisher_user_id=ada&sort=distance&size=1')
  assert.equal(body.content[0].brand_uid, 'zip-store')
  const metres = body.content[0].offers[0].distance_metres
  assert.ok(metres > 500 && metres < 20_000, `${metres}`)
})

test('an offer location that names a state covers the entire state, unless a city has the same name', async () => {
  for (const [brand, place, paid] of [
    ['texas', { state: 'TX', city: 'El Paso' }, true],
    ['texas', { state: 'NY', city: 'New York' }, false],
    ['new-york', { state: 'NY', city: 'New York' }, true],
    ['new-york', { state: 'NY', city: 'Buffalo' }, false],
  ] as const) {
    assert.equal((await earned(brand, place)) > 0, paid, `${brand} ${JSON.stringify(place)}`)
  }
})
