import { EARTH_RADIUS_METRES, type Point, RADIANS } from '../../platform/geography.ts'

/**
 * Converts places to points on the unit sphere, three coordinates each. Chord lengths between points sort like surface
 * distances but need no trigonometry.
 */
export function toPoints(places: readonly (Point | null)[]): Float64Array {
  const points = new Float64Array(3 * places.length)
  places.forEach((place, at) => {
    const latitude = (place?.latitude ?? Number.NaN) * RADIANS
    const longitude = (place?.longitude ?? Number.NaN) * RADIANS
    points[3 * at] = Math.cos(latitude) * Math.cos(longitude)
    points[3 * at + 1] = Math.cos(latitude) * Math.sin(longitude)
    points[3 * at + 2] = Math.sin(latitude)
  })
  return points
}

/**
 * Returns the smallest squared chord between the points from `from` to `to` (exclusive) and the other points; infinity
 * if no location is known.
 */
export function findLeastChord(points: Float64Array, from: number, to: number, others: Float64Array): number {
  let least = Number.POSITIVE_INFINITY
  for (let at = 3 * from; at < 3 * to; at += 3) {
    for (let other = 0; other < others.length; other += 3) {
      const x = (points[at] ?? 0) - (others[other] ?? 0)
      const y = (points[at + 1] ?? 0) - (others[other + 1] ?? 0)
      const z = (points[at + 2] ?? 0) - (others[other + 2] ?? 0)
      const square = x * x + y * y + z * z
      if (square < least) least = square
    }
  }
  return least
}

/** Converts a surface distance to a squared chord. */
export function toSquaredChord(metres: number): number {
  return (2 * Math.sin(Math.min(metres / (2 * EARTH_RADIUS_METRES), Math.PI / 2))) ** 2
}

/** Converts a squared chord to a surface distance; null if it is infinite. */
export function toMetres(chordSquare: number): number | null {
  if (chordSquare === Number.POSITIVE_INFINITY) return null
  return Math.round(2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(chordSquare) / 2)))
}
