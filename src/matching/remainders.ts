import { isNumeric, type Tokens } from './names.ts'
import { cityBeginnings, cityEndings, neutralWords, otherTrades, sharedTrades, stateCodes } from './words.ts'

// What follows a brand's name in a descriptor. It decides whether a common word stands for the brand.
//
// `whole`   the name ends there: nothing follows, or a store number, a phone number, a detail behind a star, or the
//           place the shop is in.
// `open`    words follow that say neither. Enough for a distinctive name, not for a common word.
// `foreign` a word of another trade follows. Then the name is a part of somebody else's.
export type Remainder = 'whole' | 'open' | 'foreign'

const shortestStoreNumber = 3

// The longest city names have three words ("Salt Lake City", "Rancho Santa Margarita").
const mostCityWords = 3

/** Judges the tokens from `start` on. `own` holds the brand's other words, `city` the folded city of the purchase. */
export function judgeRemainder(tokens: Tokens, start: number, own: ReadonlySet<string>, city: string): Remainder {
  const { texts, gaps } = tokens
  let words = start
  while (words < texts.length && gaps[words] !== 'star' && neutralWords.has(texts[words] ?? '')) words += 1
  const ended = endOfName(tokens, words)
  for (let at = start; at < ended; at += 1) {
    const word = texts[at] ?? ''
    if (otherTrades.has(word) && !own.has(word)) return 'foreign'
  }
  if (ended === words) return 'whole'
  return isPlace(texts.slice(words, ended), city) ? 'whole' : 'open'
}

// Behind a star or a number stands what the merchant adds, no more of its name. One digit alone may still belong to
// the name (`Eagles #4` is a lodge); a letter before three digits is a register or a store (`T1238`).
function endOfName({ texts, gaps }: Tokens, start: number): number {
  for (let at = start; at < texts.length; at += 1) {
    const text = texts[at] ?? ''
    if (gaps[at] === 'star' || (isNumeric(text) && text.length > 1)) return at
    const next = texts[at + 1] ?? ''
    if (text.length === 1 && isNumeric(next) && next.length >= shortestStoreNumber) return at
  }
  return texts.length
}

function isPlace(words: readonly string[], city: string): boolean {
  const named = /^usa?$/.test(words.at(-1) ?? '') ? words.slice(0, -1) : words
  const last = named.at(-1) ?? ''
  const place = stateCodes.has(last) ? named.slice(0, -1) : named
  if (city !== '' && place.join('') === city) return true
  return place !== named && isCity(place)
}

function isCity(words: readonly string[]): boolean {
  if (words.length > mostCityWords || words.some(isNoCity)) return false
  return words.length < 2 || cityBeginnings.has(words[0] ?? '') || cityEndings.has(words.at(-1) ?? '')
}

// A bank that prints the city without a space leaves words like `STORETEMPE`, which may be the end of a longer name.
const isNoCity = (word: string) =>
  sharedTrades.has(word) || isNumeric(word) || /^(?:store|station|outlet|factory)/.test(word)
