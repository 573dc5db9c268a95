import { setImmediate } from 'node:timers/promises'
import type { Day } from '../../../platform/calendar.ts'
import type { Category } from '../catalog.ts'
import type { Catalog } from '../table/assemble.ts'
import { type Block, encodeDay } from '../table/block.ts'

type CategoryCounts = Category & { readonly brands: number; readonly liveOffers: number }

/**
 * Lists all categories by id, with the number of their brands that are not retired and of those brands' offers that are
 * valid on the day.
 */
export async function countByCategory(catalog: Catalog, day: Day): Promise<CategoryCounts[]> {
  const counts = new Map(catalog.categories.map(({ categoryId }) => [categoryId, { ...NONE }]))
  for (const [index, block] of catalog.table.blocks.entries()) {
    // Lets other work run in between.
    if (index % BLOCKS_AT_ONCE === BLOCKS_AT_ONCE - 1) await setImmediate()
    for (const [at, brand] of block.brands.entries()) {
      const count = brand.retired ? undefined : counts.get(brand.categoryId)
      if (count === undefined) continue
      count.brands++
      count.liveOffers += liveOffersAt(block, at, day)
    }
  }
  return catalog.categories
    .map((category) => ({ ...category, ...(counts.get(category.categoryId) ?? NONE) }))
    .toSorted((a, b) => a.categoryId - b.categoryId)
}

const NONE = { brands: 0, liveOffers: 0 }

// Counting this many takes a few milliseconds.
const BLOCKS_AT_ONCE = 50

/** Counts the live offers of a brand by scanning columns, which is a hundred times faster than visiting each offer. */
function liveOffersAt({ offerFrom, starts, ends }: Block, at: number, day: Day): number {
  const today = encodeDay(day)
  let live = 0
  for (let offer = offerFrom[at] ?? 0; offer < (offerFrom[at + 1] ?? 0); offer++)
    if ((starts[offer] ?? 0) <= today && today <= (ends[offer] ?? 0)) live++
  return live
}
