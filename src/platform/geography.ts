import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** A point on the earth, in degrees. */
export type Point = { readonly latitude: number; readonly longitude: number }

export const EARTH_RADIUS_METRES = 6_371_000
export const RADIANS = Math.PI / 180

/** Returns the great-circle distance in meters (haversine). */
export function computeDistanceMetres(a: Point, b: Point): number {
  const chord =
    halfChord(a.latitude, b.latitude) +
    Math.cos(a.latitude * RADIANS) * Math.cos(b.latitude * RADIANS) * halfChord(a.longitude, b.longitude)
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(chord)))
}

function halfChord(fromDegrees: number, toDegrees: number): number {
  return Math.sin(((toDegrees - fromDegrees) * RADIANS) / 2) ** 2
}

// Uppercase country names and codes used in addresses with zip codes. US territories have their own country codes.
const ZIP_COUNTRIES = ['US', 'USA', 'UNITED STATES', 'UNITED STATES OF AMERICA', 'PR', 'GU', 'VI', 'AS', 'MP']

/**
 * Returns the centroid of a US zip code; null if it is unknown or foreign. A zip code can cover anything from a block
 * to a county, so its centroid indicates a region rather than a position.
 * @param country code or name; if missing, five digits are assumed to be a zip code
 */
export function findZipCentroid(postalCode: string, country: string | null = null): Point | null {
  const plainCountry = country?.trim().toUpperCase() ?? ''
  const zip = plainCountry === '' || ZIP_COUNTRIES.includes(plainCountry) ? zipIn(postalCode) : null
  return zip === null ? null : findCentroid(table(), Number(zip))
}

/** Extracts the first five digits of a ZIP or ZIP+4 code; null for any other postal code. */
function zipIn(postalCode: string): string | null {
  return /^(\d{5})(?:-?\d{4})?$/.exec(postalCode.trim())?.[1] ?? null
}

/**
 * Normalizes a postal code for comparison: upper case, without spaces or hyphens. The last four digits of a ZIP+4 code
 * are dropped, because they are rarely present on both sides.
 */
export function normalizePostalCode(postalCode: string): string {
  return zipIn(postalCode) ?? postalCode.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
}

function findCentroid({ centroids }: Table, zip: number): Point | null {
  const latitude = centroids[2 * zip]
  const longitude = centroids[2 * zip + 1]
  return latitude === undefined || longitude === undefined || Number.isNaN(latitude) ? null : { latitude, longitude }
}

/** Returns the two-letter state of a zip code; null if it is unknown. */
export function findZipState(postalCode: string): string | null {
  const zip = zipIn(postalCode)
  return zip === null ? null : (table().states.get(Number(zip)) ?? null)
}

/** Returns the centroids of a city's zip codes in one state or in all states; empty for an unknown city. */
export function findCityCentroids(city: string, state: string | null): readonly Point[] {
  const known = table()
  const zips = (known.cities.get(plainCity(city)) ?? []).filter(
    (zip) => state === null || known.states.get(zip) === state,
  )
  const middles = new Map(zips.map((zip) => [String(known.centroids.subarray(2 * zip, 2 * zip + 2)), zip]))
  return [...middles.values()].flatMap((zip) => findCentroid(known, zip) ?? [])
}

/** Returns true if the region of a zip code exists. New zip codes are added every year, but new regions are not. */
export function isZipRegion(zipCode: string): boolean {
  return table().regions.has(zipCode.slice(0, REGION_DIGITS))
}

/** Returns true for the two-letter code of a US state or a Canadian province. */
export function isState(code: string): boolean {
  return table().codes.has(code)
}

/** Looks up the two-letter code of a US state by name, ignoring case; null if there is none. */
export function findStateCode(name: string): string | null {
  return table().codeOfName.get(name.trim().replaceAll(/\s+/g, ' ').toUpperCase()) ?? null
}

const ZIP_CODES = 100_000
// The first three digits identify the sectional center that sorts the mail.
const REGION_DIGITS = 3

type Table = {
  /** Latitude and longitude by zip code. */
  readonly centroids: Float32Array
  readonly states: ReadonlyMap<number, string>
  readonly cities: ReadonlyMap<string, readonly number[]>
  readonly regions: ReadonlySet<string>
  readonly codes: ReadonlySet<string>
  readonly codeOfName: ReadonlyMap<string, string>
}
let read: Table | null = null

function table(): Table {
  read ??= readTable()
  return read
}

/**
 * Builds a compact table from the package's 42,555 rows on first use. The table takes about 4 MB instead of about 20
 * MB, at the cost of half a meter of precision in the centroids.
 */
function readTable(): Table {
  const codes = readCodes()
  const names = load('zipcodes/lib/states.js') as { readonly full: Readonly<Record<string, string>> }
  const centroids = new Float32Array(2 * ZIP_CODES).fill(Number.NaN)
  const states = new Map<number, string>()
  const zipsByCity = new Map<string, number[]>()
  const regions = new Set<string>()
  const spellings = new Map<string, string>()
  for (const [zip, { latitude, longitude, state, city }] of Object.entries(codes)) {
    const number = Number(zip)
    if (!spellings.has(state)) spellings.set(state, state)
    states.set(number, spellings.get(state) ?? state)
    centroids[2 * number] = latitude
    centroids[2 * number + 1] = longitude
    const zips = zipsByCity.get(city)
    if (zips === undefined) zipsByCity.set(city, [number])
    else zips.push(number)
    regions.add(zip.slice(0, REGION_DIGITS))
  }
  // Each spelling is normalized only once: a city has many zip codes, most of which spell its name the same way.
  const cities = new Map<string, number[]>()
  for (const [city, zips] of zipsByCity) {
    const name = plainCity(city)
    cities.set(name, [...(cities.get(name) ?? []), ...zips])
  }
  const named = Object.entries(names.full)
  return {
    centroids,
    states,
    cities,
    regions,
    codes: new Set([...spellings.keys(), ...named.map(([, code]) => code)]),
    codeOfName: new Map(named.filter(([, code]) => spellings.has(code))),
  }
}
type Row = Point & { readonly state: string; readonly city: string }

const load = createRequire(import.meta.url)

/**
 * Parses the package's table, a 5 MB module that holds one JSON object. Compiling the module as code would take three
 * times as long.
 */
function readCodes(): Readonly<Record<string, Row>> {
  const text = readFileSync(load.resolve('zipcodes/lib/codes.js'), 'utf8')
  const start = text.indexOf('{')
  return JSON.parse(text.slice(start, text.indexOf('};', start) + 1)) as Record<string, Row>
}

const CITY_WORDS: Readonly<Record<string, string>> = { ST: 'SAINT', FT: 'FORT', MT: 'MOUNT' }

function plainCity(city: string): string {
  const words = city
    .toUpperCase()
    .replaceAll(/['.]/g, '')
    .split(/[^A-Z0-9]+/)
  return words.flatMap((word) => (word === '' ? [] : (CITY_WORDS[word] ?? word))).join(' ')
}

type NamedPlace = { readonly city: string | null; readonly state: string | null; readonly zip: string | null }

// Matches postal codes of any country, such as SW1A 1AA, 1234 AB or VLT 1117. All-letter parts must be short, and later
// ones shorter still, because city names may also start with a number (29 Palms, 100 Mile House).
const POSTAL_CODE = /^(?=.*\d)(?=.{3,10}$)(?:[A-Z]{1,4}|[A-Z]*\d[A-Z0-9]*)(?:[ -](?:[A-Z]{1,2}|[A-Z]*\d[A-Z0-9]*))*$/
const PLACE = /^(?:(?:(.*),\s*)?([A-Z]{2}))?\s*(\d{5})?(?:-\d{4})?$/

/**
 * Parses a place and converts it to upper case: "TX", "Austin", "Austin, TX", "Austin, TX 78701", "78701" or "SW1A
 * 1AA".
 */
export function parsePlace(text: string): NamedPlace {
  const plain = text.trim().toUpperCase()
  const found = PLACE.exec(plain)
  if (found === null && POSTAL_CODE.test(plain)) return { city: null, state: null, zip: normalizePostalCode(plain) }
  if (found === null) return { city: plain, state: null, zip: null }
  return { city: found[1]?.trim() || null, state: found[2] ?? null, zip: found[3] ?? null }
}
