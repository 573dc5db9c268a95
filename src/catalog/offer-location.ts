import { pointsOf } from '../platform/chords.ts'
import {
  cityCentroids,
  isState,
  isZipRegion,
  parsePlace,
  stateNamed,
  zipCentroid,
  zipState,
} from '../platform/geography.ts'
import type { Channel, Offer } from './offer.ts'

// These names mean the city as often as the state.
const ALSO_CITIES: ReadonlySet<string> = new Set(['NY', 'WA'])

/**
 * Where an offer can be redeemed: as the catalog says, else in stores when it has stores or a location. Otherwise a
 * card-linked offer counts everywhere, others online.
 */
export function channelsOf(offer: Offer): readonly Channel[] {
  if (offer.channels !== null) return offer.channels
  if (offer.stores.length > 0 || offer.location !== null) return ['IN_STORE']
  return offer.offerType === 'CARD_LINKED' ? ['IN_STORE', 'ONLINE'] : ['ONLINE']
}

/** A location as it is matched and listed: a state becomes its two letters. */
export function plainLocation(location: string): string {
  const text = location.trim()
  if (/^[A-Za-z]{2}$/.test(text)) return text.toUpperCase()
  const state = stateNamed(text)
  return state === null || ALSO_CITIES.has(state) ? location : state
}

/** Why the place cannot exist, or null; most places are in no table. */
export function locationFault(location: string): string | null {
  const text = location.trim().toUpperCase()
  if (/^[A-Z]{2}$/.test(text) && !isState(text)) return 'names no state'
  return /^\d{5}(-\d{4})?$/.test(text) && !isZipRegion(text) ? 'is no zip code' : null
}

/** The words that find a location: its own, and the state of its zip code. */
export function wordsOf(location: string): readonly string[] {
  const { zip } = parsePlace(location)
  const state = zip === null ? null : zipState(zip)
  const words = location.toUpperCase().split(/[^A-Z0-9]+/)
  return [...new Set([...words, ...(zip === null ? [] : [zip]), ...(state === null ? [] : [state])])]
}

/** The state if a location is a whole state, else null. */
export function wholeState(location: string): string | null {
  const { city, state, zip } = parsePlace(location)
  return city === null && zip === null ? state : null
}

/** Where users live near a location: around points, or anywhere in a state. Null: unknown. */
type Nearness = { readonly points: Float64Array; readonly state: string | null }

export function nearnessOf(location: string): Nearness | null {
  const { city, state, zip } = parsePlace(location)
  if (zip !== null) {
    const middle = zipCentroid(zip)
    return middle === null ? null : { points: pointsOf([middle]), state: null }
  }
  const points = city === null ? NO_POINTS : pointsOfCity(city, state)
  if (points.length > 0) return { points, state: null }
  return state === null ? null : { points, state }
}

const NO_POINTS = new Float64Array(0)
// A city can have a hundred zip codes and a million offers. Only cities of the table are cached, at most some
// megabytes.
const citiesKnown = new Map<string, Float64Array>()

function pointsOfCity(city: string, state: string | null): Float64Array {
  const key = `${city} ${state}`
  const known = citiesKnown.get(key)
  if (known !== undefined) return known
  const points = pointsOf(cityCentroids(city, state))
  if (points.length > 0) citiesKnown.set(key, points)
  return points
}
