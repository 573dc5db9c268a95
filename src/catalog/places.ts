import type { CatalogOffer } from './catalog.ts'
import type { Channel, Store } from './offer.ts'

/** Where a user wants to redeem. Places narrow what is in stores; an offer online has no place. */
export type LocationFilter = {
  readonly channels: readonly Channel[]
  readonly places: readonly Place[]
}
export type Place =
  | { readonly kind: 'state'; readonly state: string }
  | { readonly kind: 'zip'; readonly zip: string }
  | { readonly kind: 'point'; readonly latitude: number; readonly longitude: number; readonly radius: number }

/** Ten kilometres: a drive across a town. */
export const RADIUS_DEFAULT = 10_000
const EARTH_RADIUS_METRES = 6_371_000
const NUMBER = /^-?\d{1,3}(\.\d{1,15})?$/

/**
 * Reads the values of `location`, which arrive split at commas: two numbers in a row are a point.
 * @returns the value that is none of the allowed ones as `unknown`.
 */
export function readLocation(
  values: readonly string[],
  radius: number,
): { readonly filter: LocationFilter } | { readonly unknown: string } {
  const channels: Channel[] = []
  const places: Place[] = []
  for (let at = 0; at < values.length; at++) {
    const value = (values[at] ?? '').trim()
    const upper = value.toUpperCase()
    const next = (values[at + 1] ?? '').trim()
    if (upper === 'IN_STORE' || upper === 'ONLINE') channels.push(upper)
    else if (/^[A-Z]{2}$/.test(upper)) places.push({ kind: 'state', state: upper })
    else if (/^\d{5}(-\d{4})?$/.test(value)) places.push({ kind: 'zip', zip: value.slice(0, 5) })
    else if (isCoordinate(value, 90) && isCoordinate(next, 180)) {
      places.push({ kind: 'point', latitude: Number(value), longitude: Number(next), radius })
      at++
    } else return { unknown: value }
  }
  return { filter: { channels, places } }
}

function isCoordinate(text: string, limit: number): boolean {
  return NUMBER.test(text) && Math.abs(Number(text)) <= limit
}

/**
 * Where an offer can be redeemed: as the catalog says, or else in stores when it has stores or a location, online when it
 * is no card-linked offer without these; a card is taken anywhere.
 */
export function channelsOf(offer: CatalogOffer): readonly Channel[] {
  if (offer.channels !== null) return offer.channels
  if (offer.stores.length > 0 || offer.location !== null) return ['IN_STORE']
  return offer.offerType === 'CARD_LINKED' ? ['IN_STORE', 'ONLINE'] : ['ONLINE']
}

export function fitsLocation(offer: CatalogOffer, filter: LocationFilter): boolean {
  const own = channelsOf(offer)
  if (filter.channels.includes('ONLINE') && own.includes('ONLINE')) return true
  const wantsStores = filter.channels.includes('IN_STORE') || filter.places.length > 0
  if (!wantsStores || !own.includes('IN_STORE')) return false
  return filter.places.length === 0 || filter.places.some((place) => isAt(offer, place))
}

function isAt(offer: CatalogOffer, place: Place): boolean {
  if (offer.stores.some((store) => isStoreAt(store, place))) return true
  if (offer.location === null || place.kind === 'point') return false
  const words = offer.location.toUpperCase().split(/[^A-Z0-9]+/)
  return words.includes(place.kind === 'state' ? place.state : place.zip)
}

function isStoreAt(store: Store, place: Place): boolean {
  if (place.kind === 'state') return store.state?.toUpperCase() === place.state
  if (place.kind === 'zip') return store.zipCode?.slice(0, 5) === place.zip
  if (store.latitude === null || store.longitude === null) return false
  return metresBetween(store.latitude, store.longitude, place.latitude, place.longitude) <= place.radius
}

/** Great-circle distance (haversine). */
function metresBetween(latitudeA: number, longitudeA: number, latitudeB: number, longitudeB: number): number {
  const radians = Math.PI / 180
  const halfLatitude = ((latitudeB - latitudeA) * radians) / 2
  const halfLongitude = ((longitudeB - longitudeA) * radians) / 2
  const chord =
    Math.sin(halfLatitude) ** 2 +
    Math.cos(latitudeA * radians) * Math.cos(latitudeB * radians) * Math.sin(halfLongitude) ** 2
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(chord)))
}
