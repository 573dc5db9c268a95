import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeBrand, makeCatalog, makeOffer } from '../../../../test/support/catalog.ts'
import { newUuid, type PublisherId } from '../../../platform/ids.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import type { AliasRow } from '../aliases/alias-queries.ts'
import { buildAliasBook } from '../aliases/aliases.ts'
import { buildAssortment, carryCatalog, listCarriedCategories } from './assortment.ts'
import { type AssortmentContent, buildContent, deriveContentName, everythingCarried, toEntries } from './content.ts'
import { type CarriageMode, changeCarriage, changeSplit, changeWording } from './edits.ts'
import { type AssortmentInput, parseContent, presentAssortment, readAssortment } from './schema.ts'

// Three categories, each with a brand that has two offers. One more brand has only a retired offer.
const BRANDS = [
  ['food', 1, ['food-1', 'food-2']],
  ['tools', 2, ['tools-1', 'tools-2']],
  ['toys', 3, ['toys-1', 'toys-2']],
  ['gone', 3, ['gone-1']],
] as const
const brands = BRANDS.map(([brandUid, categoryId], ordinal) => makeBrand({ brandUid, categoryId, ordinal }))
const offers = BRANDS.flatMap(([brandUid, , uids]) =>
  uids.map((offerUid) => ({ offerUid, brandUid, retired: brandUid === 'gone' })),
).map((offer, ordinal) => makeOffer({ ...offer, ordinal }))
const categories = [1, 2, 3, 4].map((categoryId) => ({ categoryId, category: `C${categoryId}` }))
const state = (version = 1) => makeCatalog({ version, categories, brands, offers })
const catalog = await state()
const agreed = { feePpm: 100_000, sharePpm: 200_000 }
const carriedBy = (content: AssortmentContent) => carryCatalog(catalog, agreed, { content, name: '' })
const of = (input: AssortmentInput) => carriedBy(parseContent(input))

function carried(assortment: ReturnType<typeof of>): string {
  const shownBrands = brands.filter((brand) => assortment.carriesBrand(brand)).map(({ brandUid }) => brandUid)
  const shownOffers = offers.filter((offer) => assortment.carries(offer)).map(({ offerUid }) => offerUid)
  return `${shownBrands.join(' ')} | ${shownOffers.filter((uid) => uid !== 'gone-1').join(' ')}`
}

const ALL = 'food tools toys gone | food-1 food-2 tools-1 tools-2 toys-1 toys-2'

test("an offer's entry overrides its brand's, which overrides its category's, which overrides the default", () => {
  const cases: [string, AssortmentInput, string][] = [
    ['nothing said', {}, ALL],
    ['nothing carried', { carries: 'listed' }, ' | '],
    [
      'all but a category',
      { categories: [{ category_id: 3, carried: false }] },
      'food tools | food-1 food-2 tools-1 tools-2',
    ],
    [
      'a brand in a category that is not carried',
      { categories: [{ category_id: 3, carried: false }], brands: [{ brand_uid: 'toys', carried: true }] },
      'food tools toys | food-1 food-2 tools-1 tools-2 toys-1 toys-2',
    ],
    [
      'all but an offer: its brand stays',
      { offers: [{ offer_uid: 'food-1', carried: false }] },
      'food tools toys gone | food-2 tools-1 tools-2 toys-1 toys-2',
    ],
    [
      'an offer of a brand that is not carried brings the brand along',
      { brands: [{ brand_uid: 'food', carried: false }], offers: [{ offer_uid: 'food-2', carried: true }] },
      'food tools toys gone | food-2 tools-1 tools-2 toys-1 toys-2',
    ],
    [
      'only a category and an offer of another',
      {
        carries: 'listed',
        categories: [{ category_id: 1, carried: true }],
        offers: [{ offer_uid: 'toys-1', carried: true }],
      },
      'food toys | food-1 food-2 toys-1',
    ],
    [
      'a retired offer brings nothing along',
      { carries: 'listed', offers: [{ offer_uid: 'gone-1', carried: true }] },
      ' | ',
    ],
    ['a split changes nothing that is carried', { brands: [{ brand_uid: 'food', fee: 1, share: 2 }] }, ALL],
  ]
  for (const [title, input, expected] of cases) assert.equal(carried(of(input)), expected, title)
})

test("an offer's split overrides its brand's, which overrides the agreement's", () => {
  const assortment = of({
    brands: [{ brand_uid: 'food', fee: 1, share: 2 }],
    offers: [{ offer_uid: 'food-1', fee: 0, share: 12.5 }],
  })
  const findSplit = (offerUid: string, brandUid: string) => assortment.getSplit({ offerUid, brandUid } as never)
  assert.deepEqual(findSplit('food-1', 'food'), { feePpm: 0, sharePpm: 125_000 })
  assert.deepEqual(findSplit('food-2', 'food'), { feePpm: 10_000, sharePpm: 20_000 })
  assert.deepEqual(findSplit('toys-1', 'toys'), agreed)
  assert.equal(findSplit('toys-1', 'toys'), findSplit('toys-2', 'toys'))
})

test("categories with a carried brand are listed in the publisher's order, then the catalog's", () => {
  const ids = (input: AssortmentInput) => listCarriedCategories(of(input)).map(({ categoryId }) => categoryId)
  assert.deepEqual(ids({}), [1, 2, 3])
  assert.deepEqual(ids({ category_order: [3, 4] }), [3, 1, 2])
  assert.deepEqual(ids({ carries: 'listed', offers: [{ offer_uid: 'tools-1', carried: true }] }), [2])
})

const publisher = (id: string, more: Partial<Publisher> = {}) =>
  ({ id, ...agreed, currency: 'USD', limits: new Map(), marketplacePolicy: 'MARKETPLACE', ...more }) as Publisher
const makeBook = (version: number, contents: Readonly<Record<string, AssortmentContent>>) => {
  const named = new Map(
    Object.entries(contents).map(([id, content]) => [id, { content, name: deriveContentName(content) }]),
  )
  return { version, of: (id: PublisherId) => named.get(id) ?? { content: everythingCarried, name: '' } }
}

test('an assortment stays the same object until something changes for its publisher', async () => {
  const own: AssortmentInput = { carries: 'listed' }
  const sameOwn: AssortmentInput = { carries: 'listed', brands: [] }
  const other: AssortmentInput = { carries: 'everything' }
  const made = new Map()
  const first = {
    catalog,
    aliases: buildAliasBook(1, []),
    contents: makeBook(1, { a: parseContent(own), b: parseContent(sameOwn) }),
    made,
  }
  const [a, b, c] = ['a', 'b', 'c'].map((id) => buildAssortment(first, publisher(id)))
  assert.equal(buildAssortment(first, publisher('a')), a)
  assert.equal(b, a)
  assert.notEqual(c, a)
  const second = { ...first, contents: makeBook(2, { a: parseContent(own), b: parseContent(other) }) }
  assert.equal(buildAssortment(second, publisher('a')), a)
  assert.equal(buildAssortment(second, publisher('b')), c)
  assert.notEqual(buildAssortment(second, publisher('a', { feePpm: 1 })), a)
  assert.notEqual(buildAssortment(second, publisher('a', { limits: new Map([['EUR', {} as never]]) })), a)
  const newer = buildAssortment({ ...second, catalog: await state(2), made: new Map() }, publisher('a'))
  assert.equal(newer.termsKey, a?.termsKey)
})

test('publishers share an assortment only if neither has its own aliases', () => {
  const contents = makeBook(1, {})
  const alias = (publisherId: string | null, key: string) =>
    ({ publisherId, key, aliasUid: newUuid(), brandUid: 'food', decidedBy: 'ada' }) as unknown as AliasRow
  const aliases = buildAliasBook(1, [alias('a', 'x'), alias(null, 'y')])
  const sources = { catalog, aliases, contents, made: new Map() }
  const [a, b, c] = ['a', 'b', 'c'].map((id) => buildAssortment(sources, publisher(id)))
  assert.equal(b, c)
  assert.notEqual(a, b)
  const known = [a, b].map((one) => ['x', 'y'].map((key) => one?.aliases.get(key)?.brandUid))
  assert.deepEqual(known, [
    ['food', 'food'],
    [undefined, 'food'],
  ])
})

const SAID: AssortmentInput = {
  carries: 'listed',
  categories: [{ category_id: 2, carried: true }],
  brands: [{ brand_uid: 'food', carried: true, fee: 1.5, share: 0 }],
  offers: [
    { offer_uid: 'food-1', carried: false },
    { offer_uid: 'toys-1', formatted_description: 'Up to "5%"\nback' },
  ],
  category_order: [2, 1],
}

test('entries round-trip through storage and presentation in any order', () => {
  const content = parseContent(SAID)
  assert.deepEqual(presentAssortment(content), SAID)
  assert.deepEqual(presentAssortment(buildContent(toEntries(content).toReversed())), SAID)
  assert.equal(deriveContentName(buildContent(toEntries(content).toReversed())), deriveContentName(content))
  assert.equal(deriveContentName(parseContent({ brands: [] })), deriveContentName(everythingCarried))
})

test('a change alters one entry and leaves all others unchanged', () => {
  const content = parseContent(SAID)
  const none = { categoryIds: [], brandUids: [], offerUids: [] }
  const after = (mode: CarriageMode, named = {}) => {
    const shown = presentAssortment(buildContent(toEntries(changeCarriage(content, mode, { ...none, ...named }))))
    const texts = [
      ...(shown.categories ?? []).map((one) => `${one.category_id} ${one.carried}`),
      ...(shown.brands ?? []).map((one) => `${one.brand_uid} ${one.carried ?? ''}`.trim()),
      ...(shown.offers ?? []).map((one) => `${one.offer_uid} ${one.carried ?? ''}`.trim()),
    ]
    return [shown.carries, ...texts].join(', ')
  }
  // Splits and wording survive any carriage change.
  assert.equal(after('all'), 'everything, food, toys-1')
  assert.equal(after('only', { brandUids: ['toys'] }), 'listed, food, toys true, toys-1')
  assert.equal(after('with', { offerUids: ['food-1'] }), 'listed, 2 true, food true, food-1 true, toys-1')
  assert.equal(after('without', { categoryIds: [2] }), 'listed, 2 false, food true, food-1 false, toys-1')
  assert.equal(after('forget', { categoryIds: [2], offerUids: ['food-1'] }), 'listed, food true, toys-1')
  const kept = { carried: true, split: null, wording: null }
  assert.deepEqual(changeSplit(content, { brandUids: ['food'], offerUids: [] }, null).brands.get('food'), kept)
  const worded = changeWording(content, 'food-1', 'Words').offers
  assert.deepEqual(worded.get('food-1'), { carried: false, split: null, wording: 'Words' })
  // Entries without any content are dropped.
  assert.equal(changeWording(content, 'toys-1', null).offers.has('toys-1'), false)
})

test('an invalid entry is rejected, and the error identifies it', () => {
  const brand = (more: object) => ({ brands: [{ brand_uid: 'food', ...more }] })
  const cases: [string, unknown][] = [
    ['brands.0', brand({ fee: 60, share: 40.0001 })],
    ['brands.0', brand({ fee: 10 })],
    ['brands.0', brand({ share: 10 })],
    ['brands.0', brand({ fee: 0.00001, share: 1 })],
    ['brands', { brands: [...brand({ carried: true }).brands, ...brand({ carried: true }).brands] }],
    ['category_order', { category_order: [1, 2, 1] }],
    ['brands.0', brand({})],
    ['offers.1', { offers: [{ offer_uid: 'x', carried: true }, { offer_uid: 'y' }] }],
    ['offers.0', { offers: [{ offer_uid: 'x', formatted_description: ' \n' }] }],
  ]
  for (const [field, input] of cases)
    assert.throws(() => readAssortment(input), { code: 'assortment_invalid', field }, JSON.stringify(input))
  for (const input of [{ carries: 'some' }, brand({ wording: 'x' }), brand({ fee: -1, share: 0 }), [], { brand: [] }])
    assert.throws(() => readAssortment(input), { code: 'invalid_input' }, JSON.stringify(input))
  assert.equal(
    parseContent(brand({ fee: 60, share: 40 }) as AssortmentInput).brands.get('food')?.split?.feePpm,
    600_000,
  )
})
