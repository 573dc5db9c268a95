import type { Day } from '../../platform/calendar.ts'
import type { SortField } from '../../platform/http/index.ts'
import { lookUp } from '../../platform/sharded-map.ts'
import type { Assortment } from '../assortment/assortment.ts'
import type { OfferType } from '../offer.ts'
import { relevancesIn, type Search, searchOf } from '../search/search.ts'
import { BLOCK_BRANDS, type Block, typeBits } from '../table/block.ts'
import { type BlockTerms, highestOf, termsOfBlocks } from '../table/block-terms.ts'
import { compareTexts, inOrderOf, type SortKeys, sortBy } from '../table/sort.ts'
import { metresOf } from './distance.ts'
import type { LocationFilter } from './location-filter.ts'
import { chordTo, type LocationMatch, locationMatchOf, matchesLocation } from './location-match.ts'
import { reusedColumn } from './reused-column.ts'
import { type Excluded, excludedFor, type UserFilter } from './user-view.ts'

export const BRAND_SORTS = ['name', 'category_id', 'category', 'max_customer_offer', 'brand_uid', 'distance'] as const
export type BrandSort = (typeof BRAND_SORTS)[number]

export type BrandFilter = {
  readonly categoryId: number | null
  readonly offerTypes: readonly OfferType[]
  readonly location: LocationFilter | null
  readonly searchText: string | null
  readonly sort: readonly SortField<BrandSort>[]
  /** Points from which distances are measured; empty: no distances. */
  readonly origins: Float64Array
}
/** What a list depends on beside its filter: a publisher's catalog on a day, and one user. */
export type ListContext = { readonly assortment: Assortment; readonly day: Day; readonly personal: UserFilter }

/** The brands of a list in order, and which of their offers are listed. */
export type Selection = {
  /** Places in the brand table. */
  readonly places: Uint32Array
  /** The listed offers of a brand, as indexes in its block. */
  offersAt(place: number): readonly number[]
  /** All offers of the brand for this user, whatever the filter: the best of them represents the brand. */
  allOffersAt(place: number): readonly number[]
}

type Query = {
  readonly context: ListContext
  readonly filter: BrandFilter
  readonly types: number
  readonly where: LocationMatch | null
  readonly search: Search | null
  readonly terms: readonly BlockTerms[]
  readonly excluded: Excluded
  /** For each block that was read, 1 where this user can have the offer. */
  readonly listed: (Uint8Array | undefined)[]
}

/**
 * The brands that a filter asks for. Filters on offers select offers, and brands without one are left out; without such
 * a filter a brand without an offer for this user today is listed with an empty list. Every list goes through the
 * columns of all blocks, which takes milliseconds at 100,000 brands whatever the filter, so no index has to be
 * prepared.
 */
export function selectBrands(context: ListContext, filter: BrandFilter): Selection {
  const { table } = context.assortment.catalog
  const query = queryOf(context, filter)
  const places = placeColumn(table.count)
  const relevances = relevanceColumn(query.search === null ? 0 : table.count)
  let found = 0
  table.blocks.forEach((block, number) => {
    found = collect(query, block, number, places, found, relevances)
  })
  return listOf({ ...query, search: null, listed: [] }, inOrder(query, places.subarray(0, found), relevances).slice())
}

const placeColumn = reusedColumn((length) => new Uint32Array(length))
const relevanceColumn = reusedColumn((length) => new Uint32Array(length))
const keyColumn = reusedColumn((length) => new Uint32Array(length))
const figureColumn = reusedColumn((length) => new Float64Array(length))

/** One brand, if the user can see it and the filter, apart from its search, leaves it. */
export function selectBrand(context: ListContext, filter: BrandFilter, brandUid: string): Selection {
  const { table } = context.assortment.catalog
  const place = lookUp(table.placeOf, brandUid)
  const query = { ...queryOf(context, filter), search: null }
  const number = Math.floor((place ?? 0) / BLOCK_BRANDS)
  const block = table.blocks[number]
  if (place === undefined || block === undefined) return listOf(query, new Uint32Array(0))
  const found = new Uint32Array(BLOCK_BRANDS)
  const places = found.slice(0, collect(query, block, number, found, 0, new Uint32Array(0)))
  return listOf(
    query,
    places.filter((one) => one === place),
  )
}

function queryOf(context: ListContext, filter: BrandFilter): Query {
  const { table } = context.assortment.catalog
  return {
    context,
    filter,
    types: typeBits(filter.offerTypes),
    where: filter.location === null ? null : locationMatchOf(filter.location),
    search: filter.searchText === null ? null : searchOf(filter.searchText, table.vocabulary),
    terms: termsOfBlocks(context.assortment, context.day),
    excluded: excludedFor(table, context.personal),
    listed: [],
  }
}

function listOf(query: Query, places: Uint32Array): Selection {
  const { blocks } = query.context.assortment.catalog.table
  const offersOf = (place: number, fits: typeof fitsQuery | null): readonly number[] => {
    const number = Math.floor(place / BLOCK_BRANDS)
    const block = blocks[number]
    if (block === undefined) return []
    const listed = listedIn(query, number)
    return offersIn(block, place % BLOCK_BRANDS).filter(
      (offer) => listed[offer] === 1 && (fits === null || fits(query, block, offer)),
    )
  }
  return {
    places,
    offersAt: (place) => offersOf(place, fitsQuery),
    allOffersAt: (place) => offersOf(place, null),
  }
}

/** Adds the places of a block's brands that fit. @returns the number of places then */
function collect(
  query: Query,
  block: Block,
  number: number,
  places: Uint32Array,
  before: number,
  relevances: Uint32Array,
): number {
  const { filter, search } = query
  const brands = query.terms[number]?.brands ?? NONE
  const asksForOffers = query.types !== 0 || query.where !== null
  const listed = asksForOffers || search !== null ? listedIn(query, number) : null
  const relevant = search === null || listed === null ? null : relevancesIn(block, listed, search)
  let found = before
  for (let brand = 0; brand < block.brands.length; brand++) {
    if (brands[brand] !== 1 || (filter.categoryId !== null && block.categories[brand] !== filter.categoryId)) continue
    const relevance = relevant?.[brand] ?? 0
    if (relevant !== null && relevance === 0) continue
    if (asksForOffers && listed !== null && !hasOffer(query, block, brand, listed)) continue
    const place = number * BLOCK_BRANDS + brand
    if (relevant !== null) relevances[place] = relevance
    places[found++] = place
  }
  return found
}

function hasOffer(query: Query, block: Block, brand: number, listed: Uint8Array): boolean {
  for (let offer = block.offerFrom[brand] ?? 0; offer < (block.offerFrom[brand + 1] ?? 0); offer++) {
    if (listed[offer] === 1 && fitsQuery(query, block, offer)) return true
  }
  return false
}

const NONE = new Uint8Array(0)

/** One list asks for each block repeatedly, and most users have nothing excluded. */
function listedIn({ terms, excluded, listed }: Query, number: number): Uint8Array {
  const known = listed[number]
  if (known !== undefined) return known
  const valid = terms[number]?.offers ?? NONE
  const [usedUp, tooFar] = [excluded.usedUp.get(number), excluded.tooFar[number]]
  const found = usedUp === undefined && tooFar === undefined ? valid : valid.slice()
  for (const at of usedUp ?? []) found[at] = 0
  for (const at of tooFar ?? []) found[at] = 0
  listed[number] = found
  return found
}

function fitsQuery({ types, where }: Query, block: Block, offer: number): boolean {
  return (
    (types === 0 || ((block.traits[offer] ?? 0) & types) !== 0) &&
    (where === null || matchesLocation(block, offer, where))
  )
}

function offersIn({ offerFrom }: Block, brand: number): number[] {
  const from = offerFrom[brand] ?? 0
  return Array.from({ length: (offerFrom[brand + 1] ?? 0) - from }, (_, at) => from + at)
}

/** By the fields asked for, ids breaking ties in the direction of the last; else by relevance, then as the publisher orders. */
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
  const positionOf = (categoryId: number): number => order.get(categoryId) ?? order.size
  if (order.size > 0) sortBy(places, categoryKeys(query, positionOf), false)
  if (query.search !== null) sortBy(places, relevances, false)
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
      return categoryKeys(query, (categoryId) => categoryId)
    case 'category': {
      const names = [...new Set(categories.map(({ category }) => category))].sort(compareTexts)
      const ranks = new Map(categories.map(({ categoryId, category }) => [categoryId, names.indexOf(category)]))
      return categoryKeys(query, (categoryId) => ranks.get(categoryId) ?? 0)
    }
    case 'max_customer_offer':
      return highestKeys(query)
    case 'distance':
      return distanceKeys(query, places, descending)
  }
}

function categoryKeys(query: Query, keyOf: (categoryId: number) => number): SortKeys {
  const { blocks, count } = query.context.assortment.catalog.table
  const keys = keyColumn(count)
  const known = new Map<number, number>()
  blocks.forEach(({ categories }, number) => {
    for (let brand = 0; brand < categories.length; brand++) {
      const categoryId = categories[brand] ?? 0
      const key = known.get(categoryId) ?? keyOf(categoryId)
      known.set(categoryId, key)
      keys[number * BLOCK_BRANDS + brand] = key
    }
  })
  return keys
}

function highestKeys(query: Query): SortKeys {
  const { blocks, count, commissions } = query.context.assortment.catalog.table
  const percentages = commissions.percentages()
  const keys = figureColumn(count)
  for (const [number, block] of blocks.entries()) {
    const terms = query.terms[number]
    if (terms === undefined) continue
    const listed = listedIn(query, number)
    const isWhole = listed === terms.offers
    const highest = isWhole ? terms.highest() : highestOf(block, terms.figures(), listed, percentages)
    keys.set(highest, number * BLOCK_BRANDS)
  }
  return keys
}

// Farther than any two places are apart.
const NOWHERE_METRES = 30_000_000

/**
 * Whole metres to the nearest store of the listed offers. Brands without a known place come last in either direction.
 */
function distanceKeys(query: Query, places: Uint32Array, descending: boolean): SortKeys {
  const { blocks, count } = query.context.assortment.catalog.table
  const keys = keyColumn(count)
  for (const place of places) {
    const number = Math.floor(place / BLOCK_BRANDS)
    const block = blocks[number]
    if (block === undefined) continue
    const metres = nearestIn(query, block, place % BLOCK_BRANDS, listedIn(query, number))
    keys[place] = metres === null ? (descending ? 0 : NOWHERE_METRES) : descending ? metres + 1 : metres
  }
  return keys
}

function nearestIn(query: Query, block: Block, brand: number, listed: Uint8Array): number | null {
  const { offerFrom, stores } = block
  const [from, end] = [offerFrom[brand] ?? 0, offerFrom[brand + 1] ?? 0]
  if (stores.storeFrom[from] === stores.storeFrom[end]) return null
  let least = Number.POSITIVE_INFINITY
  for (let offer = from; offer < end; offer++) {
    if (listed[offer] !== 1 || !fitsQuery(query, block, offer)) continue
    const gap = chordTo(block, offer, query.filter.origins)
    if (gap < least) least = gap
  }
  return least === Number.POSITIVE_INFINITY ? null : metresOf(least)
}
