import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '../../test/support/postgres.ts'
import { openDatabase } from '../platform/database.ts'
import { createCatalogStore } from './index.ts'
import { CATEGORIES, importText } from './testing.ts'

const database = await testDatabase('catalog_store')
const db = openDatabase(database.url)
after(() => db.close())

test('a catalog that could not be loaded is asked for again', async () => {
  await db.reader`alter table brands rename to brands_away`
  const store = createCatalogStore(db)
  await assert.rejects(store.current())
  await assert.rejects(store.refresh())
  await db.reader`alter table brands_away rename to brands`
  assert.equal((await store.current()).version, 0)
})

test('whoever waits for a newer catalog holding every connection does not wait for ever', async () => {
  const small = openDatabase(database.url, { connections: 2 })
  after(() => small.close())
  const clock = { at: new Date('2026-11-21T10:00:00Z'), now: () => clock.at }
  const store = createCatalogStore(small, { clock })
  await store.refresh()
  clock.at = new Date('2026-11-21T10:01:00Z')
  const both = [0, 1].map(() => small.transaction(async () => (await store.current()).version))
  assert.deepEqual(await Promise.all(both), [0, 0])
})

test('a lost announcement is made up for by asking after a while', { timeout: 10_000 }, async () => {
  const clock = { at: new Date('2026-11-21T10:00:00Z'), now: () => clock.at }
  const deaf = { ...db, listen: async () => undefined }
  const store = createCatalogStore(deaf, { clock })
  const before = await store.current()
  await importText(db, { categories: CATEGORIES })
  assert.equal(await store.current(), before)
  clock.at = new Date('2026-11-21T10:00:06Z')
  while ((await store.current()) === before) await new Promise((resolve) => setImmediate(resolve))
  assert.equal((await store.current()).categories.length, 2)
})
