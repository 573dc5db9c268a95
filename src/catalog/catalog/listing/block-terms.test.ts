import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { makeBrand, makeGroup, makeOffer } from '../../../../test/support/catalog.ts'
import { carryWholeCatalog } from '../assortment/assortment.ts'
import { assembleCatalog, type Catalog, changeCatalog } from '../table/assemble.ts'
import { BLOCK_BRANDS } from '../table/block.ts'
import { everything, selectBrands } from './select-brands.ts'
import { anyUser } from './user-filter.ts'

const none = async (): Promise<void> => undefined
const brands = Array.from({ length: BLOCK_BRANDS + 1 }, (_, ordinal) =>
  makeBrand({ brandUid: `brd_${ordinal}`, name: `Brand ${ordinal}`, ordinal }),
)
const offers = brands.map(({ brandUid }) =>
  makeOffer({ offerUid: `off_${brandUid}`, brandUid, groups: [makeGroup({ ratePpm: 50_000 })] }),
)

test('blocks untouched by a change do not keep the previous catalog in memory', async () => {
  const collect = collector()
  let held: Catalog | null = await assembleCatalog({ version: 1, categories: [], brands, offers }, none)
  const former = new WeakRef(held)
  listByReward(held)
  const changed = brands.slice(-1).map((brand) => ({ ...brand, name: 'Another' }))
  const newest = await changeCatalog(held, { version: 2, categories: [], brands: changed, offers: [] }, none)
  held = null
  // A weak reference keeps its target alive until the end of the turn that created or read it.
  for (let round = 0; round < 5 && former.deref() !== undefined; round++) {
    await setImmediate()
    collect()
  }
  assert(former.deref() === undefined)
  assert.equal(newest?.table.blocks.length, 2)
})

function listByReward(catalog: Catalog): void {
  const context = {
    assortment: carryWholeCatalog(catalog, { feePpm: 0, sharePpm: 0 }),
    day: '2026-11-21',
    personal: anyUser,
  }
  const { places } = selectBrands(context, { ...everything, sort: [{ field: 'max_customer_offer', descending: true }] })
  assert.equal(places.length, brands.length)
}

function collector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}
