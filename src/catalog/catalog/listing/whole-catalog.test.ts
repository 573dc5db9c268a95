import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Day } from '../../../platform/calendar.ts'
import type { Catalog } from '../table/assemble.ts'
import { countByCategory } from './whole-catalog.ts'

const brand = {
  brandUid: 'one',
  categoryId: 1,
  retired: false,
}
const block = {
  brands: [brand],
  offerFrom: Uint32Array.of(0, 1),
  starts: Int32Array.of(0),
  ends: Int32Array.of(99_999_999),
}
const BLOCKS = 1_000
const catalog = {
  categories: [{ categoryId: 1, category: 'GROCERY' }],
  table: { blocks: Array.from({ length: BLOCKS }, () => block) },
  // Only the parts of a catalog that this test reads.
} as unknown as Catalog
const day = '2026-11-28' as Day

/** Does the work and counts how often other tasks could run in the meantime. */
async function turnsDuring<Result>(work: () => Result | Promise<Result>) {
  let isDone = false
  let turns = 0
  const other = async () => {
    await setImmediate()
    while (!isDone) {
      turns++
      await setImmediate()
    }
  }
  const others = other()
  const result = await work()
  isDone = true
  await others
  return { result, turns }
}

test('other requests are served while a large catalog is counted', async () => {
  const counted = await turnsDuring(() => countByCategory(catalog, day))
  assert.deepEqual(counted.result, [{ ...catalog.categories[0], brands: BLOCKS, liveOffers: BLOCKS }])
  assert.equal(counted.turns > 10, true, String(counted.turns))
})
