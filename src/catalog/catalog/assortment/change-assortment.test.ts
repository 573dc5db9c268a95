import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { CATEGORIES, importText, offer } from '../../../../test/support/catalog-world.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { testDatabase } from '../../../../test/support/postgres.ts'
import { openDatabase } from '../../../platform/db/database.ts'
import { newUuid } from '../../../platform/ids.ts'
import { changeSettings, createPublisher, type Publisher } from '../../../tenants/publishers/index.ts'
import { createCatalogStore } from '../loading/catalog-store.ts'
import { changeAssortment, readAssortmentContent } from './change-assortment.ts'
import { type CarriageMode, changeCarriage, changeSplit, changeWording } from './edits.ts'
import { type AssortmentInput, parseContent, presentAssortment } from './schema.ts'

const database = await testDatabase('assortments')
const db = openDatabase(database.url)
after(() => db.close())
const NOW = new Date('2026-11-21T10:00:00Z')
await importText(db, {
  categories: CATEGORIES,
  brands: ['a', 'b'].map((brand_uid) => ({
    brand_uid,
    category_id: 1,
    name: `Brand ${brand_uid}`,
    offers: [offer(`Offer ${brand_uid}`, { offer_uid: `offer-${brand_uid}` })],
  })),
})

const tenant = (): Promise<Publisher> =>
  db.transaction(async (tx) => {
    const { id } = await createPublisher(tx, { name: 'Test', environment: 'sandbox' }, NOW)
    return changeSettings(tx, id, { feePpm: 100_000, sharePpm: 200_000 })
  })
type Change = Parameters<typeof changeAssortment>[1]['change']
const save = ({ id }: Publisher, change: Change, at = NOW) =>
  db.transaction((tx) => changeAssortment(tx, { publisherId: id, change, by: 'local:ada' }, at))
const put = (publisher: Publisher, input: AssortmentInput, at = NOW) => save(publisher, () => parseContent(input), at)
const shown = async ({ id }: Publisher) => presentAssortment(await readAssortmentContent(db.reader, id))
const none = { categoryIds: [], brandUids: [], offerUids: [] }
const carriage = (mode: CarriageMode, named: object) => (before: Parameters<Change>[0]) =>
  changeCarriage(before, mode, { ...none, ...named })

test('an entry is stored with its author and time, and a removed entry records who removed it', async () => {
  const publisher = await tenant()
  const later = new Date('2026-11-22T10:00:00Z')
  await put(publisher, { carries: 'listed', brands: [{ brand_uid: 'a', carried: true, fee: 1, share: 2 }] })
  await save(publisher, (before) => changeSplit(before, { brandUids: ['a'], offerUids: [] }, null), later)
  const rows = await db.reader`
    select says, brand_uid as brand, said_by as by, said_at as at, ended_by, ended_at
    from assortment_entries where publisher_id = ${publisher.id}
    order by brand_uid nulls first, says`
  const lives = { by: 'local:ada', at: NOW, endedBy: null, endedAt: null }
  assert.deepEqual(
    [...rows],
    [
      { says: 'carriage', brand: null, ...lives },
      { says: 'carriage', brand: 'a', ...lives },
      { says: 'split', brand: 'a', ...lives, endedBy: 'local:ada', endedAt: later },
    ],
  )
})

test('repeating a change is a no-op, and a change returns what it added and removed', async () => {
  const publisher = await tenant()
  const input: AssortmentInput = { offers: [{ offer_uid: 'offer-a', carried: false, formatted_description: 'Words' }] }
  assert.notEqual(await put(publisher, input), null)
  assert.equal(await put(publisher, input), null)
  assert.equal(await save(publisher, (before) => before), null)
  const changed = await save(publisher, (before) => changeWording(before, 'offer-a', 'Other words'))
  assert.equal(changed?.removed.offers.get('offer-a')?.wording, 'Words')
  assert.deepEqual(changed?.added.offers.get('offer-a'), { carried: null, split: null, wording: 'Other words' })
  assert.equal(changed?.content.offers.get('offer-a')?.carried, false)
})

test('entries of every kind are returned as sent', async () => {
  const publisher = await tenant()
  const input: AssortmentInput = {
    carries: 'listed',
    categories: [{ category_id: 1, carried: true }],
    brands: [{ brand_uid: 'a', carried: false, fee: 0, share: 100 }],
    offers: [
      { offer_uid: 'offer-a', carried: true, fee: 0.0001, share: 0, formatted_description: 'Words, "quoted"\n{}' },
    ],
    category_order: [2, 1],
  }
  await put(publisher, input)
  assert.deepEqual(await shown(publisher), input)
  await put(publisher, {})
  const usual = { carries: 'everything', categories: [], brands: [], offers: [], category_order: [] }
  assert.deepEqual(await shown(publisher), usual)
  assert.deepEqual(await shown(await tenant()), usual)
})

test('an entry for a subject missing from the catalog is rejected, and nothing changes', async () => {
  const publisher = await tenant()
  const cases: [AssortmentInput, string, RegExp][] = [
    [
      {
        brands: [
          { brand_uid: 'a', carried: false },
          { brand_uid: 'x', carried: false },
        ],
      },
      'brands.1',
      /no brand x in/,
    ],
    [{ offers: [{ offer_uid: 'y', formatted_description: 'Y' }] }, 'offers.0', /no offer y in/],
    [{ categories: [{ category_id: 9, carried: true }] }, 'categories.0', /no category 9 in/],
    [{ category_order: [1, 8] }, 'category_order.1', /no category 8 in/],
  ]
  for (const [input, field, message] of cases)
    await assert.rejects(put(publisher, input), { code: 'assortment_invalid', field, message })
  const many = Array.from({ length: 8 }, (_, at) => ({ brand_uid: `x${at}`, carried: true }))
  await assert.rejects(put(publisher, { brands: many }), { message: /x0, .*x4 and 3 more/ })
  assert.deepEqual((await shown(publisher)).brands, [])
  await assert.rejects(
    save({ ...publisher, id: newUuid<'publisher'>() }, (before) => before),
    {
      code: 'publisher_not_found',
    },
  )
})

test('concurrent changes to one assortment all take effect', async () => {
  const publisher = await tenant()
  await Promise.all([
    save(publisher, carriage('without', { brandUids: ['a'] })),
    save(publisher, carriage('with', { offerUids: ['offer-a'] })),
    save(publisher, (before) => changeWording(before, 'offer-b', 'Words')),
    save(publisher, (before) => ({ ...before, categoryOrder: [2] })),
    ...[1, 2, 3].map((fee) =>
      save(publisher, (before) =>
        changeSplit(before, { brandUids: ['b'], offerUids: [] }, { feePpm: fee, sharePpm: 0 }),
      ),
    ),
  ])
  const { brands, offers, category_order } = await shown(publisher)
  assert.deepEqual(offers, [
    { offer_uid: 'offer-a', carried: true },
    { offer_uid: 'offer-b', formatted_description: 'Words' },
  ])
  assert.deepEqual([brands?.[0], category_order], [{ brand_uid: 'a', carried: false }, [2]])
  assert([0.0001, 0.0002, 0.0003].includes(brands?.[1]?.fee ?? 0))
})

test('a change is pushed to every process and affects only its publisher', async () => {
  const [publisher, other] = [await tenant(), await tenant()]
  const elsewhere = openDatabase(database.url)
  after(() => elsewhere.close())
  // With frozen clocks, no process ever polls.
  const clock = { now: () => NOW }
  const stores = [db, elsewhere].map((one) => createCatalogStore(one, { clock }))
  const before = await Promise.all(stores.map((store) => store.getAssortment(publisher)))
  const others = await Promise.all(stores.map((store) => store.getAssortment(other)))
  assert.deepEqual(
    before.map(({ catalog, carriesBrand }) => carriesBrand(catalog.brands.get('a') as never)),
    [true, true],
  )
  await put(publisher, { brands: [{ brand_uid: 'a', carried: false }], category_order: [2] })
  for (const [at, store] of stores.entries()) {
    const now = await eventually(async () => {
      const assortment = await store.getAssortment(publisher)
      return assortment === before[at] ? null : assortment
    })
    assert.equal(now.catalog, before[at]?.catalog)
    assert.deepEqual([now.categoryOrder, now.carriesBrand(now.catalog.brands.get('a') as never)], [[2], false])
    assert.equal(await store.getAssortment(other), others[at])
  }
})

test('a new process applies assortments from its first response', async () => {
  const publisher = await tenant()
  await put(publisher, { carries: 'listed' })
  const store = createCatalogStore(db)
  const asked = [store.getAssortment(publisher)]
  const loaded = { yet: false }
  const loading = store.refresh().then(() => {
    loaded.yet = true
  })
  while (!loaded.yet) {
    asked.push(store.getAssortment(publisher))
    await setImmediate()
  }
  await loading
  for (const { catalog, carries } of await Promise.all(asked))
    assert.equal(carries(catalog.offers.get('offer-a') as never), false)
})
