import type { Day } from '../../../platform/calendar.ts'
import { compare } from '../../../platform/compare.ts'
import type { SortField } from '../../../platform/http/index.ts'
import { lookUp } from '../../../platform/sharded-map.ts'
import type { Assortment } from '../assortment/assortment.ts'
import { toMetres } from '../chords.ts'
import type { OfferType } from '../offer.ts'
import { parseSearch, rateRelevances, type Search } from '../search/search.ts'
import { BLOCK_BRANDS, type Block, encodeDay, encodeTypes } from '../table/block.ts'
import type { BrandTable } from '../table/brand-table.ts'
import { reusedColumn } from '../table/reused-column.ts'
import { type SortKeys, selectInOrder, sortBy } from '../table/sort.ts'
import { type BlockView, createTerms, findBestOffer } from './block-terms.ts'
import { computeChordTo, type LocationFilter, matchesLocation } from './location-filter.ts'
import { createExclusion, type UserFilter } from './user-filter.ts'

export const BRAND_SORTS = ['name', 'category_id', 'category', 'max_customer_offer', 'brand_uid', 'distance'] as const
export type BrandSort = (typeof BRAND_SORTS)[number]

export type BrandFilter = {
  readonly categoryId: number | null
  readonly offerTypes: readonly OfferType[]
  readonly location: LocationFilter | null
  readonly searchText: string | null
  /** Only offers that end by this day, with brands sorted by their earliest end; null for all. */
  readonly endsBy: Day | null
  /** A single brand instead of a search; null for all. */
  readonly brandUid: string | null
  readonly sort: readonly SortField<BrandSort>[]
  /** Points to measure distances from. Empty if none are needed. */
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
/** Everything a list depends on except its filter: a publisher's catalog on a given day, and one user. */
export type ListContext = { readonly assortment: Assortment; readonly day: Day; readonly personal: UserFilter }

/** The brands in a list, in order, and their listed offers. */
export type Selection = {
  /** Places in the brand table. */
  readonly places: Uint32Array
  brandAt(place: number): SelectedBrand
}
/** A brand and its offers, as indexes within their block. */
type SelectedBrand = {
  readonly block: Block
  readonly brand: number
  readonly offers: readonly number[]
  /** The brand's best offer for this user, which represents the brand regardless of the filter; -1 if there is none. */
  readonly best: number
}

type Query = {
  readonly context: ListContext
  readonly filter: BrandFilter
  readonly types: number
  /** The day, encoded as in a block. */
  readonly endsBy: number
  readonly search: Search | null
  /** Returns the view of the block with this number. */
  readonly getView: (number: number) => BlockView
}

/**
 * Selects the brands that match a filter. Filters on offers select offers and drop brands left without one. Without
 * such a filter, a brand with no offers for this user today is listed with an empty list. Unless a single brand is
 * requested, every query scans the columns of all blocks, which takes milliseconds for 100,000 brands with any filter,
 * so there are no indexes to maintain.
 */
export function selectBrands(context: ListContext, filter: BrandFilter): Selection {
  const { table } = context.assortment.catalog
  const query = buildQuery(context, filter)
  const places = placeColumn(table.count)
  const relevances = relevanceColumn(query.search === null ? 0 : table.count)
  let count = 0
  for (const number of blocksFor(table, filter)) count = collect(query, number, places, count, relevances)
  const ordered = inOrder(query, places.subarray(0, count), relevances)
  // Selections are cached, so they must not retain the search or the block views that this query read.
  return toSelection(buildQuery(context, { ...filter, searchText: null }), ordered.slice())
}

/** Returns the numbers of the blocks that might contain a matching brand. */
function blocksFor({ blocks, placesByUid }: BrandTable, { brandUid }: BrandFilter): Iterable<number> {
  if (brandUid === null) return blocks.keys()
  const place = lookUp(placesByUid, brandUid)
  return place === undefined ? [] : [Math.floor(place / BLOCK_BRANDS)]
}

const placeColumn = reusedColumn((length) => new Uint32Array(length))
const relevanceColumn = reusedColumn((length) => new Uint32Array(length))
const keyColumn = reusedColumn((length) => new Uint32Array(length))
const figureColumn = reusedColumn((length) => new Float64Array(length))

function buildQuery(context: ListContext, filter: BrandFilter): Query {
  const { table } = context.assortment.catalog
  return {
    context,
    filter,
    types: encodeTypes(filter.offerTypes),
    endsBy: filter.endsBy === null ? Number.POSITIVE_INFINITY : encodeDay(filter.endsBy),
    search: filter.searchText === null ? null : parseSearch(filter.searchText, table.vocabulary),
    getView: createViews(context),
  }
}

/** Caches views, because one list reads each block repeatedly. Copies columns only for users with exclusions. */
function createViews({ assortment, day, personal }: ListContext): Query['getView'] {
  const { table } = assortment.catalog
  const getTerms = createTerms(assortment, day)
  const excludedIn = createExclusion(table, personal)
  const views: BlockView[] = []
  return (number) => {
    const known = views[number]
    if (known !== undefined) return known
    const block = table.blocks[number]
    if (block === undefined) throw new Error(`no block ${number}`)
    const { brands, offers, figures } = getTerms(block)
    const excluded = excludedIn(number)
    const listed = excluded.length === 0 ? offers : offers.slice()
    for (const at of excluded) listed[at] = 0
    const view = { block, brands, listed, figures }
    views[number] = view
    return view
  }
}

function toSelection(query: Query, places: Uint32Array): Selection {
  return {
    places,
    brandAt: (place) => {
      const view = query.getView(Math.floor(place / BLOCK_BRANDS))
      const { block } = view
      const brand = place % BLOCK_BRANDS
      const offers: number[] = []
      for (let offer = block.offerFrom[brand] ?? 0; offer < (block.offerFrom[brand + 1] ?? 0); offer++)
        if (isWanted(query, view, offer)) offers.push(offer)
      return { block, brand, offers, best: findBestOffer(view, brand) }
    },
  }
}

/**
 * Adds the places of the matching brands in a block.
 * @returns the new number of places
 */
function collect(query: Query, number: number, places: Uint32Array, before: number, relevances: Uint32Array): number {
  const { filter, search } = query
  const view = query.getView(number)
  const { block, brands } = view
  const asksForOffers = query.types !== 0 || filter.location !== null || filter.endsBy !== null
  const relevant = search === null ? null : rateRelevances(block, view.listed, search)
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

/** Returns true if the offer is listed for the user and passes the filter. */
function isWanted({ filter, types, endsBy }: Query, { block, listed }: BlockView, offer: number): boolean {
  if (listed[offer] === 0 || (types !== 0 && ((block.traits[offer] ?? 0) & types) === 0)) return false
  if ((block.ends[offer] ?? 0) > endsBy) return false
  return filter.location === null || matchesLocation(block, offer, filter.location)
}

/**
 * Sorts by the requested fields, breaking ties by id in the direction of the last field. Without fields, sorts by
 * earliest end if only ending offers are requested, then by relevance, then by the publisher's category order.
 */
function inOrder(query: Query, places: Uint32Array, relevances: Uint32Array): Uint32Array {
  const { assortment } = query.context
  const { sort } = query.filter
  const last = sort.at(-1)
  if (last !== undefined) {
    const { byName, byUid } = assortment.catalog.table
    const isOrdered = last.field === 'name' || last.field === 'brand_uid'
    const ordered = selectInOrder(last.field === 'name' ? byName : byUid, places, last.descending)
    for (const { field, descending } of (isOrdered ? sort.slice(0, -1) : sort).toReversed())
      sortBy(ordered, computeKeys(query, field, places, descending), descending)
    return ordered
  }
  const order = new Map(assortment.categoryOrder.map((categoryId, at) => [categoryId, at]))
  if (order.size > 0) sortBy(places, categoryKeys(query, order), false)
  if (query.search !== null) sortBy(places, relevances, false)
  if (query.filter.endsBy !== null) sortBy(places, endKeys(query, places), false)
  return places
}

function computeKeys(query: Query, field: BrandSort, places: Uint32Array, descending: boolean): SortKeys {
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

/** Puts brands in unlisted categories last. */
function categoryKeys(query: Query, keyByCategory: ReadonlyMap<number, number>): SortKeys {
  const { blocks, count } = query.context.assortment.catalog.table
  const keys = keyColumn(count)
  for (const [number, { categories }] of blocks.entries()) {
    for (let brand = 0; brand < categories.length; brand++)
      keys[number * BLOCK_BRANDS + brand] = keyByCategory.get(categories[brand] ?? 0) ?? keyByCategory.size
  }
  return keys
}

/** Builds sort keys from the earliest end date among the matching offers. */
function endKeys(query: Query, places: Uint32Array): SortKeys {
  const keys = keyColumn(query.context.assortment.catalog.table.count)
  for (const place of places) {
    const view = query.getView(Math.floor(place / BLOCK_BRANDS))
    const { ends, offerFrom } = view.block
    const brand = place % BLOCK_BRANDS
    let first = Number.POSITIVE_INFINITY
    for (let offer = offerFrom[brand] ?? 0; offer < (offerFrom[brand + 1] ?? 0); offer++)
      if (isWanted(query, view, offer)) first = Math.min(first, ends[offer] ?? first)
    keys[place] = first
  }
  return keys
}

function highestKeys({ context, getView }: Query): SortKeys {
  const { blocks, count } = context.assortment.catalog.table
  const keys = figureColumn(count)
  // Proceeds block by block, because a block's brands and offers are close together in memory.
  for (const [number, { brands }] of blocks.entries()) {
    const view = getView(number)
    const figures = view.figures()
    for (let brand = 0; brand < brands.length; brand++) {
      const best = findBestOffer(view, brand)
      // Brands without an offer sort before brands whose offers pay nothing.
      keys[number * BLOCK_BRANDS + brand] = best === -1 ? 0 : (figures[best] ?? 0) + 1
    }
  }
  return keys
}

// Greater than the distance between any two places on Earth.
const NOWHERE_METRES = 30_000_000

/**
 * Builds sort keys from the distance to the nearest store of the listed offers, in whole meters. Brands without a known
 * location come last in either direction.
 */
function distanceKeys(query: Query, places: Uint32Array, descending: boolean): SortKeys {
  const keys = keyColumn(query.context.assortment.catalog.table.count)
  for (const place of places) {
    const metres = toMetres(nearestChord(query, query.getView(Math.floor(place / BLOCK_BRANDS)), place % BLOCK_BRANDS))
    keys[place] = metres === null ? (descending ? 0 : NOWHERE_METRES) : descending ? metres + 1 : metres
  }
  return keys
}

/** Returns the squared chord to the nearest store of the matching offers. */
function nearestChord(query: Query, view: BlockView, brand: number): number {
  const { offerFrom, stores } = view.block
  const from = offerFrom[brand] ?? 0
  const end = offerFrom[brand + 1] ?? 0
  let least = Number.POSITIVE_INFINITY
  if (stores.storeFrom[from] === stores.storeFrom[end]) return least
  for (let offer = from; offer < end; offer++)
    if (isWanted(query, view, offer)) least = Math.min(least, computeChordTo(view.block, offer, query.filter.origins))
  return least
}
