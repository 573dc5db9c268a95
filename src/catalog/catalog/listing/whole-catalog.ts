import { setImmediate } from 'node:timers/promises'
import type { Day } from '../../../platform/calendar.ts'
import { lookUp } from '../../../platform/sharded-map.ts'
import type { Brand, Category } from '../catalog.ts'
import type { Catalog } from '../table/assemble.ts'
import { BLOCK_BRANDS, type Block, dayNumber } from '../table/block.ts'

// The operators' view of the loaded catalog: every brand, including retired ones, no matter who carries it.

export type BrandOfCatalog = {
  readonly brand: Brand
  readonly category: string
  /** Offers that are not retired. `liveOffers` counts the ones valid on the day. */
  readonly offers: number
  readonly liveOffers: number
}
type CatalogBrandFilter = {
  readonly categoryId: number | null
  /** Matches part of a name, alias, domain or website, or the whole id. */
  readonly text: string | null
}

/** Returns a page of brands in catalog order, and the total count. */
export async function listBrands(
  catalog: Catalog,
  { categoryId, text }: CatalogBrandFilter,
  day: Day,
  { offset, size }: { readonly offset: number; readonly size: number },
): Promise<{ readonly brands: readonly BrandOfCatalog[]; readonly total: number }> {
  const wanted = text?.toLowerCase() ?? null
  const brands: BrandOfCatalog[] = []
  let total = 0
  for await (const block of eachBlock(catalog))
    for (const [at, brand] of block.brands.entries()) {
      if (categoryId !== null && brand.categoryId !== categoryId) continue
      if (wanted !== null && !isCalled(brand, wanted)) continue
      if (total >= offset && brands.length < size) brands.push(shownBrand(catalog, brand, offersAt(block, at, day)))
      total++
    }
  return { brands, total }
}

/** Returns a brand, retired or not; null if there is none. */
export function findBrandOfCatalog(catalog: Catalog, brandUid: string, day: Day): BrandOfCatalog | null {
  const brand = catalog.brands.get(brandUid)
  const place = lookUp(catalog.table.placeOf, brandUid)
  const block = place === undefined ? undefined : catalog.table.blocks[Math.floor(place / BLOCK_BRANDS)]
  if (brand === undefined || place === undefined || block === undefined) return null
  return shownBrand(catalog, brand, offersAt(block, place % BLOCK_BRANDS, day))
}

export type CategoryCounts = Category & { readonly brands: number; readonly liveOffers: number }

/** Lists all categories by id, counting their brands that are not retired and those brands' offers valid on the day. */
export async function countByCategory(catalog: Catalog, day: Day): Promise<CategoryCounts[]> {
  const counts = new Map(catalog.categories.map(({ categoryId }) => [categoryId, { ...NONE }]))
  for await (const block of eachBlock(catalog))
    for (const [at, brand] of block.brands.entries()) {
      const count = brand.retired ? undefined : counts.get(brand.categoryId)
      if (count === undefined) continue
      count.brands++
      count.liveOffers += offersAt(block, at, day).live
    }
  return catalog.categories
    .map((category) => ({ ...category, ...(counts.get(category.categoryId) ?? NONE) }))
    .toSorted((a, b) => a.categoryId - b.categoryId)
}

const NONE = { brands: 0, liveOffers: 0 }

// Searching this many takes a few milliseconds.
const BLOCKS_AT_ONCE = 50

/** Yields all blocks and lets other work run in between. */
async function* eachBlock({ table }: Catalog): AsyncGenerator<Block> {
  for (const [index, block] of table.blocks.entries()) {
    if (index % BLOCKS_AT_ONCE === BLOCKS_AT_ONCE - 1) await setImmediate()
    yield block
  }
}

function isCalled({ brandUid, name, aliases, domains, website }: Brand, text: string): boolean {
  const has = (known: string) => known.toLowerCase().includes(text)
  return (
    brandUid.toLowerCase() === text ||
    has(name) ||
    aliases.some(has) ||
    domains.some(has) ||
    (website !== null && has(website))
  )
}

type Counted = { readonly all: number; readonly live: number }

function shownBrand({ categories }: Catalog, brand: Brand, { all, live }: Counted): BrandOfCatalog {
  const known = categories.find(({ categoryId }) => categoryId === brand.categoryId)
  // A retired brand offers nothing to anyone.
  return { brand, category: known?.category ?? '', offers: all, liveOffers: brand.retired ? 0 : live }
}

/** Counts the offers of a brand by column, which takes a hundredth of the time of visiting each offer. */
function offersAt({ offerFrom, starts, ends }: Block, at: number, day: Day): Counted {
  const today = dayNumber(day)
  const [from, until] = [offerFrom[at] ?? 0, offerFrom[at + 1] ?? 0]
  let live = 0
  for (let offer = from; offer < until; offer++)
    if ((starts[offer] ?? 0) <= today && today <= (ends[offer] ?? 0)) live++
  return { all: until - from, live }
}
