import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeBrand } from '../../../../test/support/catalog.ts'
import { assembleCatalog, changeCatalog } from './assemble.ts'

const none = async (): Promise<void> => undefined

test('a catalog with an overgrown vocabulary is rebuilt without the unused words', async () => {
  const rows = { version: 1, categories: [], brands: [makeBrand({})], offers: [] }
  const catalog = await assembleCatalog(rows, none)
  assert((await changeCatalog(catalog, { ...rows, version: 2 }, none)) !== null)
  for (let number = 1; number <= 60_000; number++) catalog.table.vocabulary.getNumber(`word${number}`)
  assert.equal(await changeCatalog(catalog, { ...rows, version: 2 }, none), null)
})
