import type { Schemas } from '../../api/client.ts'
import { plural } from '../../format.ts'
import { CELL_LONGITUDE, LAND } from './land.ts'

type Place = Schemas['StorePlace']
type Bounds = { readonly west: number; readonly east: number; readonly south: number; readonly north: number }
const CONTIGUOUS: Bounds = { west: -125.5, east: -66, south: 24, north: 50 }
const MARGIN_DEGREES = 1
const WIDTH = 1000
const GRATICULE_DEGREES = 10

type Props = {
  readonly places: readonly Place[]
  readonly selected: string | undefined
  readonly onSelect: (place: string | undefined) => void
}

// Up to this many points are drawn at full size. If there are more, they shrink to reduce overlap.
const FULL_SIZE_PLACES = 100
const RADIUS_MIN = 4

/**
 * Draws places as points on a map of the land, without loading map tiles. Degrees have the right proportions only at
 * the middle latitude, which is accurate enough for a country. The list next to the map gives the same information in
 * words.
 */
export function StoreMap({ places, selected, onSelect }: Props) {
  const bounds = computeBounds(places)
  const middle = ((bounds.south + bounds.north) / 2) * (Math.PI / 180)
  const scale = WIDTH / ((bounds.east - bounds.west) * Math.cos(middle))
  const x = (longitude: number) => (longitude - bounds.west) * Math.cos(middle) * scale
  const y = (latitude: number) => (bounds.north - latitude) * scale
  const height = y(bounds.south)
  const inView = ({ latitude, longitude }: { latitude: number; longitude: number }) =>
    latitude > bounds.south && latitude < bounds.north && longitude > bounds.west && longitude < bounds.east
  const shrink = Math.min(1, Math.sqrt(FULL_SIZE_PLACES / places.length))
  const [cellWidth, cellHeight] = [CELL_LONGITUDE * Math.cos(middle) * scale, scale]
  return (
    <svg
      role="img"
      aria-label={`${plural(places.length, 'place')} with stores; the list says where`}
      viewBox={`0 0 ${WIDTH} ${height.toFixed(0)}`}
      className="block h-auto w-full"
    >
      {linesBetween(bounds.west, bounds.east).map((degree) => (
        <line key={degree} x1={x(degree)} x2={x(degree)} y1="0" y2={height} className="stroke-line" />
      ))}
      {linesBetween(bounds.south, bounds.north).map((degree) => (
        <line key={degree} x1="0" x2={WIDTH} y1={y(degree)} y2={y(degree)} className="stroke-line" />
      ))}
      {LAND.filter(inView).map(({ latitude, longitude }) => (
        <rect
          key={`${latitude} ${longitude}`}
          x={x(longitude) - cellWidth * 0.4}
          y={y(latitude) - cellHeight * 0.4}
          width={cellWidth * 0.8}
          height={cellHeight * 0.8}
          rx={cellHeight * 0.2}
          className="fill-brand-soft"
        />
      ))}
      {places.map(({ place, latitude, longitude, stores }) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the filters narrow the list by keyboard
        <circle
          key={place}
          cx={x(longitude)}
          cy={y(latitude)}
          r={Math.max(RADIUS_MIN, shrink * Math.min(22, 7 + Math.sqrt(stores) * 2))}
          onClick={() => onSelect(place === selected ? undefined : place)}
          className={
            place === selected
              ? 'cursor-pointer fill-gold stroke-surface stroke-2'
              : 'cursor-pointer fill-brand/75 stroke-surface stroke-2 hover:fill-gold'
          }
        >
          <title>{plural(stores, 'store')}</title>
        </circle>
      ))}
    </svg>
  )
}

/**
 * Returns the bounds of the contiguous United States if all places are within them; otherwise, those of the area around
 * the places.
 */
function computeBounds(places: readonly Place[]): Bounds {
  const [lats, lons] = [places.map(({ latitude }) => latitude), places.map(({ longitude }) => longitude)]
  const around = {
    west: Math.min(...lons) - MARGIN_DEGREES,
    east: Math.max(...lons) + MARGIN_DEGREES,
    south: Math.min(...lats) - MARGIN_DEGREES,
    north: Math.max(...lats) + MARGIN_DEGREES,
  }
  const isInside =
    around.west >= CONTIGUOUS.west &&
    around.east <= CONTIGUOUS.east &&
    around.south >= CONTIGUOUS.south &&
    around.north <= CONTIGUOUS.north
  return places.length === 0 || isInside ? CONTIGUOUS : around
}

function linesBetween(from: number, to: number): number[] {
  const first = Math.ceil(from / GRATICULE_DEGREES) * GRATICULE_DEGREES
  return Array.from(
    { length: Math.max(0, Math.floor((to - first) / GRATICULE_DEGREES) + 1) },
    (_, index) => first + index * GRATICULE_DEGREES,
  )
}
