import type { Day } from '../../platform/calendar.ts'
import { metresOf } from '../../platform/chords.ts'
import { compare } from '../../platform/compare.ts'
import type { SortField } from '../../platform/http/index.ts'
import { lookUp } from '../../platform/sharded-map.ts'
import type { Assortment } from '../assortment/assortment.ts'
import type { OfferType } from '../offer.ts'
import { relevancesIn, type Search, searchOf } from '../search/search.ts'
import { BLOCK_BRANDS, type Block, dayNumber, typeBits } from '../table/block.ts'
import type { BrandTable } from '../table/brand-table.ts'
import { reusedColumn } from '../table/reused-column.ts'
import { inOrderOf, type SortKeys, sortBy } from '../table/sort.ts'
import { type BlockView, bestOffer, createTerms } from './block-terms.ts'
import { chordTo, type LocationFilter, matchesLocation } from './location-filter.ts'
import { excludedFor, type UserFilter } from './user-filter.ts'

export const BRAND_SORTS = ['name', 'category_id', 'category', 'max_customer_offer', 'brand_uid', 'distance'] as const
export type BrandSort = (typeof BRAND_SORTS)[number]

export type BrandFilter = {
  readonly categoryId: number | null
  readonly offerTypes: readonly OfferType[]
  readonly location: LocationFilter | null
  readonly searchText: string | null
  /** Only offers that end by this day, with brands sorted by their earliest end; null: all. */
  readonly endsBy: Day | null
  /** One brand instead of a search; null: all. */
  readonly brandUid: string | null
  readonly sort: readonly SortField<BrandSort>[]
  /** Points from which distances are measured; empty: no distances. */
  readonly origins: Float64Array
}
export const everything: BrandFilter = {
  categoryId: null,
  offerTypes: [],
  location: null,
  searchText: null,
  endsBy: null,
  brandUid: null,
  sort: [],
  origins: new Float64Array(0),
}
/** What a list depends on besides its filter: a publisher's catalog on a day, and one user. */
export type ListContext = { readonly assortment: Assortment; readonly day: Day; readonly personal: UserFilter }

/** The brands of a list in order, and which of their offers are listed. */
export type Selection = {
  /** Places in the brand table. */
  readonly places: Uint32Array
  brandAt(place: number): SelectedBrand
}
/** A brand as an index in its block, as are its offers. */
type SelectedBrand = {
  readonly block: Block
  readonly brand: number
  readonly offers: readonly number[]
  /** The best offer of the brand for this user, regardless of the filter: it represents the brand. -1: none. */
  readonly best: number
}

type Query = {
  readonly context: ListContext
  readonly filter: BrandFilter
  readonly types: number
  /** The day as a number, as in a block. */
  readonly endsBy: number
  readonly search: Search | null
  /** By the number of a block. */
  readonly viewOf: (number: number) => BlockView
}

/**
 * The brands that a filter asks for. Filters on offers select offers, and brands without one are left out; without such
 * a filter a brand without an offer for this user today is listed with an empty list. Every list scans the columns of
 * all blocks, which takes milliseconds at 100,000 brands with any filter, so no index has to be prepared.
 */
export function selectBrands(context: ListContext, filter: BrandFilter): Selection {
  const { table } = context.assortment.catalog
  const query = queryOf(context, filter)
  const places = placeColumn(table.count)
  const relevances = relevanceColumn(query.search === null ? 0 : table.count)
  let count = 0
  for (const number of blocksFor(table, filter)) count = collect(query, number, places, count, relevances)
  const ordered = inOrder(query, places.subarray(0, count), relevances)
  // A selection is cached; it keeps neither the search nor the views of all blocks that this query read.
  return listOf(queryOf(context, { ...filter, searchText: null }), ordered.slice())
}

/** The numbers of the blocks that can have a brand that the filter asks for. */
function blocksFor({ blocks, placeOf }: BrandTable, { brandUid }: BrandFilter): Iterable<number> {
  if (brandUid === null) return blocks.keys()
  const place = lookUp(placeOf, brandUid)
  return place === undefined ? [] : [Math.floor(place / BLOCK_BRANDS)]
}

const placeColumn = reusedColumn((length) => new Uint32Array(length))
const relevanceColumn = reusedColumn((length) => new Uint32Array(length))
const keyColumn = reusedColumn((length) => new Uint32Array(length))
const figureColumn = reusedColumn((length) => new Float64Array(length))

function queryOf(context: ListContext, filter: BrandFilter): Query {
  const { table } = context.assortment.catalog
  return {
    context,
    filter,
    types: typeBits(filter.offerTypes),
    endsBy: filter.endsBy === null ? Number.POSITIVE_INFINITY : dayNumber(filter.endsBy),
    search: filter.searchText === null ? null : searchOf(filter.searchText, table.vocabulary),
    viewOf: createViews(context),
  }
}

/** Cached, because one list asks for each block repeatedly. Columns are copied only for users with exclusions. */
function createViews({ assortment, day, personal }: ListContext): Query['viewOf'] {
  const { table } = assortment.catalog
  const termsOf = createTerms(assortment, day)
  const excludedIn = excludedFor(table, personal)
  const views: BlockView[] = []
  return (number) => {
    const known = views[number]
    if (known !== undefined) return known
    const block = table.blocks[number]
    if (block === undefined) throw new Error(`no block ${number}`)
    const { brands, offers, figures } = termsOf(block)
    const excluded = excludedIn(number)
    const listed = excluded.length === 0 ? offers : offers.slice()
    for (const at of excluded) listed[at] = 0
    const view = { block, brands, listed, figures }
    views[number] = view
    return view
  }
}

function listOf(query: Query, places: Uint32Array): Selection {
  return {
    places,
    brandAt: (place) => {
      const view = query.viewOf(Math.floor(place / BLOCK_BRANDS))
      const { block } = view
      const brand = place % BLOCK_BRANDS
      const offers: number[] = []
      for (let offer = block.offerFrom[brand] ?? 0; offer < (block.offerFrom[brand + 1] ?? 0); offer++)
        if (isWanted(query, view, offer)) offers.push(offer)
      return { block, brand, offers, best: bestOffer(view, brand) }
    },
  }
}

/** Adds the places of the brands of a block that fit. @returns the number of places so far */
function collect(query: Query, number: number, places: Uint32Array, before: number, relevances: Uint32Array): number {
  const { filter, search } = query
  const view = query.viewOf(number)
  const { block, brands } = view
  const asksForOffers = query.types !== 0 || filter.location !== null || filter.endsBy !== null
  const relevant = search === null ? null : relevancesIn(block, view.listed, search)
  let found = before
  for (let brand = 0; brand < block.brands.length; brand++) {
    if (brands[brand] !== 1 || (filter.categoryId !== null && block.categories[brand] !== filter.categoryId)) continue
    if (filter.brandUid !== null && block.brands[brand]?.brandUid !== filter.brandUid) continue
    const relevance = relevant?.[brand] ?? 0
    if (relevant !== null && relevance === 0) continue
    if (asksForOffers && !hasOffer(query, view, brand)) continue
    const place = number * BLOCK_BRANDS + brand
    if (relevant !== null) relevances[place] = relevance
    places[found++] = place
  }
  return found
}

function hasOffer(query: Query, view: BlockView, brand: number): boolean {
  const { offerFrom } = view.block
  for (let offer = offerFrom[brand] ?? 0; offer < (offerFrom[brand + 1] ?? 0); offer++)
    if (isWanted(query, view, offer)) return true
  return false
}

/** Whether the offer is listed for the user and passes the filter. */
function isWanted({ filter, types, endsBy }: Query, { block, listed }: BlockView, offer: number): boolean {
  if (listed[offer] === 0 || (types !== 0 && ((block.traits[offer] ?? 0) & types) === 0)) return false
  if ((block.ends[offer] ?? 0) > endsBy) return false
  return filter.location === null || matchesLocation(block, offer, filter.location)
}

/**
 * Sorted by the requested fields; ids break ties in the direction of the last field. Without fields: by
 * earliest end if only ending offers are wanted, by relevance, then in the publisher's order of categories.
 */
function inOrder(query: Query, places: Uint32Array, relevances: Uint32Array): Uint32Array {
  const { assortment } = query.context
  const { sort } = query.filter
  const last = sort.at(-1)
  if (last !== undefined) {
    const { byName, byUid } = assortment.catalog.table
    const isOrdered = last.field === 'name' || last.field === 'brand_uid'
    const ordered = inOrderOf(last.field === 'name' ? byName : byUid, places, last.descending)
    for (const { field, descending } of (isOrdered ? sort.slice(0, -1) : sort).toReversed())
      sortBy(ordered, keysOf(query, field, places, descending), descending)
    return ordered
  }
  const order = new Map(assortment.categoryOrder.map((categoryId, at) => [categoryId, at]))
  if (order.size > 0) sortBy(places, categoryKeys(query, order), false)
  if (query.search !== null) sortBy(places, relevances, false)
  if (query.filter.endsBy !== null) sortBy(places, endKeys(query, places), false)
  return places
}

function keysOf(query: Query, field: BrandSort, places: Uint32Array, descending: boolean): SortKeys {
  const { table, categories } = query.context.assortment.catalog
  switch (field) {
    case 'name':
      return table.byName.ranks
    case 'brand_uid':
      return table.byUid.ranks
    case 'category_id':
      return categoryKeys(query, new Map(categories.map(({ categoryId }) => [categoryId, categoryId])))
    case 'category': {
      const names = [...new Set(categories.map(({ category }) => category))].sort(compare)
      const ranks = categories.map(({ categoryId, category }) => [categoryId, names.indexOf(category)] as const)
      return categoryKeys(query, new Map(ranks))
    }
    case 'max_customer_offer':
      return highestKeys(query)
    case 'distance':
      return distanceKeys(query, places, descending)
  }
}

/** Brands of unnamed categories come last. */
function categoryKeys(query: Query, keyOf: ReadonlyMap<number, number>): SortKeys {
  const { blocks, count } = query.context.assortment.catalog.table
  const keys = keyColumn(count)
  for (const [number, { categories }] of blocks.entries()) {
    for (let brand = 0; brand < categories.length; brand++)
      keys[number * BLOCK_BRANDS + brand] = keyOf.get(categories[brand] ?? 0) ?? keyOf.size
  }
  return keys
}

/** Sort keys: the day on which the earliest of the wanted offers ends. */
function endKeys(query: Query, places: Uint32Array): SortKeys {
  const keys = keyColumn(query.context.assortment.catalog.table.count)
  for (const place of places) {
    const view = query.viewOf(Math.floor(place / BLOCK_BRANDS))
    const { ends, offerFrom } = view.block
    const brand = place % BLOCK_BRANDS
    let first = Number.POSITIVE_INFINITY
    for (let offer = offerFrom[brand] ?? 0; offer < (offerFrom[brand + 1] ?? 0); offer++)
      if (isWanted(query, view, offer)) first = Math.min(first, ends[offer] ?? first)
    keys[place] = first
  }
  return keys
}

function highestKeys({ context, viewOf }: Query): SortKeys {
  const { blocks, count } = context.assortment.catalog.table
  const keys = figureColumn(count)
  // Block by block, because brands and offers of one block are close in memory.
  for (const [number, { brands }] of blocks.entries()) {
    const view = viewOf(number)
    const figures = view.figures()
    for (let brand = 0; brand < brands.length; brand++) {
      const best = bestOffer(view, brand)
      // Brands without an offer come before those whose offers pay nothing.
      keys[number * BLOCK_BRANDS + brand] = best === -1 ? 0 : (figures[best] ?? 0) + 1
    }
  }
  return keys
}

// Farther than any two places are apart.
const NOWHERE_METRES = 30_000_000

/**
 * Whole metres to the nearest store of the listed offers. Brands without a known place come last in either direction.
 */
function distanceKeys(query: Query, places: Uint32Array, descending: boolean): SortKeys {
  const keys = keyColumn(query.context.assortment.catalog.table.count)
  for (const place of places) {
    const metres = metresOf(nearestChord(query, query.viewOf(Math.floor(place / BLOCK_BRANDS)), place % BLOCK_BRANDS))
    keys[place] = metres === null ? (descending ? 0 : NOWHERE_METRES) : descending ? metres + 1 : metres
  }
  return keys
}

/** The squared chord to the nearest store of the wanted offers. */
function nearestChord(query: Query, view: BlockView, brand: number): number {
  const { offerFrom, stores } = view.block
  const from = offerFrom[brand] ?? 0
  const end = offerFrom[brand + 1] ?? 0
  let least = Number.POSITIVE_INFINITY
  if (stores.storeFrom[from] === stores.storeFrom[end]) return least
  for (let offer = from; offer < end; offer++)
    if (isWanted(query, view, offer)) least = Math.min(least, chordTo(view.block, offer, query.filter.origins))
  return least
}
