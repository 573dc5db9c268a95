import { BLOCK_BRANDS, type Block, blockOf, type Shared } from './block.ts'
import type { Brand, CatalogOffer } from './catalog.ts'
import { createCommissions } from './commissions.ts'
import { emptyLookup, type SharedLookup } from './lookup.ts'
import { changedOrder, noOrder, type TextOrder } from './orders.ts'
import { createVocabulary } from './words.ts'

/**
 * The brands with their offers in blocks. A brand keeps its place for good, and places follow the catalog's order. States of a
 * catalog share the blocks that did not change between them.
 */
export type Stock = Shared & {
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

export function emptyStock(): Stock {
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

export function brandAt({ blocks }: Pick<Stock, 'blocks'>, place: number): Brand | undefined {
  return blocks[Math.floor(place / BLOCK_BRANDS)]?.brands[place % BLOCK_BRANDS]
}

export function brandIn(stock: Stock, brandUid: string): Brand | undefined {
  const place = stock.placeOf.get(brandUid)
  return place === undefined ? undefined : brandAt(stock, place)
}

export function liveOffersOf(stock: Stock, brandUid: string): readonly CatalogOffer[] {
  const place = stock.placeOf.get(brandUid)
  if (place === undefined) return NONE
  const block = stock.blocks[Math.floor(place / BLOCK_BRANDS)]
  const at = place % BLOCK_BRANDS
  return block?.live[at] === 1 ? (block.offersOfBrand[at] ?? NONE) : NONE
}

const NONE: readonly CatalogOffer[] = []

/** Lower case, for names are sorted as people look them up. */
export function sortedName(brand: Brand | undefined): string {
  return brand?.name.toLowerCase() ?? ''
}

/**
 * The stock with these brands and offers added or changed, in small steps; what was stays as it was. Null if a new brand would
 * stand before old ones: then the stock must be made from nothing.
 */
export async function changedStock(
  before: Stock,
  brands: readonly Brand[],
  offers: readonly CatalogOffer[],
  pause: Pause,
): Promise<Stock | null> {
  const rows = new Map<number, Brand>()
  const added = new Map<string, number>()
  let lastOrdinal = brandAt(before, before.count - 1)?.ordinal ?? Number.NEGATIVE_INFINITY
  for (const brand of brands.toSorted((a, b) => a.ordinal - b.ordinal)) {
    const known = before.placeOf.get(brand.brandUid)
    if (known === undefined) {
      if (brand.ordinal <= lastOrdinal) return null
      lastOrdinal = brand.ordinal
      added.set(brand.brandUid, before.count + added.size)
    }
    rows.set(known ?? before.count + added.size - 1, brand)
  }
  const count = before.count + added.size
  const placeOf = added.size === 0 ? before.placeOf : before.placeOf.with(added)
  const lists = offerLists(before, offers, placeOf)
  const touched = new Set([...rows.keys(), ...lists.keys()].map((place) => Math.floor(place / BLOCK_BRANDS)))
  const blocks = [...before.blocks]
  for (const at of touched) {
    blocks[at] = changedBlock(before, at, rows, lists)
    await pause()
  }
  const stock = { ...before, blocks, count, placeOf }
  const renamed = new Set(
    [...rows].filter(([place, row]) => sortedName(brandAt(before, place)) !== sortedName(row)).map(([place]) => place),
  )
  for (const place of added.values()) renamed.add(place)
  const nameOf = (place: number): string => sortedName(brandAt(stock, place))
  const uidOf = (place: number): string => brandAt(stock, place)?.brandUid ?? ''
  return {
    ...stock,
    offers: before.offers.with(offers.map((offer) => [offer.offerUid, offer])),
    byName: renamed.size === 0 ? before.byName : await changedOrder(before.byName, count, nameOf, renamed, pause),
    byUid:
      added.size === 0 ? before.byUid : await changedOrder(before.byUid, count, uidOf, new Set(added.values()), pause),
  }
}

/** The lists of offers that change, by the place of the brand; an offer can leave one brand for another. */
function offerLists(
  before: Stock,
  offers: readonly CatalogOffer[],
  placeOf: SharedLookup<number>,
): ReadonlyMap<number, readonly CatalogOffer[]> {
  const gone = new Map<number, Set<string>>()
  const come = new Map<number, CatalogOffer[]>()
  for (const offer of offers) {
    const old = before.offers.get(offer.offerUid)
    const from = old === undefined ? undefined : placeOf.get(old.brandUid)
    if (from !== undefined) gone.set(from, (gone.get(from) ?? new Set()).add(offer.offerUid))
    const to = placeOf.get(offer.brandUid)
    if (to === undefined || offer.retired) continue
    const list = come.get(to)
    if (list === undefined) come.set(to, [offer])
    else list.push(offer)
  }
  const places = [...new Set([...gone.keys(), ...come.keys()])]
  return new Map(
    places.map((place) => {
      const kept = (offersAt(before, place) ?? NONE).filter(({ offerUid }) => gone.get(place)?.has(offerUid) !== true)
      return [place, [...kept, ...(come.get(place) ?? NONE)].sort((a, b) => a.ordinal - b.ordinal)]
    }),
  )
}

function offersAt({ blocks }: Stock, place: number): readonly CatalogOffer[] | undefined {
  return blocks[Math.floor(place / BLOCK_BRANDS)]?.offersOfBrand[place % BLOCK_BRANDS]
}

function changedBlock(
  before: Stock,
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
