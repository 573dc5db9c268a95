import { draftMap, emptyMap, lookUp, type ShardedMap } from '../../../platform/sharded-map.ts'
import type { Brand, CatalogOffer } from '../catalog.ts'
import { BLOCK_BRANDS, type Block, buildBlock } from './block.ts'
import { noOrder, type TextOrder, updateOrder } from './sort.ts'
import { createVocabulary, type Vocabulary } from './vocabulary.ts'

/**
 * The brands and their offers, in blocks. A brand's place never changes, and places follow catalog order. Catalog
 * states share the blocks that did not change between them.
 */
export type BrandTable = {
  readonly vocabulary: Vocabulary
  /** The number of words when all rows were loaded. */
  readonly wordsAtFirst: number
  readonly blocks: readonly Block[]
  /** The number of places, including retired brands. */
  readonly count: number
  readonly placesByUid: ShardedMap<number>
  readonly offers: ShardedMap<CatalogOffer>
  readonly byName: TextOrder
  readonly byUid: TextOrder
}

/** Yields to other work. */
export type Pause = () => Promise<void>

export function createEmptyTable(): BrandTable {
  return {
    vocabulary: createVocabulary(),
    wordsAtFirst: 0,
    blocks: [],
    count: 0,
    placesByUid: emptyMap,
    offers: emptyMap,
    byName: noOrder,
    byUid: noOrder,
  }
}

function brandAt({ blocks }: Pick<BrandTable, 'blocks'>, place: number): Brand | undefined {
  return blocks[Math.floor(place / BLOCK_BRANDS)]?.brands[place % BLOCK_BRANDS]
}

export function findBrand(table: BrandTable, brandUid: string): Brand | undefined {
  const place = lookUp(table.placesByUid, brandUid)
  return place === undefined ? undefined : brandAt(table, place)
}

/** Returns a brand's offers that are not retired. A retired brand has none. */
export function getLiveOffers(table: BrandTable, brandUid: string): readonly CatalogOffer[] {
  const place = lookUp(table.placesByUid, brandUid)
  return place === undefined || brandAt(table, place)?.retired === true ? [] : offersAt(table, place)
}

// Processing this many rows takes a few milliseconds.
const ROWS_AT_ONCE = 2_000

/**
 * Returns the table with these brands and offers added or changed, working in small steps. The previous table stays
 * unchanged. Returns null if a new brand precedes existing ones in catalog order, in which case the table must be
 * rebuilt from all rows.
 */
export async function updateTable(
  before: BrandTable,
  brands: readonly Brand[],
  offers: readonly CatalogOffer[],
  pause: Pause,
): Promise<BrandTable | null> {
  const placed = await placeBrands(before, brands, pause)
  if (placed === null) return null
  const { rows, count, placesByUid } = placed
  const { lists, byUid: offersByUid } = await placeOffers(before, offers, placesByUid, pause)
  const blocks = [...before.blocks]
  for (const at of new Set([...rows.keys(), ...lists.keys()].map((place) => Math.floor(place / BLOCK_BRANDS)))) {
    blocks[at] = changedBlock(before, at, rows, lists)
    await pause()
  }
  const uids = mapTexts(rows, ({ brandUid }) => brandUid)
  const byUid = await updateOrder(before.byUid, uids, NO_RANKS, pause)
  // Names sort case-insensitively, because that is how people look them up.
  const names = mapTexts(rows, ({ name }) => name.toLowerCase())
  const byName = await updateOrder(before.byName, names, byUid.ranks, pause)
  return { ...before, blocks, count, placesByUid, offers: offersByUid, byName, byUid }
}

const NO_RANKS = new Uint32Array(0)

function mapTexts(rows: ReadonlyMap<number, Brand>, toText: (brand: Brand) => string): Map<number, string> {
  return new Map([...rows].map(([place, brand]) => [place, toText(brand)]))
}

/** Assigns places to brands. New brands come after existing ones. */
async function placeBrands(before: BrandTable, brands: readonly Brand[], pause: Pause) {
  const rows = new Map<number, Brand>()
  const placesByUid = draftMap(before.placesByUid)
  let count = before.count
  let lastOrdinal = brandAt(before, count - 1)?.ordinal ?? Number.NEGATIVE_INFINITY
  for (const [index, brand] of brands.toSorted((a, b) => a.ordinal - b.ordinal).entries()) {
    if (index % ROWS_AT_ONCE === 0) await pause()
    const known = lookUp(before.placesByUid, brand.brandUid)
    const place = known ?? count
    if (known === undefined) {
      if (brand.ordinal <= lastOrdinal) return null
      lastOrdinal = brand.ordinal
      placesByUid.set(brand.brandUid, place)
      count++
    }
    rows.set(place, brand)
  }
  return { rows, count, placesByUid: placesByUid.done() }
}

/**
 * Assigns offers to their brands. An offer never changes brands, because imports reject such a move.
 * @returns the changed offer lists, keyed by the place of their brand, oldest first and without retired offers, and all
 * offers by uid.
 */
async function placeOffers(
  before: BrandTable,
  offers: readonly CatalogOffer[],
  placesByUid: ShardedMap<number>,
  pause: Pause,
) {
  const byUid = draftMap(before.offers)
  const lists = new Map<number, CatalogOffer[]>()
  for (const [index, offer] of offers.entries()) {
    if (index % ROWS_AT_ONCE === 0) await pause()
    byUid.set(offer.offerUid, offer)
    const place = lookUp(placesByUid, offer.brandUid)
    if (place === undefined) continue
    const list = lists.get(place) ?? []
    lists.set(place, list)
    list.push(offer)
  }
  for (const [index, [place, changed]] of [...lists].entries()) {
    if (index % ROWS_AT_ONCE === 0) await pause()
    const changedUids = new Set(changed.map(({ offerUid }) => offerUid))
    const kept = offersAt(before, place).filter(({ offerUid }) => !changedUids.has(offerUid))
    const live = [...kept, ...changed.filter(({ retired }) => !retired)]
    lists.set(
      place,
      live.sort((a, b) => a.ordinal - b.ordinal),
    )
  }
  return { lists, byUid: byUid.done() }
}

function offersAt({ blocks }: BrandTable, place: number): readonly CatalogOffer[] {
  const block = blocks[Math.floor(place / BLOCK_BRANDS)]
  const brand = place % BLOCK_BRANDS
  return block?.offers.slice(block.offerFrom[brand] ?? block.offers.length, block.offerFrom[brand + 1]) ?? []
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
    offers.push(lists.get(place) ?? offersAt(before, place))
  }
  return buildBlock(brands, offers, before.vocabulary)
}
