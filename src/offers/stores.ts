import type { Offer, Store } from '../catalog/index.ts'
import { distanceMetres, type Point, parsePlace, zipCentroid } from '../platform/geography.ts'
import type { RuleLine } from './rules.ts'

export type PlaceFacts = {
  readonly storeNumber?: string | undefined
  /** Read from the descriptor where no number was reported. It may be something else, so it confirms and never refuses. */
  readonly writtenNumber?: string | undefined
  readonly street?: string | undefined
  readonly city?: string | undefined
  readonly state?: string | undefined
  readonly zipCode?: string | undefined
  readonly latitude?: number | undefined
  readonly longitude?: number | undefined
}

type PlaceReason = 'location_unconfirmed' | 'store_not_participating'
/** Whether two places are the same; null: what is known of them does not say. */
type Evidence = boolean | null

// A shop's entrance and a payment network's coordinates of it differ by a car park, not by a street.
const NEAR_METRES = 250
// Zip codes of the plains are as wide as this. The middle of one says nothing about what is nearer.
const REGION_METRES = 50_000
// So many degrees of latitude are farther than a region anywhere.
const REGION_DEGREES = 0.5

/**
 * An in-store offer asks where the purchase was: by store number, then postal code with street, then distance. The
 * first kind of evidence that both sides have decides. A side that is known by its zip code alone lies somewhere in that
 * region: far from it is another store, near it proves nothing. Without any evidence the purchase cannot be confirmed: it is
 * held, not refused. A number of the descriptor confirms a store of that number that nothing else speaks for or against; shorter
 * ones are dates and parts of ids as often as stores. An offer bound to a location without listed stores asks for that state, postal code or city.
 */
export function judgeStore({ stores, location }: Offer, place: PlaceFacts): StoreLine | null {
  if (stores.length > 0)
    return lineOf(atStores(stores, place), `${stores.length} listed ${stores.length === 1 ? 'store' : 'stores'}`, place)
  return location === null ? null : lineOf(inLocation(location, place), location, place)
}

type StoreLine = RuleLine & { readonly reason: PlaceReason }

function lineOf(evidence: Evidence, bound: string, place: PlaceFacts): StoreLine {
  return {
    rule: 'store',
    value: placeText(place),
    bound,
    passed: evidence === true,
    reason: evidence === false ? 'store_not_participating' : 'location_unconfirmed',
  }
}

function atStores(stores: readonly Store[], place: PlaceFacts): Evidence {
  const known = plainPlace(place)
  let best: Evidence = false
  for (const store of stores) {
    const evidence = atStore(store, known) ?? (isWritten(store, known) ? true : null)
    if (evidence === true) return true
    // A store that the purchase could still be at keeps it from being refused.
    if (evidence === null) best = null
  }
  return best
}

/** A place as it is compared, worked out once for all stores. */
type PlainPlace = {
  readonly storeNumber: string | null
  readonly writtenNumber: string | null
  readonly zipCode: string | null
  readonly street: string | null
  readonly spot: Spot | null
}
/** Where something is: exactly, or somewhere around the middle of its zip code. */
type Spot = { readonly point: Point; readonly isExact: boolean }

function plainPlace({ storeNumber, writtenNumber, zipCode, street, latitude, longitude }: PlaceFacts): PlainPlace {
  return {
    storeNumber: storeNumber === undefined ? null : plainNumber(storeNumber),
    writtenNumber: storeNumber !== undefined || !isLongEnough(writtenNumber) ? null : plainNumber(writtenNumber),
    zipCode: zipCode?.slice(0, 5) ?? null,
    street: street === undefined ? null : plainStreet(street),
    spot: spotOf(latitude ?? null, longitude ?? null, zipCode ?? null),
  }
}

function spotOf(latitude: number | null, longitude: number | null, zipCode: string | null): Spot | null {
  if (latitude !== null && longitude !== null) return { point: { latitude, longitude }, isExact: true }
  const point = zipCode === null ? null : zipCentroid(zipCode)
  return point === null ? null : { point, isExact: false }
}

function atStore(store: Store, place: PlainPlace): Evidence {
  if (store.storeNumber !== null && place.storeNumber !== null) {
    return plainNumber(store.storeNumber) === place.storeNumber
  }
  if (store.zipCode !== null && place.zipCode !== null && store.streetAddress1 !== null && place.street !== null) {
    return store.zipCode.slice(0, 5) === place.zipCode && plainStreet(store.streetAddress1) === place.street
  }
  if (place.spot === null) return null
  const spot = spotOf(store.latitude, store.longitude, store.zipCode)
  return spot === null ? null : isNear(spot, place.spot)
}

function isWritten({ storeNumber }: Store, { writtenNumber }: PlainPlace): boolean {
  return storeNumber !== null && writtenNumber !== null && plainNumber(storeNumber) === writtenNumber
}

function isLongEnough(number: string | undefined): number is string {
  return number !== undefined && /\d{3}/.test(number) && /[1-9]/.test(number)
}

function isNear(store: Spot, place: Spot): Evidence {
  if (Math.abs(store.point.latitude - place.point.latitude) > REGION_DEGREES) return false
  const metres = distanceMetres(store.point, place.point)
  if (store.isExact && place.isExact) return metres <= NEAR_METRES
  return metres > REGION_METRES ? false : null
}

function inLocation(location: string, place: PlaceFacts): Evidence {
  const { city, state, zip } = parsePlace(location)
  if (zip !== null) return isSame(place.zipCode?.slice(0, 5), zip)
  const found = [city === null ? true : isSame(place.city, city), state === null ? true : isSame(place.state, state)]
  return found.includes(false) ? false : found.includes(null) ? null : true
}

function isSame(found: string | undefined, wanted: string): Evidence {
  return found === undefined ? null : plainText(found) === wanted
}

function plainText(text: string): string {
  return text.trim().toUpperCase()
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
  const { storeNumber, writtenNumber } = place
  const number = storeNumber
    ? `#${storeNumber}`
    : writtenNumber && `#${writtenNumber.replace(/^#/, '')} in the descriptor`
  const parts = [number, place.street, place.city, place.state, place.zipCode]
  if (place.latitude !== undefined && place.longitude !== undefined) parts.push(`${place.latitude},${place.longitude}`)
  return parts.filter(Boolean).join(' ') || null
}
