import {
  computeDistanceMetres,
  findZipCentroid,
  normalizePostalCode,
  type Point,
  parsePlace,
} from '../../platform/geography.ts'
import type { Offer, Store } from '../catalog/index.ts'
import type { RuleRow } from './rule-line.ts'
import streetPack from './street-words.json' with { type: 'json' }

export type PlaceFacts = {
  readonly storeNumber?: string | undefined
  /**
   * Read from the descriptor if no number was reported. It may mean something else, so it can confirm a store but never
   * rule one out.
   */
  readonly writtenNumber?: string | undefined
  readonly street?: string | undefined
  readonly city?: string | undefined
  readonly state?: string | undefined
  readonly zipCode?: string | undefined
  readonly country?: string | undefined
  readonly latitude?: number | undefined
  readonly longitude?: number | undefined
}

/** True if two places are the same, false if they differ, and null if undecidable. */
type Evidence = boolean | null

// A payment network's store coordinates may be off by the size of a parking lot, but not by a street.
const NEAR_METRES = 250
// The widest zip code areas reach this far from their center. Within that distance the center proves nothing.
const REGION_METRES = 50_000
// Half a degree of latitude exceeds REGION_METRES everywhere.
const REGION_DEGREES = 0.5

/**
 * Checks that an in-store purchase was made at one of the offer's stores: by store number, then by zip code and street,
 * then by distance. Uses the first kind of evidence available on both sides. A side with only a zip code could be
 * anywhere in that area: a distant zip code rules a store out, but a nearby one proves nothing. Without evidence, the
 * purchase is held rather than refused. If there is no other evidence, a number of three or more digits in the
 * descriptor confirms a store; shorter numbers are often dates or parts of ids. An offer with a location but no stores
 * requires that state, zip code or city.
 */
export function storeRule({ stores, location }: Offer, place: PlaceFacts): RuleRow {
  if (stores.length > 0)
    return toRuleRow(
      atStores(stores, place),
      `${stores.length} listed ${stores.length === 1 ? 'store' : 'stores'}`,
      place,
    )
  return location !== null && toRuleRow(inLocation(location, place), location, place)
}

function toRuleRow(evidence: Evidence, bound: string, place: PlaceFacts): RuleRow {
  const reason = evidence === false ? 'store_not_participating' : 'location_unconfirmed'
  return ['store', placeText(place), bound, evidence === true, reason]
}

function atStores(stores: readonly Store[], place: PlaceFacts): Evidence {
  const known = plainPlace(place)
  let best: Evidence = false
  for (const store of stores) {
    const evidence = atStore(store, known) ?? (isWritten(store, known) ? true : null)
    if (evidence === true) return true
    // One undecidable store is enough to hold the purchase.
    if (evidence === null) best = null
  }
  return best
}

/** A place normalized once, for comparison with every store. */
type PlainPlace = {
  readonly storeNumber: string | null
  readonly writtenNumber: string | null
  readonly zipCode: string | null
  readonly street: string | null
  readonly spot: Spot | null
}
/** Coordinates: exact, or the center of a zip code. */
type Spot = { readonly point: Point; readonly isExact: boolean }

function plainPlace(facts: PlaceFacts): PlainPlace {
  const { storeNumber, writtenNumber, zipCode, street, country, latitude, longitude } = facts
  return {
    storeNumber: storeNumber === undefined ? null : plainNumber(storeNumber),
    writtenNumber: storeNumber !== undefined || !isLongEnough(writtenNumber) ? null : plainNumber(writtenNumber),
    zipCode: zipCode === undefined ? null : normalizePostalCode(zipCode),
    street: street === undefined ? null : plainStreet(street),
    spot: locate({
      latitude: latitude ?? null,
      longitude: longitude ?? null,
      zipCode: zipCode ?? null,
      country: country ?? null,
    }),
  }
}

function locate({
  latitude,
  longitude,
  zipCode,
  country,
}: Pick<Store, keyof Point | 'zipCode' | 'country'>): Spot | null {
  if (latitude !== null && longitude !== null) return { point: { latitude, longitude }, isExact: true }
  const point = zipCode === null ? null : findZipCentroid(zipCode, country)
  return point === null ? null : { point, isExact: false }
}

function atStore(store: Store, place: PlainPlace): Evidence {
  if (store.storeNumber !== null && place.storeNumber !== null) {
    return plainNumber(store.storeNumber) === place.storeNumber
  }
  if (store.zipCode !== null && place.zipCode !== null && store.streetAddress1 !== null && place.street !== null) {
    return normalizePostalCode(store.zipCode) === place.zipCode && plainStreet(store.streetAddress1) === place.street
  }
  if (place.spot === null) return null
  const spot = locate(store)
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
  const metres = computeDistanceMetres(store.point, place.point)
  if (store.isExact && place.isExact) return metres <= NEAR_METRES
  return metres > REGION_METRES ? false : null
}

function inLocation(location: string, place: PlaceFacts): Evidence {
  const { city, state, zip } = parsePlace(location)
  if (zip !== null) return place.zipCode === undefined ? null : normalizePostalCode(place.zipCode) === zip
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

const streetWords: Readonly<Record<string, string>> = streetPack

function plainStreet(street: string): string {
  return street
    .toUpperCase()
    .replaceAll(/[^A-Z0-9 ]/g, ' ')
    .trim()
    .split(/ +/)
    .map((word) => streetWords[word] ?? word)
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
