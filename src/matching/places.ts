import { isCityIn } from './cities.ts'
import { isNumeric, type Tokens } from './names.ts'
import { cityBeginnings, cityEndings, otherTrades, sharedTrades, stateCodes } from './words.ts'

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

/**
 * Where the city before the state begins among the tokens from `start` on: at `start` when nothing but the place
 * follows, behind it when other words come first, -1 when none is recognised. `city` is the purchase's own, folded,
 * without spaces. A city that is named twice, as many shops do, begins at its first mention.
 */
export function cityStart(
  texts: readonly string[],
  start: number,
  end: number,
  place: Place | null,
  city: string,
): number {
  const known = knownCityStart(texts, start, end, place, city)
  if (known >= 0 || place === null || place.at < start || place.at >= end || place.glued !== '') return known
  return looksLikeCity(texts.slice(start, place.at)) ? start : -1
}

/** The same without a guess at cities that no pack lists. */
export function knownCityStart(
  texts: readonly string[],
  start: number,
  end: number,
  place: Place | null,
  city: string,
): number {
  const before = place !== null && place.at >= start && place.at < end ? place : null
  const until = before === null ? end : before.at
  const state = place === null || place.at < start ? null : place.state
  const isNamed = (name: string) => name === city || (state !== null && isCityIn(state, name))
  let joined = before === null ? '' : before.glued
  let found = joined === '' && before !== null && until === start ? start : -1
  for (let at = until - 1; at >= Math.max(start, until - 2 * mostCityWords); at -= 1) {
    joined = (texts[at] ?? '') + joined
    if (isNamed(joined) || isTwice(joined, isNamed)) found = at
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

/** Whether the city of the descriptor's end begins inside a token, printed onto what stands before it (`VONSOAKLAND CA`). */
export function isCityFrom(
  texts: readonly string[],
  { at, split, end }: { readonly at: number; readonly split: number; readonly end: number },
  place: Place | null,
  city: string,
): boolean {
  const part = (texts[at] ?? '').slice(split)
  if (part === city && city !== '') return true
  const until = place === null ? end : place.at
  if (until - at > mostCityWords || until <= at) return false
  const named = part + texts.slice(at + 1, until).join('') + (place?.glued ?? '')
  if (named.length < shortestGluedCity) return false
  return named === city || (place !== null && isCityIn(place.state, named))
}

// Shorter names of cities end many words.
const shortestGluedCity = 4
