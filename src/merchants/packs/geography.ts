import pack from './geography.json' with { type: 'json' }
import { setOf } from './lists.ts'

export const stateCodes = setOf(pack.states)
export const isState = (word: string) => stateCodes.has(word)

/** Words that may follow the state. */
export const afterState = setOf(pack.afterState)

/** Countries as descriptors from abroad end with. Codes that are also states or clipped words are left out. */
export const foreignCountries: ReadonlyMap<string, string> = new Map(
  Object.entries(pack.countries).flatMap(([country, codes]) =>
    codes.split(' ').map((code) => [code, country] as const),
  ),
)

/** How names of cities with several words begin and end. */
export const cityOpenings = setOf(pack.cityOpenings)
export const cityEndings = setOf(pack.cityEndings)

/** Words of fewer than three letters that occur in names of cities. */
export const shortCityWords = setOf(pack.shortCityWords)

type Shortened = readonly (readonly [word: string, short: readonly string[]])[]
const shortened = (words: Readonly<Record<string, string>>): Shortened =>
  Object.entries(words).map(([word, short]) => [word, short.split(' ')])

/** How statements shorten the first and the last word of a city: `FT WAYNE`, `PALM BCH`. */
export const shortOpenings = shortened(pack.shortOpenings)
export const shortEndings = shortened(pack.shortEndings)

/** Words that make a place, a venue or a body of the word before them: `STAPLES CENTER`, `UNITED WAY`. */
export const placeMakers = setOf(pack.placeMakers)

/** What a chain says about where its shop is. */
export const placeWords = setOf(pack.placeWords)

/** Neighborhoods that shops are named by, without spaces. */
export const neighborhoods = setOf(pack.neighborhoods)

/** With one of them a word or two before it name a square, a mall or the like. */
export const venueEndings = setOf(pack.venueEndings)

/** Airports as their shops print them in front of their names. */
export const airports = setOf(pack.airports)
