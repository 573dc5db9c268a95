import { prefixes } from '../packs/packs.ts'
import { isOwnTrade, isTrade } from '../packs/trades.ts'
import {
  neutralWords,
  otherTrades,
  placeMakers,
  placeWords,
  quarters,
  sharedTrades,
  stateCodes,
  venueEndings,
} from '../packs/words.ts'
import { beginsCityAnywhere, isCityAnywhere, isCityIn } from '../places/cities.ts'
import { cityStart, knownCityStart, type Location } from '../places/location.ts'
import { isNumeric, type Tokens } from '../text/tokens.ts'

// What follows a brand's name in a descriptor. It decides how far the name alone can be trusted.
//
// `number`  a store number, a register, a ticket number: shops that number themselves are chains.
// `end`     the name ends there: nothing follows, or a phone number, or what banks add.
// `detail`  a star and what the merchant adds behind it.
// `place`   the place the shop is in.
// `town`    a word that is a city somewhere; in which state is not said.
// `counted` words, then a store number: a chain's own abbreviation of where the shop is, mostly.
// `open`    words follow that say neither.
// `foreign` a word of another trade follows: then the name is a part of somebody else's.
export type Trailing = 'number' | 'end' | 'detail' | 'place' | 'town' | 'counted' | 'open' | 'foreign'

/** What of the brand may follow its name: itself, its other words, trades of its categories. */
export type Own = {
  readonly form: string
  /** The name names nobody else. */
  readonly isDistinct: boolean
  readonly words: readonly string[]
  readonly mccs: readonly string[]
}

/** Judges the tokens from `start` on. `own` says which trades are no sign against the brand. */
export function classifyTrailing(tokens: Tokens, start: number, location: Location, own: Own): Trailing {
  const { texts, gaps } = tokens
  const { end } = location
  let at = start
  while (at < end && gaps[at] !== 'star' && isNeutral(tokens, at, start, own)) at += 1
  if (at >= end) return 'end'
  if (gaps[at] === 'star') return 'detail'
  if (isPhone(tokens, at) || isSite(tokens, at) || repeats(tokens, at, end, own.form)) return 'end'
  // `TARGET T1 TARGET`: a register's number, cut off.
  if (isRegister(tokens, at) && repeats(tokens, at + 2, end, own.form)) return 'end'
  const number = numberAt(tokens, at, end)
  // `STORE 4` says outright what the number is.
  if (number?.weak === true && storeWords.has(texts[at - 1] ?? '')) return 'number'
  return number === null ? judgeWords(tokens, at, location, own) : judgeNumbered(tokens, number, location, own)
}

// Words follow. Up to a number, a star or the place they say where the shop is, what else it is called, or that it is
// somebody else's.
function judgeWords(tokens: Tokens, start: number, location: Location, own: Own): Trailing {
  const { texts, gaps } = tokens
  const { end, place } = location
  let stop = start
  while (stop < end && gaps[stop] !== 'star' && numberAt(tokens, stop, end) === null && !isPhone(tokens, stop))
    stop += 1
  const isFollowed = strongNumberFrom(tokens, stop, end)
  const cityAt = cityStart(tokens, start, stop, location)
  if (cityAt === start) return isFollowed ? 'number' : 'place'
  // Words before the place and a number behind it, which is the bank's, are not how a chain tells its shops apart.
  const numbered = isFollowed && (place === null || stop < place.at)
  // `COSTCO BY INSTACART` was paid to the latter.
  if (texts[start] === 'and' || (texts[start] === 'by' && isMarketplace(texts[start + 1] ?? ''))) return 'foreign'
  // Restaurants are named after their streets (`SONNYS ON 7TH`).
  if (!own.isDistinct && texts[start] === 'on' && !numbered) return 'open'
  if (!own.isDistinct && cityAt !== start && placeMakers.has(texts[start] ?? '') && !numbered) return 'open'
  if (isHouseOfScreens(tokens, stop, end, own)) return 'number'
  const last = cityAt < 0 ? stop : cityAt
  // `CHRYSLER CAPITAL` lends; in front of more words it may be a street or a town.
  if (texts[last - 1] === 'capital' && !own.words.includes('capital')) return 'foreign'
  let told = false
  let ownTrade = false
  for (let word = start; word < last; word += 1) {
    const text = texts[word] ?? ''
    if (word === place?.at) break
    if (placeWords.has(text) || own.words.includes(text) || isCountry(text)) continue
    // Before a number they are a shop's own code.
    if ((numbered || isHighway(tokens, word)) && isPairOfLetters(tokens, word)) continue
    // `DAY CARE` and `BOOK STORE` are trades of two words.
    const both = text + (word + 1 < last ? (texts[word + 1] ?? '') : '')
    if (both !== text && otherTrades.has(both) && !isOwnTrade(both, own.mccs)) return 'foreign'
    if (!isOwnTrade(text, own.mccs) && (otherTrades.has(text) || (isTrade(text) && !sharedTrades.has(text))))
      return 'foreign'
    if (isOwnTrade(text, own.mccs)) ownTrade = true
    else told = true
  }
  const names = texts
    .slice(start, last)
    .filter((text) => !placeWords.has(text) && !isCountry(text) && !companyForms.has(text))
  const named = names.join('')
  const isTown = place === null ? isTownAnywhere(named) : isCityIn(place.state, named)
  const isSomewhere =
    !told ||
    isTown ||
    isQuarter(texts, start, last) ||
    (last === end ? isLostTown(tokens, named, location, own) : isCityCut(tokens, start, cityAt))
  if (numbered) return isSomewhere ? 'number' : 'counted'
  if (!isSomewhere && names.length > 1 && isOtherCompany(texts[last - 1], own)) return 'foreign'
  if (ownTrade) return 'open'
  if (isSomewhere && place !== null && place.at >= start) return 'place'
  return isSomewhere ? 'town' : 'open'
}

const cinemaCode = '7832'

// `AMC GARDEN STATE 16 #22`: a cinema says how many screens it has, and then its number.
function isHouseOfScreens({ texts, gaps }: Tokens, at: number, end: number, { mccs }: Own): boolean {
  const isCounted = at + 1 < end && gaps[at + 1] === 'hash' && gaps[at] === 'space' && texts[at]?.length === 2
  return isCounted && isNumeric(texts[at] ?? '') && isNumeric(texts[at + 1] ?? '') && mccs.includes(cinemaCode)
}

function isRegister({ texts, gaps }: Tokens, at: number): boolean {
  return gaps[at + 1] === 'glued' && texts[at]?.length === 1 && !isNumeric(texts[at] ?? '')
}

// `U.S. RTE. 29`
const isHighway = ({ texts }: Tokens, at: number) =>
  (texts[at] === 'u' && texts[at + 1] === 's') || (texts[at] === 's' && texts[at - 1] === 'u')

/** Whether the token is one of two letters with a sign between them (`F/S`). */
function isPairOfLetters({ texts, gaps }: Tokens, at: number): boolean {
  if (texts[at]?.length !== 1) return false
  return (
    (gaps[at] === 'mark' && texts[at - 1]?.length === 1) || (gaps[at + 1] === 'mark' && texts[at + 1]?.length === 1)
  )
}

// `BARON TEN STAR LTD` is a company of that whole name; behind a plain word nothing is sure anyway, and behind a fuel stands
// the company that owns the station.
const isOtherCompany = (last: string | undefined, { isDistinct, mccs }: Own) =>
  isDistinct && companyForms.has(last ?? '') && !isOwnTrade('petroleum', mccs)

const companyForms: ReadonlySet<string> = new Set(['inc', 'llc', 'ltd'])

const isCountry = (word: string) => word === 'us' || word === 'usa'

/** A larger city of any state, also named twice. */
function isTownAnywhere(named: string): boolean {
  const half = named.slice(0, named.length / 2)
  return isCityAnywhere(named) || (named === half + half && isCityAnywhere(half))
}

const shortestField = 20
const longestField = 26
const fewestTownLetters = { behindDistinct: 4, behindPlain: 6 }
const townEndings = /.{4}(?:ville|burgh?|mouth)$/

/** A town at the end of the text that is cut off there, or that sounds like one. */
function isLostTown({ starts, ends }: Tokens, named: string, { place, end }: Location, own: Own): boolean {
  if (place !== null) return false
  const { behindDistinct, behindPlain } = fewestTownLetters
  if (named.length < (own.isDistinct ? behindDistinct : behindPlain)) return false
  const length = (ends[end - 1] ?? 0) - (starts[0] ?? 0)
  const isCut = length >= shortestField && length <= longestField
  return (isCut && beginsCityAnywhere(named)) || townEndings.test(named)
}

const fewestCityLetters = 3

/** Whether the words before the city are its beginning: the name's own field was cut in it (`VELMORA OAK LA OAK LAWN IL`). */
function isCityCut({ squeezed, offsets, gaps }: Tokens, start: number, cityAt: number): boolean {
  if (cityAt <= start) return false
  const cut = squeezed.slice(offsets[start], offsets[cityAt])
  return (cut.length >= fewestCityLetters || gaps[start] === 'mark') && squeezed.startsWith(cut, offsets[cityAt])
}

const mostQuarterWords = 2

/** A known quarter of a city (`SOHO`), or a word or two that a square or a mall is called by. */
function isQuarter(texts: readonly string[], start: number, end: number): boolean {
  const words = end - start
  if (quarters.has(squeezed(texts, start, end))) return true
  return words > 1 && words <= mostQuarterWords + 1 && venueEndings.has(texts[end - 1] ?? '')
}

const squeezed = (texts: readonly string[], start: number, end: number) => texts.slice(start, end).join('')

function strongNumberFrom(tokens: Tokens, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const number = isPhone(tokens, at) ? null : numberAt(tokens, at, end)
    if (number?.strong === true || (at === start && number !== null && (tokens.texts[at] ?? '').length > 2)) return true
    if (number === null) return false
  }
  return false
}

const isMarketplace = (word: string) => prefixes.get(word)?.means === 'marketplace'

const siteEndings: ReadonlySet<string> = new Set(['com', 'co', 'net', 'org', 'io', 'ly'])

// `VONS 1000 SPIRITS` has no store number; one with a sign or a zero before it is one whatever follows, and so is one
// before a city that is called like a trade (`MEDIA PA`).
function isCountOfTrade(tokens: Tokens, next: number, location: Location, own: Own): boolean {
  const { texts, gaps } = tokens
  const text = texts[next] ?? ''
  const number = texts[next - 1] ?? ''
  if (next >= location.end || gaps[next - 1] !== 'space' || number.length > 4 || number.startsWith('0')) return false
  if (!otherTrades.has(text) || own.words.includes(text)) return false
  return knownCityStart(tokens, next, location.end, location) !== next
}

// `GOSQ.COM`, `HTTPSACME`: an address says no more of the name.
export function isSite({ texts, gaps }: Tokens, at: number): boolean {
  const text = texts[at] ?? ''
  return text === 'www' || text.startsWith('https') || (gaps[at + 1] === 'mark' && siteEndings.has(texts[at + 1] ?? ''))
}

function repeats({ texts }: Tokens, start: number, end: number, form: string): boolean {
  if (!form.startsWith(texts[start] ?? '')) return false
  let joined = ''
  for (let at = start; at < end && joined.length < form.length; at += 1) joined += texts[at] ?? ''
  return joined === form
}

const storeWords: ReadonlySet<string> = new Set(['store', 'shop', 'station', 'unit', 'no', 'nbr', 'number', 'location'])

/** The store number that stands at `at`, or null. Strong: shops of one kind are not numbered that high by accident. */
export type StoreNumber = { readonly next: number; readonly strong: boolean; readonly weak: boolean }

const fewestStrongDigits = 4
const fewestDigitsBehindLetters = 3

export function numberAt({ texts, gaps }: Tokens, at: number, end: number): StoreNumber | null {
  const text = texts[at] ?? ''
  const hash = gaps[at] === 'hash'
  if (isNumeric(text)) {
    // One digit alone may still belong to the name (`Eagles #4` is a lodge), but for the zero that a store number begins with.
    return {
      next: at + 1,
      strong: text.length >= fewestStrongDigits || (hash && text.length > 1),
      weak: text.length < 2 && text !== '0',
    }
  }
  // A letter or two before digits are a register, a format or a state's shops (`F12293`, `T-2429`, `FL12`).
  const digits = texts[at + 1] ?? ''
  if (at + 1 >= end || text.length > 2 || !isNumeric(digits)) return null
  if (gaps[at + 1] === 'glued' && gaps[at] === 'space' && stateCodes.has(text))
    return { next: at + 2, strong: true, weak: false }
  if (digits.length < fewestDigitsBehindLetters) return null
  if (gaps[at + 1] !== 'glued' && gaps[at + 1] !== 'mark' && gaps[at + 1] !== 'hash') return null
  return { next: at + 2, strong: true, weak: false }
}

// Behind a short number more words may follow that make it part of a name (`Super 32 Challenge`, `Pier 39 Crab House`).
function judgeNumbered(tokens: Tokens, number: StoreNumber, location: Location, own: Own): Trailing {
  if (isCountOfTrade(tokens, number.next, location, own)) return 'foreign'
  if (number.strong) return 'number'
  const rest = number.next >= location.end ? 'end' : classifyTrailing(tokens, number.next, location, own)
  if (rest === 'open' || rest === 'foreign') return number.weak ? rest : rest === 'open' ? 'counted' : 'open'
  // A sign makes one digit a number too, where the shop is told (`#3 ATLANTA`).
  const isSigned = tokens.gaps[number.next - 1] === 'hash'
  if (number.weak && isSigned && own.isDistinct && (rest === 'place' || rest === 'town')) return 'number'
  if (number.weak && own.isDistinct && rest === 'place') return 'place'
  // The first digit of a store number is left where the field ends (`HARBOR FREIGHT TOOLS 6`).
  if (number.weak && rest === 'end' && own.isDistinct) return 'end'
  return number.weak ? (rest === 'number' ? 'number' : 'open') : 'number'
}

/** A phone number in one of its spellings, masked or not. It says how to call, not which shop. */
export function isPhone({ texts, gaps }: Tokens, at: number): boolean {
  const text = texts[at] ?? ''
  if (!isNumeric(text)) return false
  if (text.length === 10 && gaps[at] !== 'hash') return /^(?:[2-9]\d{2}[2-9]\d{6}|x{10})$/.test(text)
  if (text.length !== 3) return false
  const next = texts[at + 1] ?? ''
  if (gaps[at + 1] !== 'mark' || !isNumeric(next)) return false
  return next.length === 7 || (next.length === 3 && (texts[at + 2] ?? '').length === 4)
}

// Words that say nothing of who it is; behind a name that is nobody else's also its trade; and the end of a site's name
// directly behind it (`TARGET.COM`).
function isNeutral({ texts, gaps }: Tokens, at: number, start: number, own: Own): boolean {
  const text = texts[at] ?? ''
  if (neutralWords.has(text) || (at === start && text === 'com' && gaps[at] === 'mark')) return true
  const isOwn = (word: string) => own.words.includes(word) || (own.isDistinct && isOwnTrade(word, own.mccs))
  return isOwn(text) || (text === 'and' && isOwn(texts[at + 1] ?? ''))
}
