import Type from 'typebox'
import type { Point } from '../../../platform/geography.ts'
import { field, integer, text } from '../../../platform/resource/fields.ts'
import { type ResourceRow, resource } from '../../../platform/resource/resource.ts'

export const LATITUDE = Type.Number({ description: 'Degrees north of the equator.' })
export const LONGITUDE = Type.Number({ description: 'Degrees east of Greenwich.' })

/** A cluster of stores that share one point on a map, at their average position. */
export const STORE_PLACE = resource('StorePlace', {
  // The grid cell: how many times its side was doubled, then its row and column.
  place: text({ example: '0-1307-1059', description: 'Value for the `place` filter.' }),
  latitude: field(LATITUDE, { example: 40.71 }, (degrees: number) => degrees),
  longitude: field(LONGITUDE, { example: -74.01 }, (degrees: number) => degrees),
  stores: integer({ example: 1, description: 'Number of stores at this place.' }),
})
type StorePlace = ResourceRow<typeof STORE_PLACE>
/** The pattern of place ids. Levels end at twelve, because only one place is left after twelve doublings. */
export const PLACE_PATTERN = '^(\\d|1[0-2])-\\d{1,4}-\\d{1,4}$'
type Cell = { stores: number; latitudes: number; longitudes: number }

// A cell of about ten kilometers is roughly one point on a map of a country.
const CELLS_PER_DEGREE = 10
// More points than this would overlap.
const PLACES_MAX = 2_000
// Exceeds the number of columns in the grid, so that row and column can be combined into one number.
const COLUMNS = 4_096
// About a meter.
const STEPS_PER_DEGREE = 100_000

/**
 * Counts stores by grid cell. Cells start at a tenth of a degree, and their sides are doubled whenever there are more
 * places than a map can show. The result does not depend on the order of the stores.
 */
export function createStorePlaces() {
  let level = 0
  let cells = new Map<number, Cell>()
  return {
    add: ({ latitude, longitude }: Point): void => {
      addTo(cells, toKey(level, { latitude, longitude }), { stores: 1, latitudes: latitude, longitudes: longitude })
      while (cells.size > PLACES_MAX) {
        level++
        cells = doubled(cells)
      }
    },
    /** Lists places, largest first, so that smaller ones are drawn on top. */
    list: (): StorePlace[] =>
      [...cells]
        .sort(([keyA, a], [keyB, b]) => b.stores - a.stores || keyA - keyB)
        .map(([key, { stores, latitudes, longitudes }]) => ({
          place: `${level}-${toRow(key)}-${toColumn(key)}`,
          stores,
          latitude: rounded(latitudes / stores),
          longitude: rounded(longitudes / stores),
        })),
  }
}

/** Returns a predicate that tests whether a point lies in the place, at any level. */
export function isIn(place: string): (point: Point) => boolean {
  const [level = 0, row = 0, column = 0] = place.split('-').map(Number)
  return (point) => toKey(level, point) === joined(row, column)
}

function doubled(cells: ReadonlyMap<number, Cell>): Map<number, Cell> {
  const larger = new Map<number, Cell>()
  for (const [key, cell] of cells) addTo(larger, joined(toRow(key) >> 1, toColumn(key) >> 1), cell)
  return larger
}

function addTo(cells: Map<number, Cell>, key: number, more: Cell): void {
  const cell = cells.get(key)
  if (cell === undefined) {
    cells.set(key, more)
    return
  }
  cell.stores += more.stores
  cell.latitudes += more.latitudes
  cell.longitudes += more.longitudes
}

function toKey(level: number, { latitude, longitude }: Point): number {
  const row = Math.floor((latitude + 90) * CELLS_PER_DEGREE)
  const column = Math.floor((longitude + 180) * CELLS_PER_DEGREE)
  return joined(row >> level, column >> level)
}

const joined = (row: number, column: number): number => row * COLUMNS + column
const toRow = (key: number): number => Math.floor(key / COLUMNS)
const toColumn = (key: number): number => key % COLUMNS
const rounded = (degrees: number): number => Math.round(degrees * STEPS_PER_DEGREE) / STEPS_PER_DEGREE
