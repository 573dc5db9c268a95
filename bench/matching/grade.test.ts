import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type BrandFacts, buildBrandIndex } from '../../src/catalog/merchants/index.ts'
import { fillUp, readKnownBrands } from './catalog.ts'
import { computeFalseRate, computePrecision, computeRecall, gradeMatches } from './grade.ts'
import { collectBrandlessNames, foldText, type Labelled, readLabelled } from './rows.ts'

const makeBrand = (brandUid: string, name: string): BrandFacts => ({
  brandUid,
  name,
  aliases: [],
  domains: [],
  merchantIds: [],
  mccs: [],
  countries: ['us'],
})
const makeRow = (merchantDescriptor: string, brandUid: string | null): Labelled => ({
  id: merchantDescriptor,
  facts: { merchantDescriptor, country: 'us' },
  brandUid,
  elsewhere: null,
})

test('a wrong brand lowers precision and recall, but only a hit on a brandless row is a false positive', () => {
  const index = buildBrandIndex([makeBrand('quill', 'Quillfeather Books'), makeBrand('zeph', 'Zephyrine Outfitters')])
  const grade = gradeMatches(index, [
    makeRow('QUILLFEATHER BOOKS 0423', 'quill'),
    makeRow('QUILLFEATHER BOOKS 0424', 'zeph'),
    makeRow('ZEPHYRINE OUTFITTERS 17', null),
    makeRow('MILLERS HARDWARE', 'zeph'),
    makeRow('MILLERS HARDWARE', null),
  ])
  assert.deepEqual([grade.right, grade.hits, grade.branded, grade.falseHits, grade.brandless], [1, 3, 3, 1, 2])
  assert.deepEqual([computePrecision(grade), computeRecall(grade), computeFalseRate(grade)], [1 / 3, 1 / 3, 1 / 2])
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
  const { here, elsewhere } = await readKnownBrands()
  const own = fileURLToPath(new URL('descriptors.jsonl', import.meta.url))
  const rows = await readLabelled(own, here)
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length)
  const none = collectBrandlessNames(rows)
  assert(none.has('canadian tire'))
  const brands = fillUp(here, elsewhere, 100_000, none)
  assert.equal(brands.length, 100_000)
  assert.equal(new Set(brands.map(({ brandUid }) => brandUid)).size, brands.length)
  assert.deepEqual(
    brands.slice(here.length).filter(({ name }) => none.has(foldText(name))),
    [],
  )
  // Figures from different days are comparable only if both runs used the same brands.
  assert.deepEqual(fillUp(here, elsewhere, 100_000, none), brands)
})
