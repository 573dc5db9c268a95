import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Static } from 'typebox'
import { CATEGORIES, offer, openCatalog } from '../../../test/support/catalog-world.ts'
import { checkInput, pageSchema } from '../../platform/http/index.ts'
import { encodeId, newUuid } from '../../platform/ids.ts'
import { BrandSchema } from './schema.ts'

const place = await openCatalog('brands')
const { publisher, apiKey } = await place.tenant()
await place.addUser(publisher, 'ada')
const other = await place.tenant()

const store = {
  street_address1: '1 Main St',
  city: 'New York',
  state: 'NY',
  zip_code: '10001',
  latitude: '40.7506',
  longitude: '-73.9972',
}
await place.load({
  categories: CATEGORIES,
  brands: [
    {
      brand_uid: 'brd_market',
      category_id: 1,
      name: 'Corner Market',
      website: 'https://market.example',
      aliases: ['CRNR'],
      offers: [
        offer('Linked', { offer_uid: 'off_linked', max_spend: 100.5, store_addresses: [store] }),
        offer('Over', { end_date: '2026-11-20' }),
        offer('Soon', { start_date: '2026-11-22' }),
        offer('Gone', { retired: true }),
      ],
    },
    {
      brand_uid: 'brd_gadgets',
      category_id: 2,
      name: 'Gadget Barn',
      website: 'https://gadgets.example',
      logo_img_url: 'https://gadgets.example/logo.png',
      offers: [
        offer('Online days', {
          offer_uid: 'off_link',
          offer_type: 'AFFILIATE',
          commission: { rate: 8 },
          tracking_url: 'https://gadgets.example/?s={sub_id}',
        }),
        offer('Second "link" \\u0001', { offer_uid: 'off_link2', offer_type: 'AFFILIATE', commission: { rate: 3 } }),
        offer('Cards', { offer_type: 'GIFT_CARD', commission: { rate: 4 }, denominations: [25, 50] }),
        offer('Code', {
          offer_type: 'VOUCHER_CODE',
          reward_type: 'DISCOUNT_DOLLAR',
          commission: { amount: 3 },
          voucher_code: 'SAVE3',
        }),
      ],
    },
    { brand_uid: 'brd_bare', category_id: 2, name: 'Äther & Söhne' },
    { brand_uid: 'brd_retired', category_id: 2, name: 'Retired', retired: true, offers: [offer('x')] },
  ],
})

type Page = Static<ReturnType<typeof pageSchema<typeof BrandSchema>>>
const get = (url: string, key = apiKey) => place.ask(url, { headers: { authorization: `Bearer ${key}` } })
const list = async (query = ''): Promise<Page> => {
  const answer = await get(`/publishers/brands?publisher_user_id=ada${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const uids = (page: Page): string[] => page.content.map((brand) => brand.brand_uid)
const offersIn = (page: Page): string[] => page.content.flatMap((brand) => brand.offers.map((one) => one.name))

test('every member of the list matches the schema, even though the list is serialized by hand', async () => {
  const answer = await get('/publishers/brands?publisher_user_id=ada')
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
  const strict = (schema: object): object =>
    JSON.parse(JSON.stringify(schema), (_key, value) =>
      value?.type === 'object' ? { ...value, additionalProperties: false } : value,
    )
  checkInput(strict(pageSchema(BrandSchema)) as never)(answer.body)
})

test("a brand is listed with the offers valid today in the publisher's time zone", async () => {
  const page = await list()
  assert.deepEqual(uids(page), ['brd_market', 'brd_gadgets', 'brd_bare'])
  assert.deepEqual(
    page.content[0]?.offers.map((one) => one.name),
    ['Linked'],
  )
  const { content: _, ...envelope } = page
  assert.deepEqual(envelope, {
    page: 0,
    size: 30,
    number_of_elements: 3,
    total_elements: 3,
    total_pages: 1,
    first: true,
    last: true,
    sort: [],
  })
  place.clock.at = new Date('2026-11-22T00:00:00Z')
  assert.deepEqual(
    (await list()).content[0]?.offers.map((one) => one.name),
    ['Linked', 'Soon'],
  )
  place.clock.at = new Date('2026-11-21T10:00:00Z')
  assert.deepEqual(
    (await list()).content[0]?.offers.map((one) => one.name),
    ['Linked'],
  )
})

test('members have the names and types of the public API', async () => {
  const [market, gadgets, bare] = (await list()).content
  assert.equal(market?.category_id, '1')
  assert.equal(market?.category, 'GROCERY')
  assert.deepEqual(market?.offers[0]?.store_addresses[0], {
    ...store,
    location_name: null,
    street_address2: null,
    phone: null,
    country: null,
    complete_address: '1 Main St, New York, NY 10001',
  })
  assert.equal(market?.offers[0]?.max_spend, 100.5)
  assert.equal(market?.offers[0]?.tracking_url, null)
  assert.deepEqual(
    gadgets?.offers.map((one) => one.offer_type),
    ['AFFILIATE', 'AFFILIATE', 'GIFT_CARD', 'VOUCHER_CODE'],
  )
  assert.deepEqual(gadgets?.offers[2]?.denominations, [25, 50])
  assert.equal(gadgets?.offers[3]?.voucher_code, 'SAVE3')
  assert.equal(gadgets?.max_customer_offer, 8)
  assert.equal(gadgets?.offer_description, '8% cashback')
  assert.equal(gadgets?.logo_img_url, 'https://gadgets.example/logo.png')
  assert.equal(gadgets?.small_img_url, 'https://rewards.example.com/images/brands/brd_gadgets/small.svg')
  assert.deepEqual([bare?.offers, bare?.reward_type, bare?.max_customer_offer], [[], null, null])
})

test("affiliate offers carry the user's own links, which lead to the advertiser", async () => {
  await place.addUser(publisher, 'bob')
  const links = (await list()).content[1]?.offers.map((one) => one.tracking_url) ?? []
  const bobs = await get('/publishers/brands?publisher_user_id=bob')
  assert.notEqual(links[0], bobs.body.content[1].offers[0].tracking_url)
  assert.equal((await list()).content[1]?.offers[0]?.tracking_url, links[0])
  for (const [index, address] of ['https://gadgets.example/?s=', 'https://gadgets.example?sub_id='].entries()) {
    const answer = await place.ask(new URL(links[index] ?? '').pathname)
    assert.equal(answer.status, 302)
    assert(String(answer.headers.location).startsWith(address))
  }
  assert.deepEqual(links.slice(2), [null, null])
})

test("displayed rewards are net of the publisher's share and the fee", async () => {
  const dear = await place.tenant({ feePpm: 100_000, sharePpm: 150_000 })
  await place.addUser(dear.publisher, 'ada')
  const page: Page = (await get('/publishers/brands?publisher_user_id=ada', dear.apiKey)).body
  const [link, , cards, code] = page.content[1]?.offers ?? []
  assert.deepEqual([link?.customer_offer, cards?.customer_offer, code?.customer_offer], [6, 3, 2.25])
  assert.equal(page.content[1]?.max_customer_offer, 6)
  assert.equal(page.content[1]?.offer_description, '6% cashback')
  const single = await get('/publishers/brands/brd_gadgets?publisher_user_id=ada', dear.apiKey)
  assert.equal(single.body[0].offers[0].customer_offer, 6)
  assert.equal((await list()).content[1]?.max_customer_offer, 8)
})

test("each filter narrows the list, and offer filters also narrow each brand's offers", async () => {
  const cases: [string, string[], string[]][] = [
    ['&category_id=1', ['brd_market'], ['Linked']],
    ['&category_id=9', [], []],
    ['&offer_type=GIFT_CARD', ['brd_gadgets'], ['Cards']],
    ['&offer_type=GIFT_CARD&offer_type=CARD_LINKED', ['brd_market', 'brd_gadgets'], ['Linked', 'Cards']],
    ['&offer_type=GIFT_CARD,VOUCHER_CODE', ['brd_gadgets'], ['Cards', 'Code']],
    ['&offer_type[]=GIFT_CARD&offer_type%5B%5D=VOUCHER_CODE', ['brd_gadgets'], ['Cards', 'Code']],
    ['&location[]=IN_STORE&location[]=NY', ['brd_market'], ['Linked']],
    ['&location=IN_STORE', ['brd_market'], ['Linked']],
    ['&location=NY', ['brd_market'], ['Linked']],
    ['&location=10001', ['brd_market'], ['Linked']],
    ['&location=40.7510,-73.9970&radius=500', ['brd_market'], ['Linked']],
    ['&location=40.80,-73.9970&radius=500', [], []],
    ['&location=ONLINE&offer_type=VOUCHER_CODE', ['brd_gadgets'], ['Code']],
    ['&search_text=MARKET', ['brd_market'], ['Linked']],
    ['&search_text=online%20DAYS', ['brd_gadgets'], ['Online days', 'Second "link" \\u0001', 'Cards', 'Code']],
    ['&search_text=s%C3%B6hne', ['brd_bare'], []],
    ['&search_text=nothing', [], []],
    ['&search_text=retired', [], []],
    ['&search_text=gadget&category_id=1', [], []],
  ]
  for (const [query, brands, offers] of cases) {
    const page = await list(query)
    assert.deepEqual([uids(page), offersIn(page)], [brands, offers], query)
    assert.equal(page.total_elements, brands.length, query)
  }
})

test('a blank search text is ignored', async () => {
  const all = await list('&location=IN_STORE,ONLINE')
  for (const blank of ['', '%20%20'])
    assert.deepEqual(await list(`&location=IN_STORE,ONLINE&search_text=${blank}`), all)
})

test("a transaction UUID finds that transaction's brand, but only for its own publisher", async () => {
  const transactionId = newUuid<'transaction'>()
  place.brandOfTransaction.set(`${publisher.id} ${transactionId}`, 'brd_gadgets')
  for (const text of [transactionId, encodeId('txn', transactionId)]) {
    assert.deepEqual(uids(await list(`&search_text=${text}`)), ['brd_gadgets'])
    assert.deepEqual(offersIn(await list(`&search_text=${text}&offer_type=VOUCHER_CODE`)), ['Code'])
  }
  await place.addUser(other.publisher, 'ada')
  const foreign = await get(`/publishers/brands?publisher_user_id=ada&search_text=${transactionId}`, other.apiKey)
  assert.deepEqual(foreign.body.content, [])
  assert.deepEqual((await list(`&search_text=${newUuid()}`)).content, [])
})

test('pages follow one another without gaps or repeats in every supported order', async () => {
  const all = await list()
  for (const sort of ['name', '-name', 'category_id,desc', 'category', 'max_customer_offer,desc', 'brand_uid']) {
    const whole = uids(await list(`&sort=${sort}`))
    assert.deepEqual(whole.toSorted(), uids(all).toSorted())
    const paged: string[] = []
    for (const page of [0, 1, 2, 3]) paged.push(...uids(await list(`&sort=${sort}&size=1&page=${page}`)))
    assert.deepEqual(paged, whole, sort)
  }
  assert.deepEqual(uids(await list('&sort=name')), ['brd_market', 'brd_gadgets', 'brd_bare'])
  assert.deepEqual(uids(await list('&sort=-max_customer_offer')), ['brd_gadgets', 'brd_market', 'brd_bare'])
  const second = await list('&size=2&page=1')
  const { content: _, ...envelope } = second
  assert.deepEqual(envelope, {
    page: 1,
    size: 2,
    number_of_elements: 1,
    total_elements: 3,
    total_pages: 2,
    first: false,
    last: true,
    sort: [],
  })
})

test('invalid input is rejected with a 400 that identifies the parameter', async () => {
  const cases: [string, string][] = [
    ['', 'publisher_user_id'],
    ['publisher_user_id=', 'publisher_user_id'],
    ['publisher_user_id=ada&page=-1', 'page'],
    ['publisher_user_id=ada&size=0', 'size'],
    ['publisher_user_id=ada&size=101', 'size'],
    ['publisher_user_id=ada&sort=colour', 'sort'],
    ['publisher_user_id=ada&category_id=x', 'category_id'],
    ['publisher_user_id=ada&offer_type=COUPON', 'offer_type'],
    ['publisher_user_id=ada&location=MARS', 'location'],
    ['publisher_user_id=ada&location=40.7', 'location'],
    ['publisher_user_id=ada&radius=5', 'radius'],
    ['publisher_user_id=ada&location=1,2&radius=0', 'radius'],
    [`publisher_user_id=ada&search_text=${'x'.repeat(256)}`, 'search_text'],
    ['publisher_user_id=ada&colour=red', 'colour'],
    ['publisher_user_id=a%00b', 'publisher_user_id'],
  ]
  for (const [query, field] of cases) {
    const answer = await get(`/publishers/brands?${query}`)
    assert.equal(answer.status, 400, query)
    assert(
      answer.body.errors.some((error: { field: string }) => error.field === field),
      `${query}: ${answer.text}`,
    )
  }
  assert.equal((await get('/publishers/brands/brd_market')).status, 400)
})

test("an unknown user returns 404, as does another publisher's user", async () => {
  await place.addUser(other.publisher, 'eve')
  for (const path of ['/publishers/brands?', '/publishers/brands/brd_market?', '/publishers/brands/none?']) {
    for (const user of ['nobody', 'eve']) {
      const answer = await get(`${path}publisher_user_id=${user}`)
      assert.equal(answer.status, 404)
      assert.equal(answer.body.code, 'user_not_found')
    }
  }
})

test('the catalog requires an API key', async () => {
  for (const path of [
    '/publishers/brands?publisher_user_id=ada',
    '/publishers/brands/brd_market?publisher_user_id=ada',
    '/publishers/categories',
  ]) {
    assert.equal((await place.ask(path)).status, 401)
  }
})

test('a single brand is returned as an array, and its offers have offer_types instead of offer_type', async () => {
  const answer = await get('/publishers/brands/brd_gadgets?publisher_user_id=ada')
  assert.equal(answer.status, 200)
  assert.equal(answer.body.length, 1)
  const listed = (await list()).content[1]
  const { offers, ...brand } = answer.body[0]
  const { offers: _, ...expected } = listed ?? assert.fail('it is not listed')
  assert.deepEqual(brand, expected)
  const renamed = listed?.offers.map(({ offer_type, ...rest }) => ({ ...rest, offer_types: offer_type }))
  assert.deepEqual(offers, renamed)
  assert.deepEqual((await get('/publishers/brands/brd_bare?publisher_user_id=ada')).body[0].offers, [])
})

test('an unknown or retired brand returns 404', async () => {
  for (const uid of ['none', 'brd_retired', '%2e%2e%2f']) {
    const answer = await get(`/publishers/brands/${uid}?publisher_user_id=ada`)
    assert.equal(answer.status, 404)
    assert.equal(answer.body.code, 'brand_not_found')
  }
})

test('categories are returned as an array of ids and names', async () => {
  assert.deepEqual((await get('/publishers/categories')).body, CATEGORIES)
})

test('a catalog change shows up in the list despite the cache', async () => {
  const change = (name: string) => place.load({ brands: [{ brand_uid: 'brd_bare', category_id: 2, name }] })
  await change('Changed')
  assert.equal((await list()).content[2]?.name, 'Changed')
  await change('Äther & Söhne')
  assert.equal((await list()).content[2]?.name, 'Äther & Söhne')
})

test('generated brand images are public, cached for a long time, and cannot run scripts', async () => {
  for (const size of ['regular', 'large', 'small']) {
    const answer = await place.ask(`/images/brands/brd_bare/${size}.svg`)
    assert.equal(answer.status, 200)
    assert.match(String(answer.headers['content-type']), /^image\/svg\+xml/)
    assert.match(String(answer.headers['cache-control']), /public, max-age=\d{6,}/)
    assert.match(String(answer.headers['content-security-policy']), /default-src 'none'/)
    assert.match(answer.text, /Äther &#38; Söhne.*ÄS/)
  }
  assert.equal((await place.ask('/images/brands/none/small.svg')).status, 404)
  assert.equal((await place.ask('/images/brands/brd_bare/huge.svg')).status, 400)
  assert.equal((await place.ask('/images/brands/brd_bare/small.png')).status, 400)
})
