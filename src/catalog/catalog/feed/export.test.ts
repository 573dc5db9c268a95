import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { CATEGORIES, importText, offer } from '../../../../test/support/catalog-world.ts'
import { testDatabase } from '../../../../test/support/postgres.ts'
import { runs } from '../../../../test/support/runs.ts'
import { openDatabase } from '../../../platform/db/database.ts'
import { importCatalog } from '../import/import.ts'
import { EXPORT_FORMATS, type ExportFormat, exportCatalog } from './export.ts'
import type { BrandInFile, CatalogFile, OfferInFile } from './file-schema.ts'
import { normalizeBrand, normalizeOffer } from './normal-form.ts'
import type { CatalogInput } from './read-feed.ts'

const db = openDatabase((await testDatabase('export')).url)
after(() => db.close())
const SAMPLE = new URL('../../../../db/sample/catalog.json', import.meta.url)

async function exported(format: ExportFormat = 'json'): Promise<string> {
  return db.transaction(async (tx) => {
    let text = ''
    for await (const part of exportCatalog(tx, format)) text += part
    return text
  })
}

const empty = () =>
  db.reader`truncate categories, brands, offers, stores, programs, offer_versions restart identity cascade`

function makeInput(format: ExportFormat, text: string): CatalogInput {
  return format === 'jsonl'
    ? {
        format,
        lines: async function* () {
          yield* text.split('\n')
        },
      }
    : { format, text }
}

/** Computes the expected export of this file without a database. */
function normalized(file: CatalogFile): object {
  const named = [...(file.categories ?? []), ...(file.brands ?? [])]
  const categories = new Map(
    named.flatMap(({ category_id: id, category }) => (category ? [[Number(id), category]] : [])),
  )
  return {
    categories: [...categories].sort(([a], [b]) => a - b).map(([category_id, category]) => ({ category_id, category })),
    brands: (file.brands ?? []).map((brand) => {
      const offers = (brand.offers ?? []).map((one) => ({ offer_uid: one.offer_uid, ...normalizeOffer(one, brand) }))
      return { brand_uid: brand.brand_uid, ...normalizeBrand(brand), ...(offers.length === 0 ? {} : { offers }) }
    }),
  }
}

test('the sample catalog exports exactly as imported in every format, with identical bytes each time', async () => {
  await importText(db, await readFile(SAMPLE, 'utf8'))
  const first = await exported()
  const file = JSON.parse(first) as CatalogFile
  assert.deepEqual(JSON.parse(JSON.stringify(normalized(file))), file, 'what comes out is normal')
  const given = JSON.parse(await readFile(SAMPLE, 'utf8')) as CatalogFile
  const nameless = (one: CatalogFile) =>
    one.brands?.map(({ brand_uid: _, ...brand }) => ({
      ...brand,
      offers: brand.offers?.map(({ offer_uid: _, ...inner }) => inner),
    }))
  assert.deepEqual(nameless(file), nameless(JSON.parse(JSON.stringify(normalized(given)))))
  for (const format of EXPORT_FORMATS) {
    const text = await exported(format)
    const again = await importCatalog(db, makeInput(format, text))
    assert.deepEqual(
      [again.changes.brands.unchanged, again.changes.offers.unchanged],
      [again.brands, again.offers],
      format,
    )
    await empty()
    await importCatalog(db, makeInput(format, text))
    assert.equal(await exported(format), text, format)
    assert.equal(await exported(), first, format)
  }
})

test('defaults are omitted, and every other value is written in one canonical form', async () => {
  await empty()
  const brand = {
    brand_uid: 'b',
    category_id: '1',
    name: 'Acme',
    website: 'acme.example',
    aliases: [],
    countries: ['US'],
    domains: ['acme.example', 'acme.test', 'acme.test'],
    description: '',
    retired: false,
    logo_img_url: null,
  }
  const stores = [
    { city: 'Reno', state: 'nv', latitude: '39.50', phone: '+1 (775) 555-0100', complete_address: 'Reno, NV' },
  ]
  const offers = [
    {
      ...offer('Acme'),
      offer_uid: 'o1',
      currency: 'USD',
      refund_period_days: 30,
      one_time_use: false,
      store_addresses: stores,
    },
    { ...offer('b'), offer_uid: 'o2', commission: undefined, customer_offer: 2.5, min_spend: 0, network: 'x' },
    { ...offer('c'), offer_uid: 'o3', offer_type: 'AFFILIATE', tracking_url: 'https://acme.example', network: 'x' },
    { ...offer('d'), offer_uid: 'o4', customer_offer: 4, max_customer_offer: 6, hours: { to: '02:00', from: '18:00' } },
  ]
  await importText(db, { categories: CATEGORIES, brands: [{ offers, ...brand }] })
  const usual = { offer_type: 'CARD_LINKED', reward_type: 'CASHBACK_PERCENTAGE' }
  assert.deepEqual((JSON.parse(await exported()) as CatalogFile).brands, [
    {
      brand_uid: 'b',
      category_id: 1,
      name: 'Acme',
      website: 'acme.example',
      domains: ['acme.test'],
      countries: ['us'],
      offers: [
        {
          offer_uid: 'o1',
          ...usual,
          commission: { rate: 5 },
          store_addresses: [{ city: 'Reno', state: 'NV', latitude: 39.5, phone: '7755550100' }],
        },
        { offer_uid: 'o2', name: 'b', ...usual, commission: { rate: 2.5 }, min_spend: 0 },
        { offer_uid: 'o3', name: 'c', network: 'x', ...usual, offer_type: 'AFFILIATE', commission: { rate: 5 } },
        {
          offer_uid: 'o4',
          name: 'd',
          ...usual,
          commission: { rate: 5 },
          customer_offer: 4,
          max_customer_offer: 6,
          hours: { from: '18:00', to: '02:00' },
        },
      ],
    },
  ])
})

// Strings likely to trip up some format.
const word = fc.constantFrom(
  'Acme',
  'a, "b"',
  "'=1+1",
  '=SUM(A1)',
  '-5',
  '[x',
  'ä|ö',
  ' edge ',
  '\\N\\t',
  '"',
  "O'Neil",
  'null',
)
const amount = fc.integer({ min: 1, max: 1_000_000 }).map((cents) => cents / 100)
const rate = fc.integer({ min: 1, max: 1_000_000 }).map((ppm) => ppm / 10_000)
const limit = fc.constantFrom(
  { period: 'DAY', uses: 1 } as const,
  { period: 'MONTH', reward: 12.5 } as const,
  { reward: 3, uses: 2, period: 'LIFETIME' } as const,
)
const store = fc.record(
  {
    location_name: word,
    store_number: word,
    street_address1: word,
    city: word,
    state: fc.constantFrom('ca', 'NY'),
    zip_code: fc.constantFrom('10001', '10001-1234'),
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.integer({ min: -180, max: 180 }),
    phone: fc.constantFrom('(212) 555-0100', '2125550100'),
    complete_address: word,
    country: word,
  },
  { requiredKeys: [] },
)
const prose = fc.constantFrom('one\ntwo', '\r\n', 'plain', '=1', '')
type Said<Member extends keyof OfferInFile> = NonNullable<OfferInFile[Member]>
const shared = fc.record(
  {
    name: word,
    description: prose,
    terms_and_conditions: prose,
    refund_period_days: fc.constantFrom(0, 14, 30),
    currency: fc.constantFrom('USD', 'EUR'),
    location: word,
    channels: fc.constantFrom<Said<'channels'>>(['IN_STORE'], ['ONLINE', 'IN_STORE']),
    one_time_use: fc.boolean(),
    new_customer_days: fc.constantFrom(365, 90),
    min_spend: fc.constantFrom(0, 10, 10.01),
    max_spend: fc.constantFrom(20, 500.5),
    start_date: fc.constant('2026-01-01'),
    end_date: fc.constant('2026-12-31'),
    days_of_week: fc.constantFrom<Said<'days_of_week'>>([], ['SAT', 'SUN'], ['SUN', 'MON']),
    hours: fc.constant({ to: '02:00', from: '18:00' }),
    lapsed_customer_days: fc.constantFrom(180, 60),
    activation_required: fc.boolean(),
    user_limits: fc.uniqueArray(limit, { maxLength: 3, selector: ({ period }) => period }),
    budgets: fc.constantFrom<Said<'budgets'>>([], [{ amount: 1000, period: 'WEEK' }]),
    local_radius_metres: fc.constantFrom(1, 5000),
    store_addresses: fc.array(store, { maxLength: 3 }),
    retired: fc.boolean(),
  },
  { requiredKeys: ['name'] },
)
const paid = fc.oneof(
  rate.map((value) => ({ reward_type: 'CASHBACK_PERCENTAGE', commission: { rate: value } })),
  rate.map((value) => ({ reward_type: 'DISCOUNT_PERCENTAGE', customer_offer: value })),
  amount.map((value) => ({ reward_type: 'CASHBACK_DOLLAR', commission: { amount: value }, max_customer_offer: value })),
  fc
    .uniqueArray(
      fc.record({
        name: word,
        amount,
        skus: fc.array(word, { maxLength: 2 }),
        customer: fc.constantFrom('new', 'lapsed'),
      }),
      { minLength: 1, maxLength: 3, selector: ({ name }) => name },
    )
    .map((groups) => ({ reward_type: 'DISCOUNT_DOLLAR', commission_groups: groups })),
)
const typed = fc.constantFrom(
  { offer_type: 'CARD_LINKED' },
  { offer_type: 'AFFILIATE', tracking_url: 'https://go.example/?s={sub_id}' },
  { offer_type: 'AFFILIATE', tracking_url: 'https://go.example/', network: 'awin' },
  { offer_type: 'GIFT_CARD', denominations: [25, 50.5] },
  { offer_type: 'VOUCHER_CODE', voucher_code: 'SAVE' },
  { offer_type: 'VOUCHER_CODE', unique_codes: true },
)
const anOffer = fc.tuple(shared, paid, typed).map((parts) => meaningful(Object.assign({}, ...parts) as OfferInFile))

/** Removes content that an import refuses as meaningless for the offer. */
function meaningful(offer: OfferInFile): OfferInFile {
  const { lapsed_customer_days: days, local_radius_metres: radius, store_addresses: stores, ...rest } = offer
  const isForLapsed = rest.commission_groups?.some(({ customer }) => customer === 'lapsed') === true
  const placed = stores?.filter((store) => store.store_number !== undefined || store.zip_code !== undefined)
  const isLocal = rest.location !== undefined || (placed ?? []).length > 0
  return {
    ...rest,
    ...(days !== undefined && isForLapsed ? { lapsed_customer_days: days } : {}),
    ...(radius !== undefined && isLocal ? { local_radius_metres: radius } : {}),
    ...(placed === undefined ? {} : { store_addresses: placed }),
  }
}
const aBrand = fc
  .record(
    {
      category_id: fc.constantFrom(1, '2'),
      name: word,
      website: fc.constantFrom('https://acme.example', 'acme.example'),
      aliases: fc.array(word, { maxLength: 3 }),
      domains: fc.array(fc.constantFrom('acme.example', 'b.example'), { maxLength: 3 }),
      merchant_ids: fc.array(word, { maxLength: 2 }),
      mccs: fc.constantFrom<string[]>([], ['5411', '0042']),
      countries: fc.constantFrom<string[]>([], ['US', 'ca']),
      description: prose,
      reward_type: fc.constant<'CASHBACK_DOLLAR'>('CASHBACK_DOLLAR'),
      global_terms_and_conditions: prose,
      retired: fc.boolean(),
      offers: fc.array(anOffer, { maxLength: 4 }),
    },
    { requiredKeys: ['category_id', 'name'] },
  )
  .map((brand): BrandInFile => brand)
/** Uids likely to trip up a list of ids. */
const aCatalog = fc.array(aBrand, { minLength: 1, maxLength: 4 }).map(
  (brands): CatalogFile => ({
    categories: CATEGORIES,
    brands: brands.map((brand, at) => ({
      ...brand,
      brand_uid: ['null', 'b-1', '~', 'B.2'][at] ?? '',
      ...(brand.offers === undefined
        ? {}
        : { offers: brand.offers.map((one, nth) => ({ ...one, offer_uid: `o${at}.${nth}` })) }),
    })),
  }),
)

test('any catalog is exported in normal form, and reimporting any format yields the same export', async () => {
  await fc.assert(
    fc.asyncProperty(aCatalog, fc.constantFrom(...EXPORT_FORMATS), async (file, format) => {
      await empty()
      await importText(db, file)
      const first = await exported()
      assert.deepEqual(JSON.parse(first), JSON.parse(JSON.stringify(normalized(file))))
      const text = await exported(format)
      await empty()
      await importCatalog(db, makeInput(format, text))
      assert.equal(await exported(), first)
      const again = await importCatalog(db, makeInput(format, text))
      assert.equal(again.changes.offers.unchanged, again.offers)
      assert.equal(again.changes.brands.unchanged, again.brands)
    }),
    { numRuns: runs(20), endOnFailure: true },
  )
})
