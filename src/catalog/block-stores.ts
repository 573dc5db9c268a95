import { type Point, zipCentroid } from '../platform/geography.ts'
import type { CatalogOffer } from './catalog.ts'
import { channelsOf } from './places.ts'

/** The stores and locations of a block's offers, for lists by place. */
export type BlockStores = {
  /** Those of offer o from storeFrom[o] on, before storeFrom[o + 1]. */
  readonly storeFrom: Uint32Array
  /** On the unit sphere, three numbers each; not numbers where a store has no coordinates. */
  readonly points: Float64Array
  readonly zips: Int32Array
  /** Two letters in one number; 0: none. */
  readonly states: Uint16Array
  /** The words of the location of offers that have one. */
  readonly locations: ReadonlyMap<number, readonly string[]>
  /** Offers that are for people who live near, in the order of offers. */
  readonly locals: readonly Local[]
}
export type Local = {
  readonly offer: number
  readonly reach: number
  /** Where its stores are; those without coordinates at the middle of their zip codes. */
  readonly near: Float64Array
  readonly states: readonly string[]
}

/** Fifty kilometres: as far as people go for a bargain now and then. */
export const LOCAL_RADIUS_METRES = 50_000
const EARTH_RADIUS_METRES = 6_371_000

export function storesOf(offers: readonly CatalogOffer[]): BlockStores {
  const stores = offers.flatMap((offer) => offer.stores)
  const storeFrom = new Uint32Array(offers.length + 1)
  offers.forEach((offer, at) => {
    storeFrom[at + 1] = (storeFrom[at] ?? 0) + offer.stores.length
  })
  return {
    storeFrom,
    points: pointsOf(stores.map(({ latitude, longitude }) => coordinatesOf(latitude, longitude))),
    zips: Int32Array.from(stores, ({ zipCode }) => zipNumber(zipCode)),
    states: Uint16Array.from(stores, ({ state }) => stateNumber(state)),
    locations: new Map(
      offers.flatMap(({ location }, at) => (location === null ? [] : [[at, locationWords(location)] as const])),
    ),
    locals: offers.flatMap((offer, at) => localOf(offer, at) ?? []),
  }
}

/** Where users live will be asked for, and reading the table of zip codes must not hold up the first who asks. */
export function prepareHomes(): void {
  zipCentroid('00000')
}

/** An offer for people who live near: in stores only, and where is known. */
function localOf(offer: CatalogOffer, at: number): Local | null {
  if (channelsOf(offer).includes('ONLINE')) return null
  const ends = offer.location === null ? null : LOCATION_END.exec(offer.location)
  const places = [
    ...offer.stores.map(
      ({ latitude, longitude, zipCode }) => coordinatesOf(latitude, longitude) ?? zipCentroid(zipCode ?? ''),
    ),
    ...(ends?.[2] === undefined ? [] : [zipCentroid(ends[2])]),
  ]
  const states = ends?.[1] === undefined || ends[2] !== undefined ? [] : [ends[1]]
  // A store that lies nobody knows where may be next door.
  if (places.includes(null) || places.length + states.length === 0) return null
  return {
    offer: at,
    reach: reachOf(offer.conditions.localRadiusMetres ?? LOCAL_RADIUS_METRES),
    near: pointsOf(places),
    states,
  }
}

// "TX", "Austin, TX", "Austin, TX 78701" or "78701": two letters elsewhere may be a word.
const LOCATION_END = /^(?:(?:.*,\s*)?([A-Z]{2}))?\s*(\d{5})?(?:-\d{4})?$/

/** Points on the unit sphere: how far two lie apart in a straight line is reckoned without an angle, and orders as distance does. */
export function pointsOf(places: readonly (Point | null)[]): Float64Array {
  const points = new Float64Array(3 * places.length)
  places.forEach((place, at) => {
    const latitude = ((place?.latitude ?? Number.NaN) * Math.PI) / 180
    const longitude = ((place?.longitude ?? Number.NaN) * Math.PI) / 180
    points[3 * at] = Math.cos(latitude) * Math.cos(longitude)
    points[3 * at + 1] = Math.cos(latitude) * Math.sin(longitude)
    points[3 * at + 2] = Math.sin(latitude)
  })
  return points
}

/** The square of the straight line between two points. */
export function gapBetween(points: Float64Array, at: number, others: Float64Array, other: number): number {
  const x = (points[3 * at] ?? 0) - (others[3 * other] ?? 0)
  const y = (points[3 * at + 1] ?? 0) - (others[3 * other + 1] ?? 0)
  const z = (points[3 * at + 2] ?? 0) - (others[3 * other + 2] ?? 0)
  return x * x + y * y + z * z
}

/** The gap that so many metres along the surface make. */
export function reachOf(metres: number): number {
  return (2 * Math.sin(Math.min(metres / (2 * EARTH_RADIUS_METRES), Math.PI / 2))) ** 2
}

export function metresOf(gap: number): number {
  return Math.round(2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(gap) / 2)))
}

export function zipNumber(zip: string | null): number {
  return zip !== null && /^\d{5}/.test(zip) ? Number(zip.slice(0, 5)) : -1
}

export function stateNumber(state: string | null): number {
  return state !== null && /^[A-Za-z]{2}$/.test(state)
    ? state.toUpperCase().charCodeAt(0) * 256 + state.toUpperCase().charCodeAt(1)
    : 0
}

function locationWords(location: string): readonly string[] {
  return location.toUpperCase().split(/[^A-Z0-9]+/)
}

function coordinatesOf(latitude: number | null, longitude: number | null): Point | null {
  return latitude === null || longitude === null ? null : { latitude, longitude }
}
