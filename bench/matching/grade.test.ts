import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type BrandFacts, buildBrandIndex } from '../../src/catalog/merchants/index.ts'
import { filledUp, knownBrands } from './catalog.ts'
import { falseRateOf, gradeOf, precisionOf, recallOf } from './grade.ts'
import { foldedOf, type Labelled, namesOfNone, readLabelled } from './rows.ts'

const brandOf = (brandUid: string, name: string): BrandFacts => ({
  brandUid,
  name,
  aliases: [],
  domains: [],
  merchantIds: [],
  mccs: [],
  countries: ['us'],
})
const rowOf = (merchantDescriptor: string, brandUid: string | null): Labelled => ({
  id: merchantDescriptor,
  facts: { merchantDescriptor, country: 'us' },
  brandUid,
  elsewhere: null,
})

test('a wrong brand lowers precision and recall; only a hit on a brandless row is a false hit', () => {
  const index = buildBrandIndex([brandOf('quill', 'Quillfeather Books'), brandOf('zeph', 'Zephyrine Outfitters')])
  const grade = gradeOf(index, [
    rowOf('QUILLFEATHER BOOKS 0423', 'quill'),
    rowOf('QUILLFEATHER BOOKS 0424', 'zeph'),
    rowOf('ZEPHYRINE OUTFITTERS 17', null),
    rowOf('MILLERS HARDWARE', 'zeph'),
    rowOf('MILLERS HARDWARE', null),
  ])
  assert.deepEqual([grade.right, grade.hits, grade.branded, grade.falseHits, grade.brandless], [1, 3, 3, 1, 2])
  assert.deepEqual([precisionOf(grade), recallOf(grade), falseRateOf(grade)], [1 / 3, 1 / 3, 1 / 2])
  assert.deepEqual(
    grade.misses.map(({ kind, wanted, found }) => [kind, wanted, found]),
    [
      ['wrong brand', 'zeph', 'quill'],
      ['false hit', null, 'zeph'],
      ['missed', 'zeph', null],
    ],
  )
})

test('every label is in the catalog, and no added brand shares its name with a brandless row', async () => {
  const { here, elsewhere } = await knownBrands()
  const own = fileURLToPath(new URL('descriptors.jsonl', import.meta.url))
  const rows = await readLabelled(own, here)
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length)
  const none = namesOfNone(rows)
  assert(none.has('canadian tire'))
  const brands = filledUp(here, elsewhere, 100_000, none)
  assert.equal(brands.length, 100_000)
  assert.equal(new Set(brands.map(({ brandUid }) => brandUid)).size, brands.length)
  assert.deepEqual(
    brands.slice(here.length).filter(({ name }) => none.has(foldedOf(name))),
    [],
  )
  // Figures from two days are comparable only if both runs used the same brands.
  assert.deepEqual(filledUp(here, elsewhere, 100_000, none), brands)
})
