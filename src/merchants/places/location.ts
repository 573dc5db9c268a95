import { hashOf, hashOfBoth } from '../../platform/text-hash.ts'
import { cityBeginnings, cityEndings, otherTrades, sharedTrades, stateCodes } from '../packs/words.ts'
import { fold, hashBetween, isNumeric, squeezedBetween, type Tokens, tokenize } from '../text/tokens.ts'
import { isCityIn, mayBeCity } from './cities.ts'

/** The state a descriptor ends with, and what stands directly before it in the same token (`VIEWCA`). */
export type Place = {
  readonly state: string
  /** The token that holds the state. */
  readonly at: number
  /** The city's letters in that token. */
  readonly glued: string
}

// What may stand behind the state: postal codes, dates, references, the country.
const mostBehindState = 5

/** Finds the state at the end of the tokens before `end`. */
export function placeOf({ texts }: Tokens, from: number, end: number): Place | null {
  const least = Math.max(from + 1, end - mostBehindState)
  for (let at = end - 1; at >= least; at -= 1) {
    const text = texts[at] ?? ''
    if (stateCodes.has(text)) return { state: text, at, glued: '' }
    const glued = gluedPlace(texts, text, at)
    if (glued !== null) return glued
    if (!isNumeric(text) && text.length > 1 && !behindState.has(text)) return null
  }
  return null
}

const behindState: ReadonlySet<string> = new Set(['us', 'usa', 'xx', 'card'])

function gluedPlace(texts: readonly string[], text: string, at: number): Place | null {
  if (text.length < 4) return null
  const bare = text.endsWith('us') && stateCodes.has(text.slice(-4, -2)) ? text.slice(0, -2) : text
  const state = bare.slice(-2)
  if (!stateCodes.has(state)) return null
  const glued = bare.slice(0, -2)
  if (glued === '') return { state, at, glued }
  let city = glued
  for (let first = at - 1; first >= at - mostCityWords; first -= 1) {
    if (isCityIn(state, city) || isTwice(city, (half) => isCityIn(state, half))) return { state, at, glued }
    city = (texts[first] ?? '') + city
  }
  return null
}

// The longest city names have three words ("Salt Lake City", "Rancho Santa Margarita").
const mostCityWords = 3

/** Where a descriptor says it is. */
export type Location = {
  /** Where the bank's own words begin again. */
  readonly end: number
  readonly place: Place | null
  /** The folded city of the purchase without spaces; empty: unknown. */
  readonly city: string
  /** The tokens at which a known city before the place's state begins, last first; every reader of the text asks. */
  readonly cityAts: readonly number[]
  /** The city stands by itself, so nothing is printed onto it. */
  readonly hasOwnCity: boolean
}

/** What stands around the name that begins at `field`, where the purchase was in that city; a column of its own tells where the text says it. */
export function locationOf(
  tokens: Tokens,
  field: number,
  end: number,
  cityOfPurchase: string | undefined,
  columnAt = -1,
): Location {
  const place = placeOf(tokens, field, end)
  const city = cityOfPurchase === undefined ? '' : tokenize(fold(cityOfPurchase)).squeezed
  const isColumn = place !== null && columnAt > field && columnAt <= place.at
  const cityAts = isColumn
    ? [columnAt]
    : place === null
      ? []
      : citiesBefore(tokens, { ...place, start: field + 1, until: place.at, city })
  const location = { end, place, city, cityAts, hasOwnCity: false }
  const cityAt = knownCityStart(tokens, field + 1, end, location)
  return { ...location, hasOwnCity: cityAt >= 0 && (place === null || cityAt < place.at || place.glued !== '') }
}

/**
 * Where the city before the state begins among the tokens from `start` on: at `start` when nothing but the place
 * follows, behind it when other words come first, -1 when none is recognised. A city that is named twice, as many
 * shops do, begins at its first mention.
 */
export function cityStart(tokens: Tokens, start: number, end: number, location: Location): number {
  const { place } = location
  const known = knownCityStart(tokens, start, end, location)
  if (known >= 0 || place === null || place.at < start || place.at >= end || place.glued !== '') return known
  return looksLikeCity(tokens.texts.slice(start, place.at)) ? start : -1
}

/** The same without a guess at cities that no pack lists. */
export function knownCityStart(tokens: Tokens, start: number, end: number, location: Location): number {
  const { place, city, cityAts } = location
  if (place === null || place.at < start || place.at >= end) {
    const state = place === null || place.at < start ? null : place.state
    if (state === null && city === '') return -1
    return citiesBefore(tokens, { start, until: end, glued: '', state, city }).at(-1) ?? -1
  }
  return cityAts.findLast((at) => at >= start) ?? (place.glued === '' && place.at === start ? start : -1)
}

type Search = {
  readonly start: number
  readonly until: number
  readonly glued: string
  readonly state: string | null
  readonly city: string
}

/** The tokens at which a city begins that ends before `until`, or with what is glued to the state there; last first. */
function citiesBefore(tokens: Tokens, { start, until, glued, state, city }: Search): number[] {
  const { squeezed, offsets } = tokens
  const stop = (offsets[until] ?? 0) + glued.length
  const isNamed = (name: string) => name === city || (state !== null && isCityIn(state, name))
  const found: number[] = []
  const ending = state === null ? '' : glued + state
  const endingHash = hashOf(ending)
  for (let at = until - 1; at >= Math.max(start, until - 2 * mostCityWords); at -= 1) {
    const from = offsets[at] ?? 0
    const length = stop - from
    const mayBeNamed =
      length === city.length ||
      (state !== null && mayBeCity(hashOfBoth(hashBetween(tokens, at, until), endingHash, ending.length)))
    const mayBeTwice = length % 2 === 0 && squeezed.charCodeAt(from) === squeezed.charCodeAt(from + length / 2)
    if (!mayBeNamed && !mayBeTwice) continue
    const joined = glued === '' ? squeezedBetween(tokens, at, until) : squeezed.slice(from, stop)
    if (isNamed(joined) || isTwice(joined, isNamed)) found.push(at)
  }
  return found
}

function isTwice(joined: string, isNamed: (name: string) => boolean): boolean {
  const half = joined.length / 2
  if (!Number.isInteger(half) || joined.charCodeAt(0) !== joined.charCodeAt(half)) return false
  return joined.endsWith(joined.slice(0, half)) && isNamed(joined.slice(half))
}

function looksLikeCity(words: readonly string[]): boolean {
  if (words.length > mostCityWords || words.some(isNoCity) || otherTrades.has(words[0] ?? '')) return false
  return words.length < 2 || cityBeginnings.has(words[0] ?? '') || cityEndings.has(words.at(-1) ?? '')
}

// A bank that prints the city without a space leaves words like `STORETEMPE`, which may be the end of a longer name.
const isNoCity = (word: string) =>
  word.length < 3
    ? word !== 'st' && word !== 'mt' && word !== 'ft' && word !== 'la' && word !== 'el'
    : sharedTrades.has(word) || isNumeric(word) || /^(?:store|station|outlet|factory)/.test(word)

/** Whether the city may be printed onto the end of what the token says. */
export function mayCarryCity({ place, city, hasOwnCity }: Location, at: number): boolean {
  return !hasOwnCity && (city !== '' || (place !== null && place.at > at && place.at - at <= mostCityWords))
}

/** Whether the city of the descriptor's end begins inside a token, printed onto what stands before it (`VONSOAKLAND CA`). */
export function isCityFrom(
  { squeezed, offsets }: Tokens,
  { at, split }: { readonly at: number; readonly split: number },
  { place, city, end }: Location,
): boolean {
  const from = (offsets[at] ?? 0) + split
  if (city !== '' && squeezed.slice(from, offsets[at + 1]) === city) return true
  const until = place === null ? end : place.at
  if (until - at > mostCityWords || until <= at) return false
  const named = squeezed.slice(from, offsets[until]) + (place?.glued ?? '')
  if (named.length < shortestGluedCity) return false
  return named === city || (place !== null && isCityIn(place.state, named))
}

// Shorter names of cities end many words.
const shortestGluedCity = 4
