import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { CATEGORIES, importText, offer } from '../../../../test/support/catalog-world.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { testDatabase } from '../../../../test/support/postgres.ts'
import { openDatabase } from '../../../platform/db/database.ts'
import type { Refusal } from '../../../platform/refusal.ts'
import { createCatalogStore } from '../loading/catalog-store.ts'
import { getVersion } from '../queries.ts'
import type { Catalog } from '../table/assemble.ts'
import { type ImportOutcome, importCatalog } from './import.ts'

const db = openDatabase((await testDatabase('import')).url)
after(() => db.close())
const store = createCatalogStore(db)
const SAMPLE = new URL('../../../../db/sample/catalog.json', import.meta.url)

const brand = (name: string, more: object = {}) => ({ category_id: 1, name, offers: [offer('5%')], ...more })
const find = (catalog: Catalog, name: string) => [...catalog.brands.values()].find((one) => one.name === name)

const pickCounts = ({ categories, brands, offers }: ImportOutcome) => ({ categories, brands, offers })

type Fault = { line: number; path: string; message: string }

async function catchFaults(work: Promise<unknown>): Promise<Fault[]> {
  let faults: Fault[] = []
  await assert.rejects(work, (refusal: Refusal) => {
    assert.equal(refusal.code, 'catalog_invalid')
    faults = refusal.members['faults'] as Fault[]
    return true
  })
  return faults
}

test('the sample catalog imports completely, and importing it again changes nothing', async () => {
  const text = await readFile(SAMPLE, 'utf8')
  const counts = await importText(db, text)
  assert(counts.brands >= 200 && counts.categories >= 10 && counts.offers > counts.brands)
  const version = await getVersion(db.reader)
  const catalog = await store.refresh()
  assert.equal(catalog.brands.size, counts.brands)
  assert.equal(catalog.offers.size, counts.offers)
  assert.equal(catalog.brandFacts.length, counts.brands)
  assert.deepEqual(pickCounts(await importText(db, text)), pickCounts(counts))
  assert.equal(await getVersion(db.reader), version)
  assert.equal(await store.refresh(), catalog)
})

const WHOLE = {
  offer_uid: 'off_whole',
  name: 'Tiers',
  description: 'd\ntwo lines',
  formatted_description: 'f',
  banner_url: 'https://a.example/b.png',
  refund_period_days: 14,
  offer_type: 'CARD_LINKED',
  reward_type: 'CASHBACK_DOLLAR',
  commission_groups: [
    { name: 'new', amount: 12.5, customer: 'new', product_groups: ['shoes'], min_amount: 50, max_amount: 99.99 },
    { name: 'all', amount: 4 },
  ],
  max_customer_offer: 12.5,
  currency: 'USD',
  location: 'NY',
  channels: ['IN_STORE'],
  one_time_use: true,
  new_customer_days: 90,
  min_spend: 10,
  max_spend: 500.5,
  start_date: '2026-01-01',
  end_date: '2026-12-31',
  days_of_week: ['SAT', 'SUN'],
  hours: { from: '18:00', to: '02:00' },
  lapsed_customer_only: true,
  lapsed_customer_days: 60,
  activation_required: true,
  user_limits: [{ period: 'MONTH', uses: 2, reward: 20 }],
  budgets: [{ period: 'LIFETIME', amount: 5000 }],
  local_radius_metres: 30000,
  terms_and_conditions: 't',
  store_addresses: [
    {
      city: 'Reno',
      state: 'nv',
      zip_code: '89501',
      latitude: '39.5',
      longitude: -119.8,
      phone: '(775) 555-0100',
      country: 'US',
    },
  ],
}

test('every member of an offer in a file ends up in the catalog', async () => {
  await importText(db, {
    categories: CATEGORIES,
    brands: [brand('Whole', { brand_uid: 'brd_whole', offers: [WHOLE] })],
  })
  const { ordinal: _, ...read } = (await store.refresh()).offers.get('off_whole') ?? assert.fail('it is missing')
  assert.deepEqual(read, {
    offerUid: 'off_whole',
    brandUid: 'brd_whole',
    name: 'Tiers',
    description: 'd\ntwo lines',
    formattedDescription: 'f',
    bannerUrl: 'https://a.example/b.png',
    refundPeriodDays: 14,
    offerType: 'CARD_LINKED',
    rewardType: 'CASHBACK_DOLLAR',
    currency: 'USD',
    groups: [
      {
        name: 'new',
        ratePpm: null,
        amount: 1250n,
        customer: 'new',
        productGroups: ['shoes'],
        skus: [],
        minAmount: 5000n,
        maxAmount: 9999n,
      },
      {
        name: 'all',
        ratePpm: null,
        amount: 400n,
        customer: null,
        productGroups: [],
        skus: [],
        minAmount: null,
        maxAmount: null,
      },
    ],
    voucherCode: null,
    location: 'NY',
    channels: ['IN_STORE'],
    oneTimeUse: true,
    newCustomerOnly: false,
    newCustomerDays: 90,
    minSpend: 1000n,
    maxSpend: 50050n,
    denominations: [],
    startDate: '2026-01-01',
    endDate: '2026-12-31',
    termsAndConditions: 't',
    conditions: {
      days: ['SAT', 'SUN'],
      hours: { from: '18:00', to: '02:00' },
      lapsedCustomerOnly: true,
      lapsedCustomerDays: 60,
      activationRequired: true,
      userLimits: [{ period: 'MONTH', uses: 2, reward: 2000n }],
      budgets: [{ period: 'LIFETIME', amount: 500_000n }],
      uniqueCodes: false,
      localRadiusMetres: 30_000,
    },
    version: 1,
    retired: false,
    stores: [
      {
        locationName: null,
        storeNumber: null,
        streetAddress1: null,
        streetAddress2: null,
        city: 'Reno',
        state: 'NV',
        zipCode: '89501',
        latitude: 39.5,
        longitude: -119.8,
        phone: '7755550100',
        completeAddress: 'Reno, NV 89501, US',
        country: 'US',
      },
    ],
  })
})

test("an offer that states only the customer's reward has a commission of the same amount or rate", async () => {
  const offers = [
    offer('rate', { commission: undefined, customer_offer: 3.25 }),
    offer('amount', { commission: undefined, customer_offer: 7, reward_type: 'DISCOUNT_DOLLAR' }),
  ]
  await importText(db, { brands: [brand('Customers', { brand_uid: 'brd_customers', offers })] })
  const [rate, amount] = (await store.refresh()).getOffers('brd_customers')
  assert.equal(rate?.groups[0]?.ratePpm, 32_500)
  assert.equal(amount?.groups[0]?.amount, 700n)
})

test('a brand or offer without an id is matched by name', async () => {
  const file = (rate: number, more: object = {}) => ({
    brands: [
      brand('Found', { website: 'https://found.example', offers: [offer('Five', { commission: { rate } })], ...more }),
    ],
  })
  await importText(db, file(5))
  const first = find(await store.refresh(), 'Found')
  await importText(db, file(6, { description: 'changed' }))
  const catalog = await store.refresh()
  const again = find(catalog, 'Found')
  assert.equal(again?.brandUid, first?.brandUid)
  assert.equal(again?.ordinal, first?.ordinal)
  assert.equal(again?.description, 'changed')
  const offers = catalog.getOffers(again?.brandUid ?? '')
  assert.deepEqual(
    offers.map((one) => one.groups[0]?.ratePpm),
    [60_000],
  )
  assert.match(again?.brandUid ?? '', /^brd_[0-9a-z]{26}$/)
  assert.match(offers[0]?.offerUid ?? '', /^off_[0-9a-z]{26}$/)
})

test('a brand keeps its external id when a later feed omits it', async () => {
  await importText(db, { brands: [brand('Kept', { brand_uid: 'brd_kept', website: 'https://kept.example' })] })
  await importText(db, { brands: [brand('KEPT', { website: 'https://kept.example', mccs: ['5411'] })] })
  const catalog = await store.refresh()
  assert.deepEqual(catalog.brands.get('brd_kept')?.mccs, ['5411'])
  assert.equal(catalog.brands.get('brd_kept')?.name, 'KEPT')
})

test('a retired brand or offer is still found by id, but no longer offered', async () => {
  const file = (retired: boolean) => ({
    brands: [brand('Old', { brand_uid: 'brd_old', retired, offers: [offer('a', { offer_uid: 'off_old' })] })],
  })
  await importText(db, file(false))
  assert.equal((await store.refresh()).getOffers('brd_old').length, 1)
  await importText(db, file(true))
  const catalog = await store.refresh()
  assert.equal(catalog.getOffers('brd_old').length, 0)
  assert.equal(catalog.brands.get('brd_old')?.retired, true)
  assert.equal(catalog.offers.get('off_old')?.brandUid, 'brd_old')
  assert(!catalog.brandFacts.some((facts) => facts.brandUid === 'brd_old'))
  await importText(db, file(false))
  assert.equal((await store.refresh()).getOffers('brd_old').length, 1)
})

test('every error is reported with its line, and nothing is imported', async () => {
  const version = await getVersion(db.reader)
  const of = (name: string, more: object) => offer(name, more)
  const cases: [string, object, string, RegExp][] = [
    ['no commission', of('a', { commission: undefined }), 'commission', /required/],
    ['amount for a percentage', of('a', { commission: { amount: 5 } }), 'commission', /must have a rate/],
    ['rate for dollars', of('a', { reward_type: 'CASHBACK_DOLLAR' }), 'commission', /must have an amount/],
    ['both', of('a', { commission: { rate: 5, amount: 5 } }), 'commission', /./],
    ['rate too high', of('a', { commission: { rate: 101 } }), 'commission.rate', /at most 100/],
    ['too many decimals', of('a', { commission: { rate: 5.00001 } }), 'commission', /four decimal places/],
    [
      'group above the maximum',
      of('a', {
        commission: undefined,
        commission_groups: [
          { name: 'x', rate: 5 },
          { name: 'y', rate: 9 },
        ],
        max_customer_offer: 8,
      }),
      'commission_groups.1',
      /exceeds/,
    ],
    ['customers get more', of('a', { customer_offer: 6 }), 'customer_offer', /exceeds the commission/],
    ['spend bounds', of('a', { min_spend: 10, max_spend: 9 }), 'max_spend', /less than min_spend/],
    ['dates', of('a', { start_date: '2026-02-02', end_date: '2026-02-01' }), 'end_date', /before start_date/],
    ['no such day', of('a', { start_date: '2026-02-30' }), 'start_date', /./],
    [
      'tracking of a card',
      of('a', { tracking_url: 'https://a.example/{sub_id}' }),
      'tracking_url',
      /only for AFFILIATE/,
    ],
    ['http', of('a', { offer_type: 'AFFILIATE', tracking_url: 'http://a.example/' }), 'tracking_url', /https/],
    ['no address', of('a', { offer_type: 'AFFILIATE' }), 'tracking_url', /required/],
    ['denominations of a card', of('a', { denominations: [5] }), 'denominations', /only for GIFT_CARD/],
    ['code of a card', of('a', { voucher_code: 'X' }), 'voucher_code', /only for VOUCHER_CODE/],
    ['no code', of('a', { offer_type: 'VOUCHER_CODE' }), 'voucher_code', /required/],
    ['type', of('a', { offer_type: 'COUPON' }), 'offer_type', /must be one of/],
    ['unknown field', of('a', { colour: 'red' }), 'colour', /not a known field/],
    ['cents of a cent', of('a', { min_spend: 1.005 }), 'min_spend', /decimal places/],
    ['no such currency', of('a', { currency: 'QQQ' }), 'currency', /ISO 4217/],
    ['no such state', of('a', { location: 'XX' }), 'location', /not a state/],
    ['no such zip code', of('a', { location: '00000' }), 'location', /not a zip code/],
    ['a store that is nowhere', of('a', { store_addresses: [{ state: 'TX' }, {}] }), 'store_addresses.1', /needs/],
    [
      'a store with half a place',
      of('a', { store_addresses: [{ latitude: 30.2, country: 'US', location_name: 'Shop' }] }),
      'store_addresses.0',
      /both coordinates/,
    ],
    ['lapsed since, for all', of('a', { lapsed_customer_days: 60 }), 'lapsed_customer_days', /only for/],
    ['near nothing', of('a', { local_radius_metres: 500 }), 'local_radius_metres', /only for/],
    ["another brand's", of('a', { offer_uid: 'off_whole' }), 'offer_uid', /another brand/],
    ['control characters', of('a\u0001', {}), 'name', /./],
  ]
  for (const [name, one, path, message] of cases) {
    const faults = await catchFaults(importText(db, { brands: [{ category_id: 1, name: 'X', offers: [one] }] }))
    const fault = faults.find((each) => each.path === `brands.0.offers.0.${path}`)
    assert(fault !== undefined && message.test(fault.message), `${name}: ${JSON.stringify(faults)}`)
    assert(fault.line > 5, name)
  }
  assert.equal(await getVersion(db.reader), version)
})

test("an offer's currency cannot change, not even when the offer is retired", async () => {
  const file = (more: object) => ({
    brands: [brand('Kept', { offers: [offer('5%', { offer_uid: 'off_kept', ...more })] })],
  })
  await importText(db, file({}))
  await importText(db, file({ currency: 'USD', min_spend: 5 }))
  for (const more of [{ currency: 'EUR' }, { currency: 'EUR', retired: true }]) {
    const [fault] = await catchFaults(importText(db, file(more)))
    assert.equal(fault?.path, 'brands.0.offers.0.currency')
    assert.match(fault.message, /is USD and cannot change; use a new offer_uid/)
  }
})

test('URLs must use http or https, because other schemes could run scripts where they are displayed', async () => {
  const foreign = ['javascript:alert(1)', 'JavaScript:1/alert(1)', 'data:text/html,x', 'ftp://a.example', '//a.example']
  const brandFields = ['website', 'logo_img_url', 'large_img_url', 'small_img_url']
  for (const given of foreign) {
    for (const field of brandFields) {
      const [fault] = await catchFaults(importText(db, { brands: [brand('Foreign', { [field]: given })] }))
      assert.equal(fault?.path, `brands.0.${field}`, given)
      assert.match(fault.message, /such as https:\/\/example\.com/)
    }
    for (const field of ['banner_url', 'tracking_url']) {
      const offers = [offer('Foreign', { offer_type: 'AFFILIATE', [field]: given })]
      const [fault] = await catchFaults(importText(db, { brands: [brand('Foreign', { offers })] }))
      assert.equal(fault?.path, `brands.0.offers.0.${field}`, given)
    }
  }
  for (const website of ['a.example', 'a.example/shop?x=1', 'HTTP://a.example:8080', 'https://a.example', 'ä.example'])
    await importText(db, { brands: [brand('Home', { brand_uid: 'brd_home', website })] }, { dryRun: true })
})

test('all errors in a file are reported, in line order', async () => {
  const lines = [
    '{"brands": [',
    '{"category_id": 77, "name": "A"},',
    '{"category_id": 1, "name": "B", "offers": [',
    '  {"name": "x", "offer_type": "CARD_LINKED", "reward_type": "CASHBACK_PERCENTAGE", "commission": {"rate": 5}},',
    '  {"name": "X", "offer_type": "CARD_LINKED", "reward_type": "CASHBACK_PERCENTAGE", "commission": {"rate": 5}}]},',
    '{"category_id": 1, "category": "TOYS", "name": "C"},',
    '{"category_id": 1, "name": "b"}]}',
  ]
  const faults = await catchFaults(importText(db, lines.join('\n')))
  assert.deepEqual(
    faults.map(({ line, path }) => [line, path]),
    [
      [2, 'brands.0.category_id'],
      [5, 'brands.1.offers.1'],
      [6, 'brands.2.category'],
      [7, 'brands.3'],
    ],
  )
  assert.equal(find(await store.refresh(), 'A'), undefined)
})

test('at most fifty errors are reported', async () => {
  const brands = Array.from({ length: 80 }, (_, index) => ({ category_id: 99, name: `Many ${index}` }))
  const faults = await catchFaults(importText(db, { brands }))
  assert.equal(faults.length, 50)
})

test('input that is not a catalog is rejected', async () => {
  for (const text of ['', '[]', '{}', 'null', '{"brands": {}}', '"x"', '{"offers": []}', '{']) {
    assert((await catchFaults(importText(db, text))).length > 0, text)
  }
})

test('a CSV imports like the equivalent JSON, and errors refer to its lines', async () => {
  const head =
    'brand_uid,brand_name,category_id,category,website,name,offer_type,reward_type,commission_rate,tracking_url,start_date'
  const rows = [
    'brd_csv,Sheet,31,SHEETS,https://sheet.example,Five,CARD_LINKED,CASHBACK_PERCENTAGE,5,,2026-01-01',
    'brd_csv,Sheet,31,SHEETS,https://sheet.example,Link,AFFILIATE,CASHBACK_PERCENTAGE,7.5,https://go.example/{sub_id},',
  ]
  const read = (lines: string[], dryRun = false) =>
    importCatalog(db, { format: 'csv', text: [head, ...lines].join('\n') }, { dryRun })
  assert.deepEqual(pickCounts(await read(rows)), { categories: 1, brands: 1, offers: 2 })
  const catalog = await store.refresh()
  assert.deepEqual(
    catalog.getOffers('brd_csv').map((one) => [one.name, one.groups[0]?.ratePpm]),
    [
      ['Five', 50_000],
      ['Link', 75_000],
    ],
  )
  assert(catalog.categories.some((one) => one.categoryId === 31 && one.category === 'SHEETS'))
  const wrong = [
    rows[0] ?? '',
    'brd_csv,Sheet,31,SHEETS,https://sheet.example,Six,CARD_LINKED,CASHBACK,six,,2026-13-01',
  ]
  const faults = await catchFaults(read(wrong, true))
  assert.deepEqual(new Set(faults.map((fault) => fault.line)), new Set([3]))
  assert.deepEqual(faults.map((fault) => fault.path).sort(), [
    'brands.0.offers.1.commission.rate',
    'brands.0.offers.1.reward_type',
    'brands.0.offers.1.start_date',
  ])
})

test('a dry run finds the same errors and changes nothing', async () => {
  const version = await getVersion(db.reader)
  const good = { brands: [brand('Checked only')] }
  assert.deepEqual(pickCounts(await importText(db, good, { dryRun: true })), { categories: 1, brands: 1, offers: 1 })
  await catchFaults(importText(db, { brands: [{ category_id: 99, name: 'A' }] }, { dryRun: true }))
  assert.equal(await getVersion(db.reader), version)
  assert.equal(find(await store.refresh(), 'Checked only'), undefined)
})

test('concurrent imports are serialized, and none is lost', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `Racing ${index}`)
  await Promise.all(names.map((name) => importText(db, { brands: [brand(name), brand('Racing all')] })))
  const catalog = await store.refresh()
  for (const name of [...names, 'Racing all']) assert(find(catalog, name) !== undefined, name)
  assert.equal([...catalog.brands.values()].filter((one) => one.name === 'Racing all').length, 1)
})

test('a catalog in use does not change, and other processes load the new one', async () => {
  const other = createCatalogStore(db)
  const before = await other.current()
  await importText(db, { brands: [brand('Brand new')] })
  assert.equal(find(before, 'Brand new'), undefined)
  await eventually(async () => find(await other.current(), 'Brand new') !== undefined)
})
