import { isBusiness } from '../packs/businesses.ts'
import { neighborhoods, placeMakers, placeWords, venueEndings } from '../packs/geography.ts'
import { prefixes } from '../packs/prefixes.ts'
import { isOwnTrade, isTrade } from '../packs/trades.ts'
import { companyForms, neutralWords, otherTrades, sharedTrades, storeNumberWords } from '../packs/words.ts'
import { beginsCityAnywhere, isCityAnywhere, isCityIn } from '../places/cities.ts'
import { findCityStart, findKnownCityStart, type Location } from '../places/printed-location.ts'
import { isPhone, isSite, readNumberAt, type StoreNumber } from '../text/store-number.ts'
import { isNumeric, type Tokens } from '../text/tokens.ts'

/**
 * The kind of text after a brand's name in a descriptor, which determines how far the name can be trusted.
 *
 * - `number`: a store, register or ticket number. Merchants that number their stores are chains.
 * - `end`: nothing, a phone number, or the bank's additions.
 * - `detail`: a star and an addition by the merchant.
 * - `place`: the location of the store.
 * - `town`: a word that is a city somewhere, without its state.
 * - `counted`: words, then a store number. Usually a chain's own abbreviation of the location.
 * - `open`: words that indicate none of the other kinds.
 * - `foreign`: a word of another trade, so the name is part of another merchant's name.
 */
export type Trailing = 'number' | 'end' | 'detail' | 'place' | 'town' | 'counted' | 'open' | 'foreign'

/**
 * The text that the brand itself may print after its name: the name again, its other words, and the trades of its
 * categories.
 */
export type Own = {
  readonly form: string
  /** True if no other brand has the name. */
  readonly isDistinct: boolean
  readonly words: readonly string[]
  readonly mccs: readonly string[]
}

/** Classifies the tokens from `start`. */
export function classifyTrailing(tokens: Tokens, start: number, location: Location, own: Own): Trailing {
  const { texts, gaps } = tokens
  const { end } = location
  let at = start
  while (at < end && gaps[at] !== 'star' && isNeutral(tokens, at, start, own)) at += 1
  if (at >= end) return 'end'
  if (gaps[at] === 'star') return 'detail'
  if (isPhone(tokens, at) || isSite(tokens, at) || repeatsName(tokens, at, end, own.form)) return 'end'
  // `TARGET T1 TARGET`: a truncated register number.
  if (isRegister(tokens, at) && repeatsName(tokens, at + 2, end, own.form)) return 'end'
  const number = readNumberAt(tokens, at, end)
  if (number === null) return classifyWords(tokens, at, location, own)
  // In `STORE 4`, the word identifies the number.
  if (number.weak && storeNumberWords.has(texts[at - 1] ?? '')) return 'number'
  return classifyNumber(tokens, number, location, own)
}

/** Classifies words, which describe the store's location, extend its name, or belong to another merchant. */
function classifyWords(tokens: Tokens, start: number, location: Location, own: Own): Trailing {
  const { texts, gaps } = tokens
  const { end, place } = location
  let stop = start
  while (stop < end && gaps[stop] !== 'star' && readNumberAt(tokens, stop, end) === null && !isPhone(tokens, stop))
    stop += 1
  const isFollowedByNumber = isStrongNumberFrom(tokens, stop, end)
  const cityAt = findCityStart(tokens, start, stop, location)
  if (cityAt === start) return isFollowedByNumber ? 'number' : 'place'
  // A number after words and the place is the bank's, because no chain prints its store numbers there.
  const isNumbered = isFollowedByNumber && (place === null || stop < place.at)
  const first = texts[start] ?? ''
  // In `COSTCO BY INSTACART`, Instacart was paid.
  const isByMarketplace = first === 'by' && prefixes.get(texts[start + 1] ?? '')?.means === 'marketplace'
  if (first === 'and' || isByMarketplace) return 'foreign'
  // Restaurants are named after their streets (`SONNYS ON 7TH`).
  if (!own.isDistinct && !isNumbered && (first === 'on' || placeMakers.has(first))) return 'open'
  if (isScreenCount(tokens, stop, end, own)) return 'number'
  const last = cityAt < 0 ? stop : cityAt
  // `CHRYSLER CAPITAL` is a lender. Before other words, `CAPITAL` may be a street or a town.
  if (texts[last - 1] === 'capital' && !own.words.includes('capital')) return 'foreign'
  const { isForeign, hasOwnTrade, hasOtherWord } = readWords(tokens, { start, last, isNumbered }, location, own)
  if (isForeign) return 'foreign'
  const names = texts
    .slice(start, last)
    .filter((text) => !placeWords.has(text) && !isCountry(text) && !companyForms.has(text))
  const named = names.join('')
  const isSomewhere =
    !hasOtherWord ||
    (place === null ? isTownAnywhere(named) : isCityIn(place.state, named)) ||
    isNeighborhood(texts, start, last) ||
    (last === end ? isTruncatedTown(tokens, named, location, own) : isCityTruncated(tokens, start, cityAt))
  if (isNumbered) return isSomewhere ? 'number' : 'counted'
  if (!isSomewhere && names.length > 1 && isOtherCompany(texts[last - 1] ?? '', own)) return 'foreign'
  if (hasOwnTrade || !isSomewhere) return 'open'
  return place !== null && place.at >= start ? 'place' : 'town'
}

type Span = { readonly start: number; readonly last: number; readonly isNumbered: boolean }

/**
 * Checks the words between name and place for another trade, the brand's own trade, and anything else that is not a
 * place.
 */
function readWords(tokens: Tokens, { start, last, isNumbered }: Span, { place }: Location, own: Own) {
  const { texts } = tokens
  const read = { isForeign: false, hasOwnTrade: false, hasOtherWord: false }
  const end = place !== null && place.at >= start ? Math.min(last, place.at) : last
  for (let at = start; at < end; at += 1) {
    const text = texts[at] ?? ''
    if (placeWords.has(text) || own.words.includes(text) || isCountry(text)) continue
    // Before a number, these letters are the chain's own code.
    if ((isNumbered || isHighway(tokens, at)) && isPairOfLetters(tokens, at)) continue
    const isOwn = isOwnTrade(text, own.mccs)
    // `DAY CARE` and `BOOK STORE` are two-word trades.
    const both = at + 1 < last ? text + (texts[at + 1] ?? '') : ''
    const isOther = otherTrades.has(text) || (isTrade(text) && !sharedTrades.has(text))
    if ((!isOwn && isOther) || (otherTrades.has(both) && !isOwnTrade(both, own.mccs)))
      return { ...read, isForeign: true }
    if (isOwn) read.hasOwnTrade = true
    else read.hasOtherWord = true
  }
  return read
}

/** Returns true for a cinema's number of screens, printed before its store number (`AMC GARDEN STATE 16 #22`). */
function isScreenCount({ texts, gaps }: Tokens, at: number, end: number, { mccs }: Own): boolean {
  const isCounted = at + 1 < end && gaps[at + 1] === 'hash' && gaps[at] === 'space' && texts[at]?.length === 2
  return isCounted && isNumeric(texts[at] ?? '') && isNumeric(texts[at + 1] ?? '') && isBusiness('cinema', mccs)
}

const isRegister = ({ texts, gaps }: Tokens, at: number) =>
  gaps[at + 1] === 'glued' && texts[at]?.length === 1 && !isNumeric(texts[at] ?? '')

/** Returns true for either letter of `U.S.` in the name of a highway (`U.S. RTE. 29`). */
const isHighway = ({ texts }: Tokens, at: number) =>
  (texts[at] === 'u' && texts[at + 1] === 's') || (texts[at] === 's' && texts[at - 1] === 'u')

/** Returns true if the token is one of two letters separated by punctuation (`F/S`). */
function isPairOfLetters({ texts, gaps }: Tokens, at: number): boolean {
  const isPair = (first: number) => texts[first]?.length === 1 && texts[first + 1]?.length === 1
  return (isPair(at - 1) && gaps[at] === 'mark') || (isPair(at) && gaps[at + 1] === 'mark')
}

/**
 * Returns true for a different company whose name starts with the brand's (`BARON TEN STAR LTD`). Does not apply to
 * plain words, which are uncertain anyway, or to fuel brands, which are followed by the company that owns the station.
 */
const isOtherCompany = (last: string, { isDistinct, mccs }: Own) =>
  isDistinct && companyForms.has(last) && !isOwnTrade('petroleum', mccs)

const isCountry = (word: string) => word === 'us' || word === 'usa'

/** Returns true for a larger city in any state, even if printed twice. */
function isTownAnywhere(named: string): boolean {
  const half = named.slice(0, named.length / 2)
  return isCityAnywhere(named) || (named === half + half && isCityAnywhere(half))
}

// The lengths at which the merchant's field is cut off.
const shortestField = 20
const longestField = 26
const fewestTownLetters = 4
const fewestTownLettersAfterPlain = 6
const townEndings = /.{4}(?:ville|burgh?|mouth)$/

/** Returns true for a town that is cut off at the end of the text, or for a name that sounds like a town. */
function isTruncatedTown({ starts, ends }: Tokens, named: string, { place, end }: Location, own: Own): boolean {
  const fewest = own.isDistinct ? fewestTownLetters : fewestTownLettersAfterPlain
  if (place !== null || named.length < fewest) return false
  const length = (ends[end - 1] ?? 0) - (starts[0] ?? 0)
  const isCut = length >= shortestField && length <= longestField
  return (isCut && beginsCityAnywhere(named)) || townEndings.test(named)
}

const fewestCityLetters = 3

/**
 * Returns true if the words before the city are the start of its name, cut off with the name field (`VELMORA OAK LA OAK
 * LAWN IL`).
 */
function isCityTruncated({ squeezed, offsets, gaps }: Tokens, start: number, cityAt: number): boolean {
  if (cityAt <= start) return false
  const cut = squeezed.slice(offsets[start], offsets[cityAt])
  return (cut.length >= fewestCityLetters || gaps[start] === 'mark') && squeezed.startsWith(cut, offsets[cityAt])
}

const mostVenueWords = 3

/** Returns true for a known neighborhood (`SOHO`), or one or two words before the name of a square or mall. */
function isNeighborhood(texts: readonly string[], start: number, end: number): boolean {
  if (neighborhoods.has(texts.slice(start, end).join(''))) return true
  const words = end - start
  return words > 1 && words <= mostVenueWords && venueEndings.has(texts[end - 1] ?? '')
}

function isStrongNumberFrom(tokens: Tokens, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const number = isPhone(tokens, at) ? null : readNumberAt(tokens, at, end)
    if (number === null) return false
    if (number.strong || (at === start && (tokens.texts[at] ?? '').length > 2)) return true
  }
  return false
}

/**
 * Classifies text that begins with a store number. A short number followed by words may be part of a name (`Super 32
 * Challenge`, `Pier 39 Crab House`).
 */
function classifyNumber(tokens: Tokens, number: StoreNumber, location: Location, own: Own): Trailing {
  const { strong, weak, next } = number
  if (isCountOfTrade(tokens, next, location, own)) return 'foreign'
  if (strong) return 'number'
  const rest = next >= location.end ? 'end' : classifyTrailing(tokens, next, location, own)
  if (!weak) return rest === 'open' ? 'counted' : rest === 'foreign' ? 'open' : 'number'
  if (rest === 'foreign' || rest === 'number') return rest
  // After a `#`, even a single digit is a store number if the store's location follows it (`#3 ATLANTA`).
  const isSigned = tokens.gaps[next - 1] === 'hash'
  if (own.isDistinct && isSigned && (rest === 'place' || rest === 'town')) return 'number'
  // The field may end after the first digit of a store number (`HARBOR FREIGHT TOOLS 6`).
  return own.isDistinct && (rest === 'place' || rest === 'end') ? rest : 'open'
}

/**
 * Returns true for a number that counts a trade's goods instead of identifying a store (`VONS 1000 SPIRITS`). A number
 * after punctuation or with a leading zero always identifies a store, and so does a number before a city that sounds
 * like a trade (`MEDIA PA`).
 */
function isCountOfTrade(tokens: Tokens, next: number, location: Location, own: Own): boolean {
  const { texts, gaps } = tokens
  const text = texts[next] ?? ''
  const number = texts[next - 1] ?? ''
  if (next >= location.end || gaps[next - 1] !== 'space' || number.length > 4 || number.startsWith('0')) return false
  if (!otherTrades.has(text) || own.words.includes(text)) return false
  return findKnownCityStart(tokens, next, location.end, location) !== next
}

function repeatsName({ texts }: Tokens, start: number, end: number, form: string): boolean {
  if (!form.startsWith(texts[start] ?? '')) return false
  let joined = ''
  for (let at = start; at < end && joined.length < form.length; at += 1) joined += texts[at] ?? ''
  return joined === form
}

/**
 * Returns true for words that say nothing about who the merchant is, for the brand's other words, for its trade after a
 * distinct name, and for the end of its site directly after the name (`TARGET.COM`).
 */
function isNeutral({ texts, gaps }: Tokens, at: number, start: number, own: Own): boolean {
  const text = texts[at] ?? ''
  if (neutralWords.has(text) || (at === start && text === 'com' && gaps[at] === 'mark')) return true
  return isOwnWord(text, own) || (text === 'and' && isOwnWord(texts[at + 1] ?? '', own))
}

const isOwnWord = (word: string, own: Own) => own.words.includes(word) || (own.isDistinct && isOwnTrade(word, own.mccs))
