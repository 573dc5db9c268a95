import { findZipCentroid, findZipState, normalizePostalCode, type Point } from '../../../platform/geography.ts'
import { findLeastChord, toPoints, toSquaredChord } from '../chords.ts'
import { type Block, IN_STORE, ONLINE } from '../table/block.ts'
import { encodePostalCode, encodeState } from '../table/block-stores.ts'

/** The places where a user wants to redeem, in a form that can be compared with the columns of a block. */
export type LocationFilter = {
  readonly online: boolean
  readonly inStore: boolean
  /** True if in-store offers are not restricted to a place. */
  readonly anywhere: boolean
  /** States and postal codes, uppercase as in the locations of offers. */
  readonly words: readonly string[]
  /** The states that contain the zip codes. An offer for a whole state can be redeemed in any of its zip codes. */
  readonly around: readonly string[]
  readonly states: readonly number[]
  readonly zips: readonly number[]
  readonly points: Float64Array
  /** The squared chord of the radius around each point. */
  readonly reach: number
  /** Where distances are measured from: the points and the centers of the zip codes. */
  readonly origins: Float64Array
}

/** Ten kilometers: a drive across town. */
export const RADIUS_DEFAULT = 10_000
// A postal code has more digits than a coordinate, or contains a letter.
const POSTAL_CODE = /^(?=[^\d]*\d)(?=.*[A-Z]|.{4})[A-Z0-9][A-Z0-9 -]{1,8}[A-Z0-9]$/
const NUMBER = /^-?\d{1,3}(\.\d{1,15})?$/

/**
 * Parses the values of `location`, which arrive split at commas, so two consecutive numbers form a point. The radius is
 * in meters.
 * @returns the filter, or the first invalid value as `unknown`.
 */
export function readLocation(
  values: readonly string[],
  radius: number,
): { readonly filter: LocationFilter } | { readonly unknown: string } {
  const channels: string[] = []
  const states: string[] = []
  const zips: string[] = []
  const points: Point[] = []
  for (let at = 0; at < values.length; at++) {
    const value = (values[at] ?? '').trim()
    const upper = value.toUpperCase()
    const next = (values[at + 1] ?? '').trim()
    if (upper === 'IN_STORE' || upper === 'ONLINE') channels.push(upper)
    else if (/^[A-Z]{2}$/.test(upper)) states.push(upper)
    else if (isCoordinate(value, 90) && isCoordinate(next, 180)) {
      points.push({ latitude: Number(value), longitude: Number(next) })
      at++
    } else if (POSTAL_CODE.test(upper)) zips.push(normalizePostalCode(upper))
    else return { unknown: value }
  }
  const anywhere = states.length + zips.length + points.length === 0
  const filter = {
    online: channels.includes('ONLINE'),
    inStore: channels.includes('IN_STORE') || !anywhere,
    anywhere,
    words: [...states, ...zips],
    around: zips.flatMap((zip) => findZipState(zip) ?? []),
    states: states.map(encodeState),
    zips: zips.map(encodePostalCode),
    points: toPoints(points),
    reach: toSquaredChord(radius),
    origins: toPoints([...points, ...zips.flatMap((zip) => findZipCentroid(zip) ?? [])]),
  }
  return { filter }
}

function isCoordinate(text: string, limit: number): boolean {
  return NUMBER.test(text) && Math.abs(Number(text)) <= limit
}

/** Returns true if the offer matches any of the channels. Places narrow only in-store offers. */
export function matchesLocation({ traits, stores }: Block, offer: number, where: LocationFilter): boolean {
  const own = traits[offer] ?? 0
  if (where.online && (own & ONLINE) !== 0) return true
  if (!where.inStore || (own & IN_STORE) === 0) return false
  if (where.anywhere) return true
  const from = stores.storeFrom[offer] ?? 0
  const to = stores.storeFrom[offer + 1] ?? 0
  for (let store = from; store < to; store++) {
    if (where.states.includes(stores.states[store] ?? 0) || where.zips.includes(stores.zips[store] ?? -1)) return true
  }
  if (from < to && findLeastChord(stores.points, from, to, where.points) <= where.reach) return true
  const location = where.words.length === 0 ? undefined : stores.locations.get(offer)
  if (location === undefined) return false
  return location.words.some((word) => where.words.includes(word)) || where.around.includes(location.state ?? '')
}

/**
 * Returns the smallest squared chord between an offer's stores and the points; infinity if no store has a known
 * location.
 */
export function computeChordTo({ stores, traits }: Block, offer: number, points: Float64Array): number {
  if (((traits[offer] ?? 0) & IN_STORE) === 0) return Number.POSITIVE_INFINITY
  return findLeastChord(stores.points, stores.storeFrom[offer] ?? 0, stores.storeFrom[offer + 1] ?? 0, points)
}
