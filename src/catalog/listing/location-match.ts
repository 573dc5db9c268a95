import { zipCentroid, zipState } from '../../platform/geography.ts'
import { type Block, IN_STORE, ONLINE } from '../table/block.ts'
import { stateNumber, zipNumber } from '../table/block-stores.ts'
import { chordSquare, pointsOf, reachOf } from './distance.ts'
import type { LocationFilter } from './location-filter.ts'

/** A filter on places in the form in which the columns of a block are compared with it. */
export type LocationMatch = {
  readonly online: boolean
  readonly stores: boolean
  readonly anywhere: boolean
  /** Upper case, as in the locations of offers. */
  readonly words: readonly string[]
  /** The states of the zip codes: an offer of a whole state can be redeemed there, too. */
  readonly around: readonly string[]
  readonly states: readonly number[]
  readonly zips: readonly number[]
  readonly points: Float64Array
  readonly reaches: readonly number[]
}

export function locationMatchOf({ channels, places }: LocationFilter): LocationMatch {
  const points = places.flatMap((place) => (place.kind === 'point' ? [place] : []))
  const states = places.flatMap((place) => (place.kind === 'state' ? [place.state] : []))
  const zips = places.flatMap((place) => (place.kind === 'zip' ? [place.zip] : []))
  return {
    online: channels.includes('ONLINE'),
    stores: channels.includes('IN_STORE') || places.length > 0,
    anywhere: places.length === 0,
    words: [...states, ...zips],
    around: zips.flatMap((zip) => zipState(zip) ?? []),
    states: states.map(stateNumber),
    zips: zips.map(zipNumber),
    points: pointsOf(points),
    reaches: points.map(({ radius }) => reachOf(radius)),
  }
}

/** Any of the channels is enough; places narrow offers in stores. */
export function matchesLocation({ traits, stores }: Block, offer: number, where: LocationMatch): boolean {
  const own = traits[offer] ?? 0
  if (where.online && (own & ONLINE) !== 0) return true
  if (!where.stores || (own & IN_STORE) === 0) return false
  if (where.anywhere) return true
  for (let store = stores.storeFrom[offer] ?? 0; store < (stores.storeFrom[offer + 1] ?? 0); store++) {
    if (where.states.includes(stores.states[store] ?? 0) || where.zips.includes(stores.zips[store] ?? -1)) return true
    for (let at = 0; at < where.reaches.length; at++) {
      if (chordSquare(stores.points, store, where.points, at) <= (where.reaches[at] ?? 0)) return true
    }
  }
  const location = where.words.length === 0 ? undefined : stores.locations.get(offer)
  if (location === undefined) return false
  return location.words.some((word) => where.words.includes(word)) || where.around.includes(location.state ?? '')
}

/** The points from which distances are measured: points and centers of zip codes that a filter names. */
export function originsOf(location: LocationFilter | null): Float64Array {
  const places = location?.places ?? []
  return pointsOf(
    places.flatMap((place) => {
      if (place.kind === 'point') return [place]
      return place.kind === 'zip' ? (zipCentroid(place.zip) ?? []) : []
    }),
  )
}

/** The smallest squared chord between an offer's stores and the origins; infinite if no store has a known place. */
export function chordTo({ stores, traits }: Block, offer: number, origins: Float64Array): number {
  let least = Number.POSITIVE_INFINITY
  if (((traits[offer] ?? 0) & IN_STORE) === 0) return least
  for (let store = stores.storeFrom[offer] ?? 0; store < (stores.storeFrom[offer + 1] ?? 0); store++) {
    for (let at = 0; 3 * at < origins.length; at++) {
      const gap = chordSquare(stores.points, store, origins, at)
      if (gap < least) least = gap
    }
  }
  return least
}
