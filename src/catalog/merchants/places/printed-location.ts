import { hashText, joinHashes } from '../../../platform/text/text-hash.ts'
import { afterState, cityEndings, cityOpenings, isState, shortCityWords } from '../packs/geography.ts'
import { otherTrades, sharedTrades } from '../packs/words.ts'
import { fold, hashBetween, isNumeric, type Tokens, tokenize } from '../text/tokens.ts'
import { isCityHash, isCityIn } from './cities.ts'

/** The state at the end of a descriptor, and the text before it in the same token (`VIEWCA`). */
export type PrintedState = {
  readonly state: string
  /** The token that contains the state. */
  readonly at: number
  /** The city's letters in that token. */
  readonly glued: string
}

/** The location of a store according to its descriptor. */
export type Location = {
  /** Where the bank's own words resume. */
  readonly end: number
  readonly place: PrintedState | null
  /** The folded city of the purchase without spaces; empty if unknown. */
  readonly city: string
  /** The tokens at which a known city begins, either at the end or before the state, last first. */
  readonly cityAts: readonly number[]
  /** True if the city is a separate token, not run together with anything else. */
  readonly hasOwnCity: boolean
}

/**
 * Finds the location printed after the name that begins at `field`. If the text has a city column, the column begins at
 * the token `columnAt`.
 */
export function findLocation(
  tokens: Tokens,
  field: number,
  end: number,
  cityOfPurchase: string | undefined,
  columnAt = -1,
): Location {
  const place = findState(tokens, field, end)
  const city = cityOfPurchase === undefined ? '' : tokenize(fold(cityOfPurchase)).squeezed
  const { state = null, glued = '', at: until = end } = place ?? {}
  const isColumn = place !== null && columnAt > field && columnAt <= until
  const cityAts = isColumn ? [columnAt] : citiesBefore(tokens, { start: field + 1, until, glued, state, city })
  const [last = until] = cityAts
  return { end, place, city, cityAts, hasOwnCity: last < until || (glued !== '' && cityAts.length > 0) }
}

// Postal codes, dates, references and the country may follow the state.
const tokensAfterStateMax = 5

/** Returns the state among the last tokens before `end`. */
function findState({ texts }: Tokens, from: number, end: number): PrintedState | null {
  const least = Math.max(from + 1, end - tokensAfterStateMax)
  for (let at = end - 1; at >= least; at -= 1) {
    const text = texts[at] ?? ''
    if (isState(text)) return { state: text, at, glued: '' }
    const glued = gluedPlace(texts, text, at)
    if (glued !== null) return glued
    if (!isNumeric(text) && text.length > 1 && !afterState.has(text)) return null
  }
  return null
}

function gluedPlace(texts: readonly string[], text: string, at: number): PrintedState | null {
  if (text.length < 4) return null
  const bare = text.endsWith('us') && isState(text.slice(-4, -2)) ? text.slice(0, -2) : text
  const state = bare.slice(-2)
  if (!isState(state)) return null
  const glued = bare.slice(0, -2)
  if (glued === '') return { state, at, glued }
  let city = glued
  for (let first = at - 1; first >= at - mostCityWords; first -= 1) {
    if (isCityIn(state, city) || isTwice(city, state, '')) return { state, at, glued }
    city = (texts[first] ?? '') + city
  }
  return null
}

// The longest city names have three words (`Salt Lake City`).
const mostCityWords = 3

/**
 * Returns where the city before the state begins among the tokens from `start`: at `start` if only the place follows,
 * later if other words come first, and -1 if none is recognized. Many merchants print the city twice, in which case it
 * begins at the first mention.
 */
export function findCityStart(tokens: Tokens, start: number, end: number, location: Location): number {
  const { place } = location
  const known = findKnownCityStart(tokens, start, end, location)
  if (known >= 0 || place === null || place.at < start || place.at >= end || place.glued !== '') return known
  return looksLikeCity(tokens.texts, start, place.at) ? start : -1
}

/** Like `findCityStart`, but does not guess at cities missing from the packs. */
export function findKnownCityStart(tokens: Tokens, start: number, end: number, location: Location): number {
  const { place, city, cityAts } = location
  if (place === null || place.at < start || place.at >= end) {
    const state = place === null || place.at < start ? null : place.state
    return citiesBefore(tokens, { start, until: end, glued: '', state, city }).at(-1) ?? -1
  }
  return cityAts.findLast((at) => at >= start) ?? (place.glued === '' && place.at === start ? start : -1)
}

type CitySearch = {
  readonly start: number
  readonly until: number
  readonly glued: string
  readonly state: string | null
  readonly city: string
}

/**
 * Returns the tokens where a city begins, last first. The city ends before `until`, or with the letters glued to the
 * state at `until`.
 */
function citiesBefore(tokens: Tokens, { start, until, glued, state, city }: CitySearch): number[] {
  const found: number[] = []
  if (state === null && city === '') return found
  const { squeezed, offsets } = tokens
  const stop = (offsets[until] ?? 0) + glued.length
  const endingHash = state === null ? 0 : hashText(state, hashText(glued))
  const endingLength = glued.length + 2
  for (let at = until - 1; at >= Math.max(start, until - 2 * mostCityWords); at -= 1) {
    const from = offsets[at] ?? 0
    const isCity =
      (state !== null && isCityHash(joinHashes(hashBetween(tokens, at, until), endingHash, endingLength))) ||
      (stop - from === city.length && squeezed.startsWith(city, from))
    const mayBeTwice = squeezed.charCodeAt(from) === squeezed.charCodeAt((from + stop) >>> 1)
    if (isCity || (mayBeTwice && isTwice(squeezed.slice(from, stop), state, city))) found.push(at)
  }
  return found
}

/**
 * Returns true if the letters are a city name printed twice, either a city of the state or the city of the purchase.
 */
function isTwice(joined: string, state: string | null, city: string): boolean {
  const name = joined.slice(0, joined.length / 2)
  return name + name === joined && (name === city || (state !== null && isCityIn(state, name)))
}

/**
 * Accepts several words as a city only if one is a typical first or last word of a city. Otherwise the first word
 * belongs to the merchant's name.
 */
function looksLikeCity(texts: readonly string[], start: number, end: number): boolean {
  if (end - start > mostCityWords || otherTrades.has(texts[start] ?? '')) return false
  for (let at = start; at < end; at += 1) if (isNoCity(texts[at] ?? '')) return false
  return end - start < 2 || cityOpenings.has(texts[start] ?? '') || cityEndings.has(texts[end - 1] ?? '')
}

// Banks that print the city without a space leave words like `STORETEMPE`, which may be the end of a longer name.
const isNoCity = (word: string) =>
  word.length < 3
    ? !shortCityWords.has(word)
    : sharedTrades.has(word) || isNumeric(word) || /^(?:store|station|outlet|factory)/.test(word)

/** Returns true if the end of the token may be a city run together with other text. */
export function mayCarryCity({ place, city, hasOwnCity }: Location, at: number): boolean {
  return !hasOwnCity && (city !== '' || (place !== null && place.at > at && place.at - at <= mostCityWords))
}

// Many words end in a shorter city name.
const shortestGluedCity = 4

/** Returns true if the city begins inside a token, run together with the text before it (`VONSOAKLAND CA`). */
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
