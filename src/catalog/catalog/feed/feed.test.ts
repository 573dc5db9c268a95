import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { importText, offer } from '../../../../test/support/catalog-world.ts'
import { testDatabase } from '../../../../test/support/postgres.ts'
import { openDatabase } from '../../../platform/db/database.ts'
import { importCatalog } from '../import/import.ts'
import { stageFeed } from '../import/staging.ts'
import { createCatalogStore } from '../loading/catalog-store.ts'
import { openFeed } from './read-feed.ts'

const db = openDatabase((await testDatabase('feed')).url)
after(() => db.close())
const store = createCatalogStore(db)
const category = { category_id: 1, category: 'GROCERY' }
const named = (name: string, more: object = {}) => ({ category_id: 1, name, offers: [offer('Five')], ...more })
const readVersion = async () => (await store.refresh()).version

function lines(...given: object[]) {
  let readings = 0
  const input = {
    format: 'jsonl' as const,
    lines: async function* () {
      readings++
      yield* given.map((one) => JSON.stringify(one))
    },
  }
  return { input, readings: () => readings }
}

test('an import overtaken by another looks up its names again', async () => {
  await importText(db, { categories: [category] })
  // A full batch, so that its lookups are complete before the lines after it are read.
  const others = Array.from({ length: 499 }, (_, at) => named(`Other ${at}`, { brand_uid: `other-${at}` }))
  const { input, readings } = lines(named('Late'), ...others)
  let overtaken = false
  const overtake = {
    ...input,
    lines: async function* () {
      yield* input.lines()
      // Another import assigns a different id to the same brand.
      if (!overtaken) await importText(db, { brands: [named('Late', { brand_uid: 'brd_first' })] })
      overtaken = true
    },
  }
  await importCatalog(db, overtake)
  assert.equal(readings(), 2)
  const { brands } = await store.refresh()
  assert.deepEqual(
    [...brands.values()].filter(({ name }) => name === 'Late').map(({ brandUid }) => brandUid),
    ['brd_first'],
  )
})

test('an invalid batch also discards all previous batches', async () => {
  const before = await readVersion()
  const many = Array.from({ length: 1_200 }, (_, at) => named(`Batch ${at}`, { brand_uid: `batch-${at}` }))
  await assert.rejects(importCatalog(db, lines(...many, { ...named('x'), category_id: 77 }).input), {
    code: 'catalog_invalid',
    message: /line 1201, brands\.1200\.category_id: is not an existing category \(77\)/,
  })
  assert.equal(await readVersion(), before)
  const seen: number[] = []
  const outcome = await importCatalog(db, lines(...many).input, { progress: ({ brands }) => seen.push(brands) })
  assert.deepEqual(outcome.changes.brands, { added: 1_200, changed: 0, retired: 0, unchanged: 0 })
  assert.deepEqual(seen, [500, 1_000, 1_200])
})

test("a category may be declared on its own line or by any brand that includes the category's name", async () => {
  const later = { ...named('Earlier'), category_id: 8 }
  const namesIt = { ...named('Namer'), category_id: 8, category: 'TOYS' }
  await importCatalog(db, lines({ category_id: 7, category: 'BOOKS' }, later, namesIt).input)
  const { categories } = await store.refresh()
  assert.deepEqual(
    categories.filter(({ categoryId }) => categoryId > 6).map((one) => one.category),
    ['BOOKS', 'TOYS'],
  )
  await assert.rejects(
    importCatalog(db, lines({ ...namesIt, category: 'GAMES' }).input),
    /is not the name of category 8/,
  )
})

test('renaming a category is a change even if nothing else changes', async () => {
  const before = await readVersion()
  await importText(db, { categories: [{ ...category, category: 'FOOD' }] })
  assert.equal(await readVersion(), before + 1)
  assert.equal((await store.refresh()).categories.find(({ categoryId }) => categoryId === 1)?.category, 'FOOD')
})

test('values an offer inherits from its brand change with the brand', async () => {
  const link = {
    offer_uid: 'link',
    offer_type: 'AFFILIATE',
    reward_type: 'CASHBACK_PERCENTAGE',
    commission: { rate: 5 },
  }
  const brand = (name: string, website: string) => ({
    brand_uid: 'moves',
    category_id: 1,
    name,
    website,
    offers: [link],
  })
  await importText(db, { brands: [brand('Moves', 'https://old.example')] })
  await importText(db, { brands: [brand('Moved', 'https://new.example')] })
  const catalog = await store.refresh()
  assert.deepEqual([catalog.offers.get('link')?.name, catalog.offers.get('link')?.version], ['Moved', 2])
  const [program] = await db.reader<{ address: string }[]>`
    select address_template as address from programs where offer_uid = 'link'`
  assert.match(program?.address ?? '', /^https:\/\/new\.example/)
})

test('a feed that fails midway leaves no SQL statement running', async () => {
  const many = Array.from({ length: 1_000 }, (_, at) => named(`Broken ${at}`, { brand_uid: `broken-${at}` }))
  const feed = openFeed({
    format: 'jsonl',
    lines: async function* () {
      yield* many.slice(0, 500).map((one) => JSON.stringify(one))
      // The first batch is on its way to the database when reading fails.
      yield '\n'
      throw new Error('the disk is gone')
    },
  })
  let sent = 0
  let sentWhenRefused = 0
  await assert.rejects(
    db.transaction(async (tx) => {
      const counted = new Proxy(tx, {
        apply: (target, self, parameters) => {
          sent++
          return Reflect.apply(target, self, parameters)
        },
      })
      try {
        await stageFeed(counted, feed, { replace: false, progress: () => undefined })
      } finally {
        sentWhenRefused = sent
      }
    }),
    /the disk is gone/,
  )
  await db.reader`select 1`
  assert.equal(sent, sentWhenRefused)
})
