import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { CATEGORIES, offer } from '../../../test/support/catalog-world.ts'
import { walkList } from '../../../test/support/operator-lists.ts'

const app = await startTestApp()
after(() => app.close())

const brand = <More extends object>(brand_uid: string, name: string, more: More) => ({
  brand_uid,
  name,
  category_id: 1,
  ...more,
})
const BARN = brand('barn', 'Gadget Barn', {
  category_id: 2,
  website: 'https://www.barn.example',
  aliases: ['GDGT 100%'],
  domains: ['gadgets.example'],
  offers: [
    offer('now', { offer_uid: 'now' }),
    offer('later', { offer_uid: 'later', start_date: '2999-01-01' }),
    offer('past', { offer_uid: 'past', end_date: '2020-01-31' }),
  ],
})
const MARKET = brand('market', 'Corner Market', { offers: [offer('five', { offer_uid: 'five' })] })
const EMPTY = brand('none', 'Empty Shelf', {})

async function read(address: string) {
  const { status, body } = await app.operator('GET', address)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
const found = async (query: string): Promise<string[]> =>
  (await read(`/operator/brands?${query}`)).content.map(({ brand_uid }: { brand_uid: string }) => brand_uid)

before(async () => {
  const left = brand('left', 'Left Behind', { offers: [offer('old', { offer_uid: 'old' })] })
  await app.catalog({ categories: CATEGORIES, brands: [left, BARN, MARKET, EMPTY] })
  const dropped = { ...BARN, offers: BARN.offers.slice(0, 2) }
  const kept = { categories: CATEGORIES, brands: [dropped, MARKET, EMPTY] }
  assert.equal((await app.operator('PUT', '/operator/catalog?replace=true', kept)).status, 200)
})

test('brands, including retired ones, are listed with their current offers', async () => {
  const { content } = await read('/operator/brands')
  assert.deepEqual(
    content.map((one: Record<string, unknown>) => [
      one['brand_uid'],
      one['retired'],
      one['offers'],
      one['live_offers'],
    ]),
    [
      ['left', true, 0, 0],
      ['barn', false, 2, 1],
      ['market', false, 1, 1],
      ['none', false, 0, 0],
    ],
  )
  const [, barn] = content
  const { category } = CATEGORIES.find(({ category_id }) => category_id === 2) ?? {}
  assert.deepEqual(
    [barn.name, barn.category_id, barn.category, barn.website],
    ['Gadget Barn', 2, category, 'https://www.barn.example'],
  )
})

test("a brand search matches any of a brand's names and takes the search text literally", async () => {
  for (const [query, brands] of [
    ['search_text=BARN', ['barn']],
    ['search_text=gdgt%20100%25', ['barn']],
    ['search_text=gadgets.exa', ['barn']],
    ['search_text=www.barn', ['barn']],
    ['search_text=market', ['market']],
    ['search_text=NONE', ['none']],
    ['search_text=_', []],
    ['search_text=(', []],
    ['category_id=2', ['barn']],
    ['category_id=2&search_text=market', []],
    ['category_id=999', []],
    ['sort=-created&limit=2', ['none', 'market']],
  ] as const)
    assert.deepEqual(await found(query), brands, query)
  const { status, body } = await app.operator('GET', '/operator/brands?category_id=x')
  assert.deepEqual([status, body.errors[0].field], [400, 'category_id'])
})

test('brands can be paged through in both orders, with or without filters', async () => {
  const all = ['left', 'barn', 'market', 'none']
  for (const [query, brands] of [
    ['', all],
    ['sort=-created', all.toReversed()],
    ['search_text=e', ['left', 'barn', 'market', 'none']],
    ['category_id=1&sort=-created', ['none', 'market', 'left']],
  ] as const) {
    const rows = await walkList<{ brand_uid: string }>(app, `/operator/brands?${query}`, 'brand_uid')
    assert.deepEqual(
      rows.map(({ brand_uid }) => brand_uid),
      brands,
      query,
    )
  }
})

test('a brand is returned in catalog-file format, and importing it back changes nothing', async () => {
  const barn = await read('/operator/brands/barn')
  assert.deepEqual([barn.name, barn.offers, barn.live_offers], ['Gadget Barn', 2, 1])
  assert.deepEqual(
    barn.content.offers.map((one: Record<string, unknown>) => [one['offer_uid'], one['retired'] ?? false]),
    [
      ['now', false],
      ['later', false],
      ['past', true],
    ],
  )
  const again = await app.operator('PUT', '/operator/catalog?dry_run=true', { brands: [barn.content] })
  assert.deepEqual(
    [again.status, again.body.brands.changed, again.body.offers.changed],
    [200, 0, 0],
    JSON.stringify(again.body),
  )
  const { status, body } = await app.operator('GET', '/operator/brands/nobody')
  assert.deepEqual([status, body.code], [404, 'brand_not_found'])
})

test('categories count the brands and offers that users can find today', async () => {
  const { content } = await read('/operator/categories')
  const counts = content.map((one: Record<string, unknown>) => [one['category_id'], one['brands'], one['live_offers']])
  assert.deepEqual(
    counts,
    CATEGORIES.map(({ category_id }) => [
      category_id,
      ...(
        [
          [1, 2, 1],
          [2, 1, 1],
        ].find(([id]) => id === category_id) ?? [0, 0, 0]
      ).slice(1),
    ]),
  )
})
