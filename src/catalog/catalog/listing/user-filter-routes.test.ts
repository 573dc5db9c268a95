import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CATEGORIES, offer, openCatalog } from '../../../../test/support/catalog-world.ts'
import type { UserId } from '../../../platform/ids.ts'

const place = await openCatalog('personal_brands')
const { publisher, apiKey } = await place.tenant()
const store = (latitude: number, longitude: number) => ({ latitude: `${latitude}`, longitude: `${longitude}` })
await place.load({
  categories: CATEGORIES,
  brands: [
    {
      brand_uid: 'brd_far',
      category_id: 1,
      name: 'Far Away',
      offers: [
        offer('In Austin', { offer_uid: 'off_far', commission: { rate: 9 }, store_addresses: [store(30.27, -97.74)] }),
      ],
    },
    {
      brand_uid: 'brd_near',
      category_id: 1,
      name: 'Near By',
      offers: [
        offer('In Manhattan', { offer_uid: 'off_near', store_addresses: [store(40.76, -73.99), store(40.75, -73.99)] }),
        offer('Once', { offer_uid: 'off_once', one_time_use: true, commission: { rate: 8 } }),
      ],
    },
    {
      brand_uid: 'brd_web',
      category_id: 2,
      name: 'Web',
      offers: [offer('Ask first', { offer_uid: 'off_ask', offer_type: 'GIFT_CARD', activation_required: true })],
    },
  ],
})
const users: Record<string, UserId> = {}
for (const name of ['ada', 'bob', 'cyd']) users[name] = await place.addUser(publisher, name)
await place.db.reader`update users set primary_zip_code = '10001' where publisher_user_id = 'bob'`
await place.db.reader`update users set primary_zip_code = '78701' where publisher_user_id = 'cyd'`

const get = (url: string) => place.ask(url, { headers: { authorization: `Bearer ${apiKey}` } })
const list = async (user: string, query = '') => {
  const answer = await get(`/publishers/brands?publisher_user_id=${user}${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
type Shown = { brand_uid: string; offers: { offer_uid: string; distance_metres?: number | null }[] }
const offersFor = async (user: string, query = ''): Promise<string> =>
  (await list(user, query)).content
    .map((brand: Shown) => `${brand.brand_uid} ${brand.offers.map((one) => one.offer_uid)}`)
    .join('; ')

test('in-store offers are listed for users who live nearby or have no known home', async () => {
  assert.equal(await offersFor('ada'), 'brd_far off_far; brd_near off_near,off_once; brd_web off_ask')
  assert.equal(await offersFor('bob'), 'brd_far ; brd_near off_near,off_once; brd_web off_ask')
  assert.equal(await offersFor('cyd'), 'brd_far off_far; brd_near off_once; brd_web off_ask')
})

test('a filter on offers drops brands without an offer for the user', async () => {
  assert.equal(await offersFor('bob', '&location=IN_STORE'), 'brd_near off_near,off_once')
  assert.equal((await list('bob', '&location=IN_STORE')).total_elements, 1)
  assert.equal((await list('ada', '&location=IN_STORE')).total_elements, 2)
})

test("a user who moves sees the new area's offers on the next request", async () => {
  await place.db.reader`update users set primary_zip_code = '78701' where publisher_user_id = 'bob'`
  assert.equal(await offersFor('bob', '&category_id=1'), 'brd_far off_far; brd_near off_once')
  await place.db.reader`update users set primary_zip_code = '10001' where publisher_user_id = 'bob'`
  assert.equal(await offersFor('bob', '&category_id=1'), 'brd_far ; brd_near off_near,off_once')
})

test('an offer that a user has used up is neither listed nor counted, but only for that user', async () => {
  place.usedUp.set(users['ada'], ['off_once'])
  const [, near] = (await list('ada')).content
  assert.deepEqual(
    near.offers.map((one: Shown['offers'][number]) => one.offer_uid),
    ['off_near'],
  )
  assert.deepEqual([near.max_customer_offer, near.offer_description], [5, '5% cashback'])
  assert.equal((await list('cyd')).content[1].max_customer_offer, 8)
  const single = await get('/publishers/brands/brd_near?publisher_user_id=ada')
  assert.deepEqual(single.body[0].offers.length, 1)
  assert.equal((await list('ada', '&search_text=once')).total_elements, 0)
  place.usedUp.clear()
  assert.equal((await list('ada', '&search_text=once')).total_elements, 1)
})

test('an offer that requires activation shows whether it is activated', async () => {
  const shown = async (user: string): Promise<unknown[]> => {
    const page = await list(user)
    return [page.content[2].offers[0], page.content[1].offers[0]].map((one) => [one.activation_required, one.activated])
  }
  assert.deepEqual(await shown('ada'), [
    [true, false],
    [false, null],
  ])
  place.activated.set(users['ada'], ['off_ask'])
  assert.deepEqual((await shown('ada'))[0], [true, true])
  assert.deepEqual((await shown('cyd'))[0], [true, false])
})

test('brands sort by distance to their nearest store, and brands without one come last in both orders', async () => {
  const from = '&location=IN_STORE,ONLINE,40.75,-74.00&radius=500000'
  assert.equal(await offersFor('ada', `${from}&sort=distance`), 'brd_near off_near,off_once; brd_web off_ask')
  const order = async (query: string): Promise<string[]> =>
    (await list('ada', query)).content.map((brand: Shown) => brand.brand_uid)
  assert.deepEqual(await order('&location=10001,ONLINE&sort=distance'), ['brd_near', 'brd_web'])
  const bobs = await list('bob', '&sort=distance')
  assert.deepEqual(
    bobs.content.map((brand: Shown) => brand.brand_uid),
    ['brd_near', 'brd_far', 'brd_web'],
  )
  assert.deepEqual(bobs.sort, ['distance,asc'])
  const cyds = await list('cyd', '&sort=-distance')
  assert.deepEqual(
    cyds.content.map((brand: Shown) => brand.brand_uid),
    ['brd_far', 'brd_web', 'brd_near'],
  )
  const refused = await get('/publishers/brands?publisher_user_id=ada&sort=distance')
  assert.equal(refused.status, 400)
  assert.equal(refused.body.errors[0].field, 'sort')
})

test('lists include the distance to the nearest store only if the query requests it', async () => {
  const [near] = (await list('ada', '&location=40.75,-74.00&radius=5000')).content
  // 0.01 degrees of longitude at this latitude.
  assert(Math.abs(near.offers[0].distance_metres - 842) < 3, near.offers[0].distance_metres)
  const [, web] = (await list('ada', '&location=ONLINE,40.75,-74.00&sort=distance')).content
  assert.equal(web.offers[0].distance_metres, null)
  assert(!('distance_metres' in (await list('ada')).content[0].offers[0]))
})

test('the next page of a search continues where the previous one ended', async () => {
  const pages = await Promise.all([0, 1, 2].map((page) => list('ada', `&search_text=i&size=1&page=${page}`)))
  assert.deepEqual(
    pages.map((page) => page.total_elements),
    [2, 2, 2],
  )
  assert.deepEqual(
    pages.flatMap((page) => page.content.map((brand: Shown) => brand.brand_uid)),
    ['brd_far', 'brd_near'],
  )
})
