import pack from './geography.json' with { type: 'json' }
import { toSet } from './lists.ts'

export const stateCodes = toSet(pack.states)
export const isState = (word: string) => stateCodes.has(word)

/** Words that may follow the state. */
export const afterState = toSet(pack.afterState)

/** Countries as printed at the end of foreign descriptors. Codes that are also states or clipped words are left out. */
export const foreignCountries: ReadonlyMap<string, string> = new Map(
  Object.entries(pack.countries).flatMap(([country, codes]) =>
    codes.split(' ').map((code) => [code, country] as const),
  ),
)

/** First words of multi-word city names. `cityEndings` contains the last words. */
export const cityOpenings = toSet(pack.cityOpenings)
export const cityEndings = toSet(pack.cityEndings)

/** Words of one or two letters that occur in city names. */
export const shortCityWords = toSet(pack.shortCityWords)

type Shortened = readonly (readonly [word: string, short: readonly string[]])[]
const shortened = (words: Readonly<Record<string, string>>): Shortened =>
  Object.entries(words).map(([word, short]) => [word, short.split(' ')])

/** Abbreviations that statements use for the first and last words of a city: `FT WAYNE`, `PALM BCH`. */
export const shortOpenings = shortened(pack.shortOpenings)
export const shortEndings = shortened(pack.shortEndings)

/** Words that turn the word before them into a place, venue or organization: `STAPLES CENTER`, `UNITED WAY`. */
export const placeMakers = toSet(pack.placeMakers)

/** Words chains use to describe a store's location. */
export const placeWords = toSet(pack.placeWords)

/** Neighborhoods that stores are named after, without spaces. */
export const neighborhoods = toSet(pack.neighborhoods)

/** Endings that turn one or two preceding words into a square, a mall or the like. */
export const venueEndings = toSet(pack.venueEndings)

/** Airports, as printed by the stores there before their own names. */
export const airports = toSet(pack.airports)
