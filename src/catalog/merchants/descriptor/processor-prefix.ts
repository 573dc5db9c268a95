import { mostPrefixTokens, type Prefix, prefixes } from '../packs/prefixes.ts'
import { isNumeric, type Tokens } from '../text/tokens.ts'

// Cuts off a descriptor's processor prefix: in `SQ *SHOP`, the merchant follows the prefix, whereas in `DOORDASH*SHOP`,
// the prefix itself names the payee. packs/prefixes.json lists the prefixes and their meaning.

/** One reading of a descriptor, starting at the token where the merchant's name may begin. */
export type PrefixReading = {
  readonly from: number
  /** The processor, marketplace or parent before the name. */
  readonly prefix: Prefix | null
  /** True if a short unknown prefix and a star precede the name. */
  readonly isAfterUnknownPrefix: boolean
  /** True if a store number precedes the name. */
  readonly isNumbered: boolean
}

/** Returns the possible readings of the merchant's field between two tokens, best first. */
export function findReadings(tokens: Tokens, field: number, end: number): PrefixReading[] {
  const { texts } = tokens
  const readings = cutPrefixes(tokens, { from: field, isNumbered: false }, end)
  let named = field
  while (named < end && isNumeric(texts[named] ?? '')) named += 1
  if (named === field || named === end || isRange(tokens, field)) return readings
  return [...readings, ...cutPrefixes(tokens, { from: named, isNumbered: named === field + 1 }, end)]
}

/** Returns true for two digits that begin a name (`4-5 STAR MARKET`). */
function isRange({ texts, gaps }: Tokens, at: number): boolean {
  const next = texts[at + 1] ?? ''
  return texts[at]?.length === 1 && next.length === 1 && gaps[at + 1] === 'mark' && isNumeric(next)
}

// Two processors in a row do occur (`SQU*SQ *SHOP`). At most three are cut off.
const mostLayers = 3

function cutPrefixes(tokens: Tokens, start: Pick<PrefixReading, 'from' | 'isNumbered'>, end: number): PrefixReading[] {
  const whole: PrefixReading = { ...start, prefix: null, isAfterUnknownPrefix: false }
  let reading = whole
  for (let layer = 0; layer < mostLayers && (reading.prefix?.means ?? 'processor') === 'processor'; layer += 1) {
    const found = prefixAt(tokens, reading.from, end)
    if (found === null || (found.next >= end && found.prefix.means === 'processor')) break
    reading = { ...reading, from: found.next, prefix: found.prefix }
  }
  const { from, prefix } = reading
  // A prefix glued to the text after it may also be the beginning of a name.
  if (prefix?.glued === true) return [reading, whole]
  // `ABC*0042-VELMORA GYM`: the processor's number for the merchant.
  const isNumbered = prefix?.means === 'processor' && isNumeric(tokens.texts[from] ?? '')
  if (isNumbered && tokens.gaps[from + 1] === 'mark' && from + 1 < end)
    return [reading, { ...reading, from: from + 1, isNumbered: true }]
  if (prefix !== null) return [reading]
  const afterPrefix = endOfUnknownPrefix(tokens, from, end)
  return afterPrefix === 0 ? [whole] : [whole, { ...whole, from: afterPrefix, isAfterUnknownPrefix: true }]
}

type Cut = { readonly prefix: Prefix; readonly next: number }

function prefixAt({ texts, gaps }: Tokens, from: number, end: number): Cut | null {
  const isStarred = gaps[from + 1] === 'star' || gaps[from + 2] === 'star' || gaps[from + 3] === 'star'
  const isPossible = isStarred || prefixes.get(texts[from] ?? '')?.bare === true
  let key = ''
  for (let at = from; isPossible && at < Math.min(end, from + mostPrefixTokens); at += 1) {
    key += texts[at] ?? ''
    const prefix = prefixes.get(key)
    if (prefix === undefined || at + 1 >= end) continue
    if (gaps[at + 1] === 'star' || (prefix.bare === true && gaps[at + 1] !== 'glued')) return { prefix, next: at + 1 }
  }
  return gluedPrefixAt(texts, from, end)
}

const gluedPrefixes = [...prefixes.values()].filter((prefix) => prefix.glued === true)
const gluedInitials: ReadonlySet<number> = new Set(gluedPrefixes.map(({ prefix }) => prefix.charCodeAt(0)))

/**
 * Finds a prefix run together with the text after it (`DOORDASHCHIPOTLE`). The token in which the prefix ends is not
 * read again.
 */
function gluedPrefixAt(texts: readonly string[], from: number, end: number): Cut | null {
  if (!gluedInitials.has(texts[from]?.charCodeAt(0) ?? 0)) return null
  const opening = (texts[from] ?? '') + (texts[from + 1] ?? '')
  const prefix = gluedPrefixes.find((one) => opening.startsWith(one.prefix))
  if (prefix === undefined) return null
  return { prefix, next: Math.min(end, (texts[from] ?? '').length < prefix.prefix.length ? from + 2 : from + 1) }
}

const longestUnknownPrefix = 10

/** Returns the token after the star that follows a short unknown prefix; 0 if there is none. */
function endOfUnknownPrefix({ texts, gaps }: Tokens, from: number, end: number): number {
  let length = 0
  for (let at = from; at < Math.min(end, from + mostPrefixTokens + 1); at += 1) {
    if (at > from && gaps[at] === 'star') return length <= longestUnknownPrefix ? at : 0
    length += (texts[at] ?? '').length
  }
  return 0
}
