import { leastChord, pointsOf, reachOf } from '../../platform/chords.ts'
import { type Point, plainPostalCode, zipCentroid, zipState } from '../../platform/geography.ts'
import { type Block, IN_STORE, ONLINE } from '../table/block.ts'
import { postalNumber, stateNumber } from '../table/block-stores.ts'

/** Where a user wants to redeem, in the form in which the columns of a block are compared with it. */
export type LocationFilter = {
  readonly online: boolean
  readonly inStore: boolean
  /** No place narrows the offers in stores. */
  readonly anywhere: boolean
  /** States and postal codes, in upper case as in the locations of offers. */
  readonly words: readonly string[]
  /** The states of the ZIP codes, because an offer for a whole state can be redeemed there, too. */
  readonly around: readonly string[]
  readonly states: readonly number[]
  readonly zips: readonly number[]
  readonly points: Float64Array
  /** The squared chord of the radius around each point. */
  readonly reach: number
  /** The points from which distances are measured: points and centers of zip codes. */
  readonly origins: Float64Array
}

/** Ten kilometres: a drive across a town. */
export const RADIUS_DEFAULT = 10_000
// Longer than coordinates, or containing a letter.
const POSTAL_CODE = /^(?=[^\d]*\d)(?=.*[A-Z]|.{4})[A-Z0-9][A-Z0-9 -]{1,8}[A-Z0-9]$/
const NUMBER = /^-?\d{1,3}(\.\d{1,15})?$/

/**
 * Reads the values of `location`, which arrive split at commas: two numbers in a row are a point. The radius is in
 * metres.
 * @returns the value that is none of the allowed ones as `unknown`.
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
    } else if (POSTAL_CODE.test(upper)) zips.push(plainPostalCode(upper))
    else return { unknown: value }
  }
  const anywhere = states.length + zips.length + points.length === 0
  const filter = {
    online: channels.includes('ONLINE'),
    inStore: channels.includes('IN_STORE') || !anywhere,
    anywhere,
    words: [...states, ...zips],
    around: zips.flatMap((zip) => zipState(zip) ?? []),
    states: states.map(stateNumber),
    zips: zips.map(postalNumber),
    points: pointsOf(points),
    reach: reachOf(radius),
    origins: pointsOf([...points, ...zips.flatMap((zip) => zipCentroid(zip) ?? [])]),
  }
  return { filter }
}

function isCoordinate(text: string, limit: number): boolean {
  return NUMBER.test(text) && Math.abs(Number(text)) <= limit
}

/** Any of the channels is enough; places narrow offers in stores. */
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
  if (from < to && leastChord(stores.points, from, to, where.points) <= where.reach) return true
  const location = where.words.length === 0 ? undefined : stores.locations.get(offer)
  if (location === undefined) return false
  return location.words.some((word) => where.words.includes(word)) || where.around.includes(location.state ?? '')
}

/** The smallest squared chord between an offer's stores and points; infinite if no store has a known place. */
export function chordTo({ stores, traits }: Block, offer: number, points: Float64Array): number {
  if (((traits[offer] ?? 0) & IN_STORE) === 0) return Number.POSITIVE_INFINITY
  return leastChord(stores.points, stores.storeFrom[offer] ?? 0, stores.storeFrom[offer + 1] ?? 0, points)
}
