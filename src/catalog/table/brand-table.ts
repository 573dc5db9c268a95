import type { Brand, CatalogOffer } from '../catalog.ts'
import { createVocabulary } from '../search/vocabulary.ts'
import { BLOCK_BRANDS, type Block, blockOf, type Shared } from './block.ts'
import { createCommissions } from './commission-figures.ts'
import { emptyLookup, type SharedLookup } from './persistent-map.ts'
import { changedOrder, noOrder, type TextOrder } from './sort.ts'

/**
 * The brands with their offers in blocks. A brand keeps its place for good, and places follow the catalog's order. States of a
 * catalog share the blocks that did not change between them.
 */
export type BrandTable = Shared & {
  readonly blocks: readonly Block[]
  /** How many places there are, those of retired brands among them. */
  readonly count: number
  readonly placeOf: SharedLookup<number>
  readonly offers: SharedLookup<CatalogOffer>
  readonly byName: TextOrder
  readonly byUid: TextOrder
}

/** Lets what waits go first. */
export type Pause = () => Promise<void>

export function emptyTable(): BrandTable {
  return {
    vocabulary: createVocabulary(),
    commissions: createCommissions(),
    blocks: [],
    count: 0,
    placeOf: emptyLookup(),
    offers: emptyLookup(),
    byName: noOrder,
    byUid: noOrder,
  }
}

export function brandAt({ blocks }: Pick<BrandTable, 'blocks'>, place: number): Brand | undefined {
  return blocks[Math.floor(place / BLOCK_BRANDS)]?.brands[place % BLOCK_BRANDS]
}

export function brandIn(table: BrandTable, brandUid: string): Brand | undefined {
  const place = table.placeOf.get(brandUid)
  return place === undefined ? undefined : brandAt(table, place)
}

export function liveOffersOf(table: BrandTable, brandUid: string): readonly CatalogOffer[] {
  const place = table.placeOf.get(brandUid)
  if (place === undefined) return NONE
  const block = table.blocks[Math.floor(place / BLOCK_BRANDS)]
  const at = place % BLOCK_BRANDS
  return block?.live[at] === 1 ? (block.offersOfBrand[at] ?? NONE) : NONE
}

const NONE: readonly CatalogOffer[] = []

/** Lower case, for names are sorted as people look them up. */
export function sortedName(brand: Brand | undefined): string {
  return brand?.name.toLowerCase() ?? ''
}

// Looking at so many rows holds everything else up for some milliseconds.
const ROWS_AT_ONCE = 2_000

/**
 * The table with these brands and offers added or changed, in small steps; what was stays as it was. Null if a new brand would
 * stand before old ones: then the table must be made from nothing.
 */
export async function changedTable(
  before: BrandTable,
  brands: readonly Brand[],
  offers: readonly CatalogOffer[],
  pause: Pause,
): Promise<BrandTable | null> {
  const placed = await placeBrands(before, brands, pause)
  if (placed === null) return null
  const { rows, count, placeOf, renamed } = placed
  const { lists, byUid: offersByUid } = await placeOffers(before, offers, placeOf, pause)
  const touched = new Set([...rows.keys(), ...lists.keys()].map((place) => Math.floor(place / BLOCK_BRANDS)))
  const blocks = [...before.blocks]
  for (const at of touched) {
    blocks[at] = changedBlock(before, at, rows, lists)
    await pause()
  }
  const table = { ...before, blocks, count, placeOf, offers: offersByUid }
  const idOf = (place: number): string => brandAt(table, place)?.brandUid ?? ''
  const names = { textOf: (place: number): string => sortedName(brandAt(table, place)), idOf }
  const ids = { textOf: idOf, idOf: () => '' }
  const added = new Set([...rows.keys()].filter((place) => place >= before.count))
  return {
    ...table,
    byName: renamed.size === 0 ? before.byName : await changedOrder(before.byName, count, names, renamed, pause),
    byUid: added.size === 0 ? before.byUid : await changedOrder(before.byUid, count, ids, added, pause),
  }
}

type PlacedBrands = Pick<BrandTable, 'count' | 'placeOf'> & {
  readonly rows: ReadonlyMap<number, Brand>
  /** The places whose names are others than before. */
  readonly renamed: ReadonlySet<number>
}

/** New brands stand after the old ones. */
async function placeBrands(before: BrandTable, brands: readonly Brand[], pause: Pause): Promise<PlacedBrands | null> {
  const rows = new Map<number, Brand>()
  const renamed = new Set<number>()
  const placeOf = before.placeOf.draft()
  let count = before.count
  let lastOrdinal = brandAt(before, count - 1)?.ordinal ?? Number.NEGATIVE_INFINITY
  for (const [index, brand] of brands.toSorted((a, b) => a.ordinal - b.ordinal).entries()) {
    if (index % ROWS_AT_ONCE === 0) await pause()
    const known = before.placeOf.get(brand.brandUid)
    const place = known ?? count
    if (known === undefined) {
      if (brand.ordinal <= lastOrdinal) return null
      lastOrdinal = brand.ordinal
      placeOf.set(brand.brandUid, place)
      count++
    }
    if (known === undefined || sortedName(brandAt(before, known)) !== sortedName(brand)) renamed.add(place)
    rows.set(place, brand)
  }
  return { rows, count, placeOf: count === before.count ? before.placeOf : placeOf.done(), renamed }
}

type PlacedOffers = {
  /** The lists of offers that change, by the place of the brand. */
  readonly lists: ReadonlyMap<number, readonly CatalogOffer[]>
  readonly byUid: SharedLookup<CatalogOffer>
}

/** An offer can leave one brand for another, so both are looked at. */
async function placeOffers(
  before: BrandTable,
  offers: readonly CatalogOffer[],
  placeOf: SharedLookup<number>,
  pause: Pause,
): Promise<PlacedOffers> {
  const byUid = before.offers.draft()
  const left = new Map<number, Set<string>>()
  const lists = new Map<number, CatalogOffer[]>()
  const listAt = (place: number): CatalogOffer[] => {
    const known = lists.get(place)
    if (known !== undefined) return known
    const fresh: CatalogOffer[] = []
    lists.set(place, fresh)
    return fresh
  }
  for (const [index, offer] of offers.entries()) {
    if (index % ROWS_AT_ONCE === 0) await pause()
    byUid.set(offer.offerUid, offer)
    const old = before.offers.get(offer.offerUid)
    const from = old === undefined ? undefined : placeOf.get(old.brandUid)
    if (from !== undefined) {
      listAt(from)
      left.set(from, (left.get(from) ?? new Set()).add(offer.offerUid))
    }
    const to = placeOf.get(offer.brandUid)
    if (to !== undefined && !offer.retired) listAt(to).push(offer)
  }
  let looked = 0
  for (const [place, list] of lists) {
    if (looked++ % ROWS_AT_ONCE === 0) await pause()
    const gone = left.get(place)
    for (const offer of offersAt(before, place) ?? NONE) if (gone?.has(offer.offerUid) !== true) list.push(offer)
    list.sort((a, b) => a.ordinal - b.ordinal)
  }
  return { lists, byUid: byUid.done() }
}

function offersAt({ blocks }: BrandTable, place: number): readonly CatalogOffer[] | undefined {
  return blocks[Math.floor(place / BLOCK_BRANDS)]?.offersOfBrand[place % BLOCK_BRANDS]
}

function changedBlock(
  before: BrandTable,
  at: number,
  rows: ReadonlyMap<number, Brand>,
  lists: ReadonlyMap<number, readonly CatalogOffer[]>,
): Block {
  const brands: Brand[] = []
  const offers: (readonly CatalogOffer[])[] = []
  for (let place = at * BLOCK_BRANDS; place < (at + 1) * BLOCK_BRANDS; place++) {
    const brand = rows.get(place) ?? brandAt(before, place)
    if (brand === undefined) break
    brands.push(brand)
    offers.push(lists.get(place) ?? offersAt(before, place) ?? NONE)
  }
  return blockOf(brands, offers, before)
}
