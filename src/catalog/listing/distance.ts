import type { Point } from '../../platform/geography.ts'

const EARTH_RADIUS_METRES = 6_371_000

/**
 * Points on the unit sphere, three numbers each. Chords between them order as distances do and need no trigonometry.
 */
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
export function chordSquare(points: Float64Array, at: number, others: Float64Array, other: number): number {
  const x = (points[3 * at] ?? 0) - (others[3 * other] ?? 0)
  const y = (points[3 * at + 1] ?? 0) - (others[3 * other + 1] ?? 0)
  const z = (points[3 * at + 2] ?? 0) - (others[3 * other + 2] ?? 0)
  return x * x + y * y + z * z
}

/** The squared chord of a distance along the surface. */
export function reachOf(metres: number): number {
  return (2 * Math.sin(Math.min(metres / (2 * EARTH_RADIUS_METRES), Math.PI / 2))) ** 2
}

export function metresOf(gap: number): number {
  return Math.round(2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(gap) / 2)))
}
