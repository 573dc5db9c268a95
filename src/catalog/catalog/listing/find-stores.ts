import { setImmediate } from 'node:timers/promises'
import type { Brand } from '../catalog.ts'
import type { Store } from '../offer.ts'
import type { Catalog } from '../table/assemble.ts'
import type { Block } from '../table/block.ts'
import { createStorePlaces, isIn, type StorePlace } from './store-places.ts'

type StoreFilter = {
  /** Matches the brand's name, or the store's name, number or address. */
  readonly text: string | null
  readonly state: string | null
  /** One of the places found for the same text and state. */
  readonly place: string | null
}
type FoundStore = {
  readonly brand: Brand
  readonly name: string | null
  readonly storeNumber: string | null
  /** The address on one line. */
  readonly address: string | null
  readonly state: string | null
  readonly latitude: number | null
  readonly longitude: number | null
}
export type FoundStores = {
  readonly total: number
  /** The number of stores without coordinates. */
  readonly unplaced: number
  /** All states in the catalog. */
  readonly states: readonly string[]
  readonly places: readonly StorePlace[]
  /** The first stores, up to the limit. */
  readonly stores: readonly FoundStore[]
}

// Scanning this many takes a few milliseconds.
const STORES_AT_ONCE = 5_000

/**
 * Finds the stores of all offers that are not retired, in catalog order. A place narrows the total and the list, but
 * not the map.
 */
export async function findStores(
  { table: { blocks } }: Catalog,
  { text, state, place }: StoreFilter,
  limit: number,
): Promise<FoundStores> {
  const wanted = { text: text?.toLowerCase() ?? null, state: state?.toUpperCase() ?? null }
  const isHere = place === null ? null : isIn(place)
  const states = new Set<string>()
  const places = createStorePlaces()
  const stores: FoundStore[] = []
  const counts = { total: 0, unplaced: 0 }
  let seen = 0
  for (const block of blocks)
    for (const { brand, stores: own } of storesIn(block)) {
      const matches = createMatcher(brand, wanted)
      for (const store of own) {
        if (++seen % STORES_AT_ONCE === 0) await setImmediate()
        if (store.state !== null) states.add(store.state)
        if (!matches(store)) continue
        const { latitude, longitude } = store
        const point = latitude === null || longitude === null ? null : { latitude, longitude }
        if (point === null) counts.unplaced++
        else places.add(point)
        if (isHere !== null && (point === null || !isHere(point))) continue
        counts.total++
        if (stores.length < limit) stores.push(toFoundStore(brand, store))
      }
    }
  const sorted = [...new Set([...states].map((one) => one.toUpperCase()))].sort()
  return { ...counts, states: sorted, places: places.list(), stores }
}

type BrandWithStores = { readonly brand: Brand; readonly stores: readonly Store[] }
// Cached, because deduplication takes three-quarters of the time and blocks never change.
const storesOfBlocks = new WeakMap<Block, readonly BrandWithStores[]>()

function storesIn(block: Block): readonly BrandWithStores[] {
  const known = storesOfBlocks.get(block)
  if (known !== undefined) return known
  const { brands, offers, offerFrom } = block
  const found = brands.flatMap((brand, at) => {
    const stores = new Map<string, Store>()
    if (!brand.retired)
      for (const offer of offers.slice(offerFrom[at], offerFrom[at + 1]))
        for (const store of offer.stores) if (!stores.has(toKey(store))) stores.set(toKey(store), store)
    return stores.size === 0 ? [] : [{ brand, stores: [...stores.values()] }]
  })
  storesOfBlocks.set(block, found)
  return found
}

function createMatcher(
  { name }: Brand,
  { text, state }: Pick<StoreFilter, 'text' | 'state'>,
): (store: Store) => boolean {
  const has = (field: string | null): boolean => text === null || field?.toLowerCase().includes(text) === true
  const isOfBrand = has(name)
  return (store) =>
    (state === null || store.state?.toUpperCase() === state) &&
    (isOfBrand || has(store.locationName) || has(store.storeNumber) || has(store.completeAddress))
}

/** Returns a key that identifies the same store across offers. */
function toKey(store: Store): string {
  const where = store.completeAddress ?? `${store.latitude} ${store.longitude}`
  return `${store.storeNumber}\n${store.locationName}\n${where}`
}

function toFoundStore(brand: Brand, store: Store): FoundStore {
  return {
    brand,
    name: store.locationName,
    storeNumber: store.storeNumber,
    address: store.completeAddress,
    state: store.state?.toUpperCase() ?? null,
    latitude: store.latitude,
    longitude: store.longitude,
  }
}
