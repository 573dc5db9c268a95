import { findZipCentroid, normalizePostalCode, type Point } from '../../../platform/geography.ts'
import type { CatalogOffer } from '../catalog.ts'
import { toPoints, toSquaredChord } from '../chords.ts'
import { findNearness, findWholeState, getChannels, toWords } from '../offer-location.ts'
import type { Store } from '../store.ts'

/** The stores and locations of a block's offers, for filtering and sorting lists by place. */
export type BlockStores = {
  /** The stores of offer o are at storeFrom[o] up to, but not including, storeFrom[o + 1]. */
  readonly storeFrom: Uint32Array
  /** Points on the unit sphere, three numbers each; NaN if a store's location is unknown. */
  readonly points: Float64Array
  /** Postal codes as numbers; -1 if missing. */
  readonly zips: Float64Array
  /** Two letters packed into one number; 0 if there is none. */
  readonly states: Uint16Array
  /** The locations of offers: their search terms, and the state if the location is an entire state. */
  readonly locations: ReadonlyMap<number, { readonly words: readonly string[]; readonly state: string | null }>
  /** Offers for people who live nearby, in offer order. */
  readonly localOffers: readonly LocalOffer[]
}
type LocalOffer = {
  readonly offer: number
  readonly reach: number
  /** The points of the offer's stores and of its location. */
  readonly near: Float64Array
  /** The state whose residents are all considered nearby, if any. */
  readonly state: string | null
}

/** Fifty kilometers: about as far as people drive for a bargain. */
const LOCAL_RADIUS_METRES = 50_000

export function buildBlockStores(offers: readonly CatalogOffer[]): BlockStores {
  const stores = offers.flatMap((offer) => offer.stores)
  const storeFrom = new Uint32Array(offers.length + 1)
  offers.forEach((offer, at) => {
    storeFrom[at + 1] = (storeFrom[at] ?? 0) + offer.stores.length
  })
  return {
    storeFrom,
    points: toPoints(stores.map(locate)),
    zips: Float64Array.from(stores, ({ zipCode }) => encodePostalCode(zipCode)),
    states: Uint16Array.from(stores, ({ state }) => encodeState(state)),
    locations: new Map(
      offers.flatMap(({ location }, at) =>
        location === null ? [] : [[at, { words: toWords(location), state: findWholeState(location) }] as const],
      ),
    ),
    localOffers: offers.flatMap((offer, at) => toLocalOffer(offer, at) ?? []),
  }
}

/** Loads the zip code table, so that the first lookup of a user's home does not have to wait for it. */
export function prepareHomes(): void {
  findZipCentroid('00000')
}

/** Returns an offer as a local offer if it is redeemable only at known places; otherwise null. */
function toLocalOffer(offer: CatalogOffer, at: number): LocalOffer | null {
  if (getChannels(offer).includes('ONLINE')) return null
  const bound = offer.location === null ? null : findNearness(offer.location)
  const places = offer.stores.map(locate)
  // A store at an unknown location might be next door.
  if (places.includes(null)) return null
  if (bound === null && places.length === 0) return null
  return {
    offer: at,
    reach: toSquaredChord(offer.conditions.localRadiusMetres ?? LOCAL_RADIUS_METRES),
    near: joined(toPoints(places), bound?.points ?? new Float64Array(0)),
    state: bound?.state ?? null,
  }
}

/** Concatenates points, without copying where possible, because many offers in a city share its points. */
function joined(first: Float64Array, second: Float64Array): Float64Array {
  return first.length === 0 ? second : Float64Array.from([...first, ...second])
}

// A double can hold ten digits in base 37.
const POSTAL_CODE_LENGTH = 10

/** Encodes a postal code as a number, so that blocks never compare strings; -1 if it is missing or too long. */
export function encodePostalCode(postalCode: string | null): number {
  const plain = postalCode === null ? '' : normalizePostalCode(postalCode)
  if (plain === '' || plain.length > POSTAL_CODE_LENGTH) return -1
  return [...plain].reduce((sum, character) => sum * 37 + Number.parseInt(character, 36) + 1, 0)
}

export function encodeState(state: string | null): number {
  return state !== null && /^[A-Za-z]{2}$/.test(state)
    ? state.toUpperCase().charCodeAt(0) * 256 + state.toUpperCase().charCodeAt(1)
    : 0
}

/** Returns the location of a store. Without coordinates, it is the center of its zip code. */
function locate({ latitude, longitude, zipCode, country }: Store): Point | null {
  return latitude === null || longitude === null ? findZipCentroid(zipCode ?? '', country) : { latitude, longitude }
}
