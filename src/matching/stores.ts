import type { Offer, Store } from '../catalog/index.ts'
import type { RuleLine } from './rules.ts'

export type PlaceFacts = {
  readonly storeNumber?: string | undefined
  readonly street?: string | undefined
  readonly city?: string | undefined
  readonly state?: string | undefined
  readonly zipCode?: string | undefined
  readonly latitude?: number | undefined
  readonly longitude?: number | undefined
}

type PlaceReason = 'location_unconfirmed' | 'store_not_participating'
type Evidence = 'same' | 'other' | 'unknown'

// A shop's entrance and a payment network's coordinates of it differ by a car park, not by a street.
const NEAR_METRES = 250
const EARTH_RADIUS_METRES = 6_371_000

/**
 * An in-store offer asks where the purchase was: by store number, then postal code with street, then distance. The
 * first kind of evidence that both sides have decides. Without any, the purchase cannot be confirmed: it is held,
 * not refused. An offer bound to a location without listed stores asks for that state, postal code or city.
 */
export function judgeStore(offer: Offer, place: PlaceFacts): (RuleLine & { reason: PlaceReason }) | null {
  if (offer.stores.length === 0 && offer.location === null) return null
  const evidence =
    offer.stores.length > 0
      ? bestOf(offer.stores.map((store) => atStore(store, place)))
      : inLocation(offer.location ?? '', place)
  return {
    rule: 'store',
    value: placeText(place),
    bound: offer.stores.length > 0 ? `${offer.stores.length} listed stores` : offer.location,
    passed: evidence === 'same',
    reason: evidence === 'other' ? 'store_not_participating' : 'location_unconfirmed',
  }
}

function bestOf(found: readonly Evidence[]): Evidence {
  if (found.includes('same')) return 'same'
  // A store that the purchase could still be at keeps it from being refused.
  return found.includes('unknown') ? 'unknown' : 'other'
}

function atStore(store: Store, place: PlaceFacts): Evidence {
  if (store.storeNumber !== null && place.storeNumber !== undefined) {
    return plainNumber(store.storeNumber) === plainNumber(place.storeNumber) ? 'same' : 'other'
  }
  if (
    store.zipCode !== null &&
    place.zipCode !== undefined &&
    store.streetAddress1 !== null &&
    place.street !== undefined
  ) {
    return store.zipCode.slice(0, 5) === place.zipCode.slice(0, 5) &&
      plainStreet(store.streetAddress1) === plainStreet(place.street)
      ? 'same'
      : 'other'
  }
  if (
    store.latitude !== null &&
    store.longitude !== null &&
    place.latitude !== undefined &&
    place.longitude !== undefined
  ) {
    const metres = distanceMetres(store.latitude, store.longitude, place.latitude, place.longitude)
    return metres <= NEAR_METRES ? 'same' : 'other'
  }
  return 'unknown'
}

function inLocation(location: string, place: PlaceFacts): Evidence {
  const wanted = location.trim().toUpperCase()
  const found = /^\d{5}/.test(wanted)
    ? place.zipCode?.slice(0, 5)
    : /^[A-Z]{2}$/.test(wanted)
      ? place.state
      : place.city
  if (found === undefined) return 'unknown'
  return found.trim().toUpperCase() === (/^\d{5}/.test(wanted) ? wanted.slice(0, 5) : wanted) ? 'same' : 'other'
}

/** Great-circle distance (haversine). */
export function distanceMetres(latitudeA: number, longitudeA: number, latitudeB: number, longitudeB: number): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180
  const half = (a: number, b: number): number => Math.sin(radians(b - a) / 2) ** 2
  const chord =
    half(latitudeA, latitudeB) +
    Math.cos(radians(latitudeA)) * Math.cos(radians(latitudeB)) * half(longitudeA, longitudeB)
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(chord)))
}

function plainNumber(storeNumber: string): string {
  return storeNumber
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .replace(/^0+/, '')
}

const STREET_WORDS: Readonly<Record<string, string>> = {
  STREET: 'ST',
  AVENUE: 'AVE',
  ROAD: 'RD',
  BOULEVARD: 'BLVD',
  DRIVE: 'DR',
  LANE: 'LN',
  COURT: 'CT',
  PLACE: 'PL',
  SQUARE: 'SQ',
  HIGHWAY: 'HWY',
  PARKWAY: 'PKWY',
  NORTH: 'N',
  SOUTH: 'S',
  EAST: 'E',
  WEST: 'W',
}

function plainStreet(street: string): string {
  return street
    .toUpperCase()
    .replaceAll(/[^A-Z0-9 ]/g, ' ')
    .trim()
    .split(/ +/)
    .map((word) => STREET_WORDS[word] ?? word)
    .join(' ')
}

function placeText(place: PlaceFacts): string | null {
  const parts = [place.storeNumber && `#${place.storeNumber}`, place.street, place.city, place.state, place.zipCode]
  if (place.latitude !== undefined && place.longitude !== undefined) parts.push(`${place.latitude},${place.longitude}`)
  return parts.filter(Boolean).join(' ') || null
}
