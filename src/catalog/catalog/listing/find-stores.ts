import { setImmediate } from 'node:timers/promises'
import { field, text } from '../../../platform/resource/fields.ts'
import { type ResourceRow, resource } from '../../../platform/resource/resource.ts'
import type { Brand } from '../catalog.ts'
import type { Store } from '../store.ts'
import type { Catalog } from '../table/assemble.ts'
import type { Block } from '../table/block.ts'
import { createStorePlaces, isIn, LATITUDE, LONGITUDE } from './store-places.ts'

type StoreFilter = {
  /** Matches the brand's name, or the store's name, number or address. */
  readonly text: string | null
  readonly state: string | null
  /** One of the places found for the same text and state. */
  readonly place: string | null
}
/** A store as operators see it, regardless of which publishers carry its offers. */
export const CATALOG_STORE = resource('Store', {
  brand_uid: text({ example: 'brand-market' }),
  brand_name: text({ example: 'Corner Market', description: 'Name of the brand.' }),
  name: text({
    nullable: true,
    example: 'Downtown',
    description: 'Name of the store, or null if the catalog has none.',
  }),
  store_number: text({ nullable: true, example: '17', description: "The brand's own number for the store." }),
  address: text({
    nullable: true,
    example: '1 Main Street, New York, NY 10001',
    description: 'Address on a single line.',
  }),
  state: text({ nullable: true, example: 'NY', description: 'Two-letter state code, in uppercase.' }),
  latitude: field(LATITUDE, { nullable: true, example: 40.71 }, (degrees: number) => degrees),
  longitude: field(LONGITUDE, { nullable: true, example: -74.01 }, (degrees: number) => degrees),
})
type FoundStore = ResourceRow<typeof CATALOG_STORE>

// Scanning this many takes a few milliseconds.
const STORES_AT_ONCE = 5_000

/**
 * Finds the stores of all offers that are not retired, in catalog order. A place narrows the total and the list, but
 * not the map.
 */
export async function findStores({ table: { blocks } }: Catalog, { text, state, place }: StoreFilter, limit: number) {
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

function toFoundStore({ brandUid, name }: Brand, store: Store): FoundStore {
  return {
    brandUid,
    brandName: name,
    name: store.locationName,
    storeNumber: store.storeNumber,
    address: store.completeAddress,
    state: store.state?.toUpperCase() ?? null,
    latitude: store.latitude,
    longitude: store.longitude,
  }
}
