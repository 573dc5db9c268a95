import {
  findCityCentroids,
  findStateCode,
  findZipCentroid,
  findZipState,
  isState,
  isZipRegion,
  parsePlace,
} from '../../platform/geography.ts'
import { toPoints } from './chords.ts'
import type { Channel, Offer } from './offer.ts'

// These names refer to the city as often as to the state.
const ALSO_CITIES: ReadonlySet<string> = new Set(['NY', 'WA'])

/**
 * Returns where an offer can be redeemed: in the channels that the catalog lists, otherwise in stores if it has stores
 * or a location, otherwise everywhere for card-linked offers and online for all others.
 */
export function getChannels(offer: Offer): readonly Channel[] {
  if (offer.channels !== null) return offer.channels
  if (offer.stores.length > 0 || offer.location !== null) return ['IN_STORE']
  return offer.offerType === 'CARD_LINKED' ? ['IN_STORE', 'ONLINE'] : ['ONLINE']
}

/**
 * Normalizes a location for matching and listing. State names become two-letter codes unless they are also names of
 * cities.
 */
export function normalizeLocation(location: string): string {
  const text = location.trim()
  if (/^[A-Za-z]{2}$/.test(text)) return text.toUpperCase()
  const state = findStateCode(text)
  return state === null || ALSO_CITIES.has(state) ? location : state
}

/** Returns a message if the location cannot exist; null if it might, because most places are in no table. */
export function findLocationFault(location: string): string | null {
  const text = location.trim().toUpperCase()
  if (/^[A-Z]{2}$/.test(text) && !isState(text)) return 'is not a state'
  return /^\d{5}(-\d{4})?$/.test(text) && !isZipRegion(text) ? 'is not a zip code' : null
}

/** Returns the search terms for a location: its own words, and its zip code's state. */
export function toWords(location: string): readonly string[] {
  const { zip } = parsePlace(location)
  const state = zip === null ? null : findZipState(zip)
  const words = location.toUpperCase().split(/[^A-Z0-9]+/)
  return [...new Set([...words, ...(zip === null ? [] : [zip]), ...(state === null ? [] : [state])])]
}

/** Returns the state if a location is an entire state; otherwise null. */
export function findWholeState(location: string): string | null {
  const { city, state, zip } = parsePlace(location)
  return city === null && zip === null ? state : null
}

/** The area whose residents are near a location: around points, or anywhere in a state. */
type Nearness = { readonly points: Float64Array; readonly state: string | null }

export function findNearness(location: string): Nearness | null {
  const { city, state, zip } = parsePlace(location)
  if (zip !== null) {
    const middle = findZipCentroid(zip)
    return middle === null ? null : { points: toPoints([middle]), state: null }
  }
  const points = city === null ? NO_POINTS : findCityPoints(city, state)
  if (points.length > 0) return { points, state: null }
  return state === null ? null : { points, state }
}

const NO_POINTS = new Float64Array(0)
// A city can have a hundred zip codes and a million offers. Only cities in the table are cached, for a few megabytes at
// most.
const citiesKnown = new Map<string, Float64Array>()

function findCityPoints(city: string, state: string | null): Float64Array {
  const key = `${city} ${state}`
  const known = citiesKnown.get(key)
  if (known !== undefined) return known
  const points = toPoints(findCityCentroids(city, state))
  if (points.length > 0) citiesKnown.set(key, points)
  return points
}
