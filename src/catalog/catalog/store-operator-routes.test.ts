import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { CATEGORIES, offer } from '../../../test/support/catalog-world.ts'

const app = await startTestApp()
after(() => app.close())

const brand = (brand_uid: string, name: string, offers: readonly object[]) => ({
  brand_uid,
  name,
  category_id: 1,
  offers,
})
const shared = {
  location_name: 'Downtown',
  store_number: '17',
  street_address1: '1 Main Street',
  city: 'New York',
  state: 'NY',
  latitude: '40.71',
  longitude: '-74.01',
}
const nearby = { ...shared, location_name: 'Harbor', store_number: '18', latitude: '40.72', longitude: '-74.02' }
const unplaced = { location_name: '100% Corner_', complete_address: '5 Pier\\Road, Austin', state: 'tx' }
const market = brand('market', 'Corner Market', [
  offer('first', { offer_uid: 'first', store_addresses: [shared, nearby, shared] }),
  offer('second', { offer_uid: 'second', store_addresses: [shared, unplaced] }),
])
const barn = (more: object) =>
  brand('barn', 'Gadget Barn', [
    offer('live', { offer_uid: 'live', store_addresses: [{ ...shared, location_name: 'Barn', state: 'CA' }] }),
    offer('gone', {
      offer_uid: 'gone',
      store_addresses: [{ ...shared, location_name: 'Gone', state: 'WA' }],
      ...more,
    }),
  ])
const closed = (more: object) => ({
  ...brand('closed', 'Closed', [
    offer('closed', { offer_uid: 'closed', store_addresses: [{ ...shared, state: 'OH' }] }),
  ]),
  ...more,
})

before(async () => {
  await app.catalog({ categories: CATEGORIES, brands: [market, barn({}), closed({})] })
  await app.catalog({ categories: CATEGORIES, brands: [market, barn({ retired: true }), closed({ retired: true })] })
})

async function read(query: string) {
  const { status, body } = await app.operator('GET', `/operator/stores?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
const namesIn = ({ content }: { content: readonly { name: string }[] }) => content.map(({ name }) => name)

test("each store is listed once, regardless of how many of its brand's offers include it", async () => {
  const { total, unplaced, states, content } = await read('')
  assert.deepEqual([total, unplaced, states], [4, 1, ['CA', 'NY', 'TX']])
  assert.deepEqual(namesIn({ content }), ['Downtown', 'Harbor', '100% Corner_', 'Barn'])
  assert.deepEqual(content[0], {
    brand_uid: 'market',
    brand_name: 'Corner Market',
    name: 'Downtown',
    store_number: '17',
    address: '1 Main Street, New York, NY',
    state: 'NY',
    latitude: 40.71,
    longitude: -74.01,
  })
  const { address, state, latitude } = content[2]
  assert.deepEqual([address, state, latitude], ['5 Pier\\Road, Austin', 'TX', null])
})

test('stores of retired offers and brands are not listed', async () => {
  for (const query of ['search_text=gone', 'search_text=closed', 'state=WA', 'state=OH'])
    assert.deepEqual([(await read(query)).total, (await read(query)).content], [0, []], query)
})

test('search finds a store by brand, name, number or address, ignoring case and taking text literally', async () => {
  const cases: readonly [query: string, names: readonly string[]][] = [
    ['search_text=GADGET', ['Barn']],
    ['search_text=harb', ['Harbor']],
    ['search_text=18', ['Harbor']],
    ['search_text=new%20york', ['Downtown', 'Harbor', 'Barn']],
    ['search_text=0%25%20C', ['100% Corner_']],
    ['search_text=%25', ['100% Corner_']],
    ['search_text=_', ['100% Corner_']],
    ['search_text=%5C', ['100% Corner_']],
    ['search_text=.', []],
    ['state=ny', ['Downtown', 'Harbor']],
    ['state=TX', ['100% Corner_']],
    ['search_text=corner&state=NY', ['Downtown', 'Harbor']],
    ['search_text=corner&state=CA', []],
  ]
  for (const [query, names] of cases) {
    const { total, states, content } = await read(query)
    assert.deepEqual([total, namesIn({ content })], [names.length, names], query)
    assert.deepEqual(states, ['CA', 'NY', 'TX'], query)
  }
})

test('selecting a place narrows the list to its stores and leaves the map unchanged', async () => {
  const whole = await read('search_text=corner')
  const [{ place, latitude, longitude, stores }] = whole.places
  assert.deepEqual([whole.places.length, latitude, longitude, stores], [1, 40.715, -74.015, 2])
  const { places, unplaced, total, content } = await read(`search_text=corner&place=${place}`)
  assert.deepEqual([places, unplaced], [whole.places, 1])
  assert.deepEqual([total, namesIn({ content })], [2, ['Downtown', 'Harbor']])
  assert.equal((await read(`search_text=corner&place=0-1-1`)).total, 0)
})

test('the map has a bounded number of points, which cover all stores with coordinates', async () => {
  const many = Array.from({ length: 6_000 }, (_, n) => ({
    location_name: `Store ${n}`,
    state: 'KS',
    latitude: String(25 + (n % 100) / 5),
    longitude: String(-120 + Math.floor(n / 100) / 2),
  }))
  const chain = brand('chain', 'Chain', [offer('chain', { offer_uid: 'chain', store_addresses: many })])
  await app.catalog({ categories: CATEGORIES, brands: [chain] })
  const { total, places, content } = await read('state=KS')
  assert.deepEqual([total, content.length], [6_000, 100])
  assert.equal(places.length > 200 && places.length <= 2_000, true, String(places.length))
  const standFor = places.reduce((sum: number, { stores }: { stores: number }) => sum + stores, 0)
  assert.equal(standFor, 6_000)
  const [{ place, stores }] = places
  assert.equal((await read(`state=KS&place=${place}`)).total, stores)
})

test('an invalid filter is rejected, and the error identifies the field', async () => {
  for (const [field, query] of [
    ['state', 'state=NYC'],
    ['state', 'state=1'],
    ['search_text', 'search_text='],
    ['place', 'place=x'],
    ['place', 'place=99-1-1'],
    ['size', 'size=10'],
  ] as const) {
    const { status, body } = await app.operator('GET', `/operator/stores?${query}`)
    assert.deepEqual([status, body.errors[0].field], [400, field], query)
  }
})

test('every role that can read the catalog can read stores, and a publisher cannot', async () => {
  for (const role of ['catalog', 'finance', 'support', 'read-only'] as const)
    assert.equal((await (await app.staff(role))('GET', '/operator/stores')).status, 200, role)
  assert.equal((await app.call('GET', '/operator/stores')).status, 401)
})
