import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { CATEGORIES, importText, offer } from '../../../../test/support/catalog-world.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { testDatabase } from '../../../../test/support/postgres.ts'
import { openDatabase } from '../../../platform/db/database.ts'
import { createCatalogStore } from './catalog-store.ts'

const database = await testDatabase('catalog_store')
const db = openDatabase(database.url)
after(() => db.close())

test('a catalog that failed to load is loaded on a later request', async () => {
  await db.reader`alter table brands rename to brands_away`
  const store = createCatalogStore(db)
  await assert.rejects(store.current())
  await assert.rejects(store.refresh())
  await db.reader`alter table brands_away rename to brands`
  assert.equal((await store.current()).version, 0)
})

test('requests that hold every connection while waiting for a newer catalog do not deadlock', async () => {
  const small = openDatabase(database.url, { connections: 2 })
  after(() => small.close())
  const clock = { at: new Date('2026-11-21T10:00:00Z'), now: () => clock.at }
  const store = createCatalogStore(small, { clock })
  await store.refresh()
  clock.at = new Date('2026-11-21T10:01:00Z')
  const both = [0, 1].map(() => small.transaction(async () => (await store.current()).version))
  assert.deepEqual(await Promise.all(both), [0, 0])
})

test('polling finds a change whose announcement was lost', async () => {
  const clock = { at: new Date('2026-11-21T10:00:00Z'), now: () => clock.at }
  const deaf = { ...db, listen: async () => undefined }
  const store = createCatalogStore(deaf, { clock })
  const before = await store.current()
  await importText(db, { categories: CATEGORIES })
  assert.equal(await store.current(), before)
  clock.at = new Date('2026-11-21T10:00:06Z')
  const later = await eventually(async () => {
    const current = await store.current()
    return current === before ? null : current
  })
  assert.equal(later.categories.length, 2)
})

test('every store sees a change and reads only the difference, and a catalog in use stays unchanged', async () => {
  const brand = (name: string, offers: object[]) => ({ brand_uid: `brd_${name}`, category_id: 1, name, offers })
  await importText(db, {
    categories: CATEGORIES,
    brands: [brand('one', [offer('a', { offer_uid: 'off_a' })]), brand('two', [])],
  })
  // With a frozen clock, no store ever polls.
  const clock = { now: () => new Date('2026-11-21T10:00:00Z') }
  const stores = [createCatalogStore(db, { clock }), createCatalogStore(db, { clock })]
  const before = await Promise.all(stores.map((store) => store.refresh()))
  await importText(db, { brands: [brand('one', [offer('b', { offer_uid: 'off_a' })]), brand('three', [])] })
  for (const [index, store] of stores.entries()) {
    const held = before[index]
    assert(held !== undefined)
    const newest = await eventually(async () => {
      const current = await store.current()
      return current === held ? null : current
    })
    assert.deepEqual(
      newest.brandFacts.map(({ name }) => name),
      ['one', 'two', 'three'],
    )
    assert.equal(newest.getOffers('brd_one')[0]?.name, 'b')
    assert.equal(newest.brands.get('brd_two'), held.brands.get('brd_two'))
    assert.deepEqual(
      newest.changedSince(held)?.changed.map(({ name }) => name),
      ['three'],
    )
    assert.equal(held.getOffers('brd_one')[0]?.name, 'a')
    assert.equal(held.offers.get('off_a')?.name, 'a')
    assert.equal(held.brands.has('brd_three'), false)
  }
})

test('data derived from a catalog is ready before the catalog is used', async () => {
  const prepared: number[] = []
  const prepare = async (newest: { version: number }): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve))
    prepared.push(newest.version)
  }
  const store = createCatalogStore(db, { prepare })
  const { version } = await store.current()
  assert.deepEqual(prepared, [version])
  await importText(db, { brands: [{ brand_uid: 'brd_four', category_id: 1, name: 'four' }] })
  const newest = await store.refresh()
  assert.deepEqual(prepared.at(-1), newest.version)
})

test('an unknown id is looked up again before it is rejected, even without an announcement', async () => {
  const clock = { now: () => new Date('2026-11-21T10:00:00Z') }
  const store = createCatalogStore({ ...db, listen: async () => undefined }, { clock })
  const before = await store.current()
  await importText(db, {
    brands: [{ brand_uid: 'brd_five', category_id: 1, name: 'five', offers: [offer('a', { offer_uid: 'off_five' })] }],
  })
  await store.lookFor([{ brandUid: 'brd_one', offerUid: 'off_a' }, {}])
  assert.equal(await store.current(), before, 'what is known is not looked for')
  await store.lookFor([{ brandUid: 'brd_one' }, { offerUid: 'off_five' }])
  const later = await store.current()
  assert(later.offers.has('off_five') && later.brands.has('brd_five'))
  await store.lookFor([{ brandUid: 'brd_nobody' }])
  assert.equal(await store.current(), later)
})
