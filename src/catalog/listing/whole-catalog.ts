import type { Day } from '../../platform/calendar.ts'
import { lookUp } from '../../platform/sharded-map.ts'
import type { Brand, Category } from '../catalog.ts'
import type { Catalog } from '../table/assemble.ts'
import { BLOCK_BRANDS, type Block, dayNumber } from '../table/block.ts'

// What operators see of the catalog that is loaded: every brand, whoever carries it, and retired ones as well.

export type BrandOfCatalog = {
  readonly brand: Brand
  readonly category: string
  /** Offers that are not retired, and those of them that are valid on the day. */
  readonly offers: number
  readonly liveOffers: number
}
type NameFilter = {
  readonly categoryId: number | null
  /** In a name, an alias, a domain or the website; or the id. */
  readonly text: string | null
}

/** Some brands in the order of the catalog, and how many there are in all. */
export function listBrands(
  catalog: Catalog,
  { categoryId, text }: NameFilter,
  day: Day,
  { offset, size }: { readonly offset: number; readonly size: number },
): { readonly brands: readonly BrandOfCatalog[]; readonly total: number } {
  const wanted = text?.toLowerCase() ?? null
  const brands: BrandOfCatalog[] = []
  let total = 0
  for (const { block, at } of eachPlace(catalog)) {
    const brand = block.brands[at]
    if (brand === undefined || (categoryId !== null && brand.categoryId !== categoryId)) continue
    if (wanted !== null && !isCalled(brand, wanted)) continue
    if (total >= offset && brands.length < size) brands.push(shownBrand(catalog, brand, offersAt(block, at, day)))
    total++
  }
  return { brands, total }
}

/** One brand, retired or not; null: there is none. */
export function brandOfCatalog(catalog: Catalog, brandUid: string, day: Day): BrandOfCatalog | null {
  const brand = catalog.brands.get(brandUid)
  const place = lookUp(catalog.table.placeOf, brandUid)
  const block = place === undefined ? undefined : catalog.table.blocks[Math.floor(place / BLOCK_BRANDS)]
  if (brand === undefined || place === undefined || block === undefined) return null
  return shownBrand(catalog, brand, offersAt(block, place % BLOCK_BRANDS, day))
}

export type CategoryCounts = Category & { readonly brands: number; readonly liveOffers: number }

/** All categories by id, with their brands that are not retired and the offers of these that are valid on the day. */
export function countByCategory(catalog: Catalog, day: Day): CategoryCounts[] {
  const counts = new Map(catalog.categories.map(({ categoryId }) => [categoryId, { ...NONE }]))
  for (const { block, at } of eachPlace(catalog)) {
    const brand = block.brands[at]
    const count = brand === undefined || brand.retired ? undefined : counts.get(brand.categoryId)
    if (count === undefined) continue
    count.brands++
    count.liveOffers += offersAt(block, at, day).live
  }
  return catalog.categories
    .map((category) => ({ ...category, ...(counts.get(category.categoryId) ?? NONE) }))
    .toSorted((a, b) => a.categoryId - b.categoryId)
}

const NONE = { brands: 0, liveOffers: 0 }

function* eachPlace({ table }: Catalog): Generator<{ readonly block: Block; readonly at: number }> {
  for (const block of table.blocks) for (let at = 0; at < block.brands.length; at++) yield { block, at }
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
  // Those of a retired brand are offered to nobody.
  return { brand, category: known?.category ?? '', offers: all, liveOffers: brand.retired ? 0 : live }
}

/** Counts the offers of a brand in columns, which takes a hundredth of the time of looking at each. */
function offersAt({ offerFrom, starts, ends }: Block, at: number, day: Day): Counted {
  const today = dayNumber(day)
  const [from, until] = [offerFrom[at] ?? 0, offerFrom[at + 1] ?? 0]
  let live = 0
  for (let offer = from; offer < until; offer++)
    if ((starts[offer] ?? 0) <= today && today <= (ends[offer] ?? 0)) live++
  return { all: until - from, live }
}
