import { createRequire } from 'node:module'

/** A place on the map, in degrees. */
export type Point = { readonly latitude: number; readonly longitude: number }

const EARTH_RADIUS_METRES = 6_371_000
const RADIANS = Math.PI / 180

/** Great-circle distance (haversine). */
export function distanceMetres(a: Point, b: Point): number {
  const chord =
    halfChord(a.latitude, b.latitude) +
    Math.cos(a.latitude * RADIANS) * Math.cos(b.latitude * RADIANS) * halfChord(a.longitude, b.longitude)
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(chord)))
}

function halfChord(fromDegrees: number, toDegrees: number): number {
  return Math.sin(((toDegrees - fromDegrees) * RADIANS) / 2) ** 2
}

/**
 * The middle of a zip code's area in the United States, or null where the table does not know it. An area can be a block
 * or a county, so this says in what region something is, never where.
 */
export function zipCentroid(zipCode: string): Point | null {
  const zip = /^\d{5}/.exec(zipCode)?.[0]
  if (zip === undefined) return null
  centroids ??= readCentroids()
  const latitude = centroids[2 * Number(zip)]
  const longitude = centroids[2 * Number(zip) + 1]
  return latitude === undefined || longitude === undefined || Number.isNaN(latitude) ? null : { latitude, longitude }
}

/** The state that a zip code lies in, two letters, or null where the table does not know it. */
export function zipState(zipCode: string): string | null {
  const zip = /^\d{5}/.exec(zipCode)?.[0]
  if (zip === undefined) return null
  centroids ??= readCentroids()
  return states.get(Number(zip)) ?? null
}

const ZIP_CODES = 100_000
let centroids: Float32Array | null = null
const states = new Map<number, string>()

/**
 * Latitude and longitude by zip code. The package keeps its 42,555 rows as objects (some 20 MB); of those only the numbers are kept
 * (0.8 MB), and only once somebody asks. Half a metre is lost, of kilometres that a centroid is wide.
 */
function readCentroids(): Float32Array {
  const load = createRequire(import.meta.url)
  const file = load.resolve('zipcodes/lib/codes.js')
  const { codes } = load(file) as { readonly codes: Readonly<Record<string, Point & { readonly state: string }>> }
  delete load.cache[file]
  const table = new Float32Array(2 * ZIP_CODES).fill(Number.NaN)
  const spellings = new Map<string, string>()
  for (const [zip, { latitude, longitude, state }] of Object.entries(codes)) {
    if (!spellings.has(state)) spellings.set(state, state)
    states.set(Number(zip), spellings.get(state) ?? state)
    table[2 * Number(zip)] = latitude
    table[2 * Number(zip) + 1] = longitude
  }
  return table
}
