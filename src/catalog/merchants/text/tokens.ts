import { hashStart, hashText, hashWith, subtractHash } from '../../../platform/text/text-hash.ts'

// Turns text that names a merchant into comparable tokens. Case, accents, apostrophes and spacing say nothing about who
// the merchant is, so they are folded away. Token boundaries do carry meaning, so each is recorded with its kind.

/**
 * The separator before a token. `glued` is a change between letters and digits within a word, and `mark` is any other
 * punctuation.
 */
type Gap = 'glued' | 'space' | 'mark' | 'hash' | 'star'

/** The tokens of a folded text, with the position where each begins and ends. */
export type Tokens = {
  readonly texts: readonly string[]
  readonly gaps: readonly Gap[]
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  /**
   * The texts joined without spaces. `offsets` contains the start of each text and, as its last entry, the end of the
   * last text.
   */
  readonly squeezed: string
  readonly offsets: readonly number[]
  /** The hash of the text before each of these offsets. */
  readonly hashes: readonly number[]
}

// Card networks carry 25 characters, and banks add about 100 more. Anything beyond that cannot name a merchant, and the
// limit keeps the work per text small no matter what a caller sends.
export const longestText = 256

// Bound, because strings arrive here in many internal representations, and V8 would otherwise look the method up for
// every letter.
const codeAt: (text: string, at: number) => number = Function.prototype.call.bind(String.prototype.charCodeAt)

const isDigit = (code: number) => code >= 48 && code <= 57
const isApostrophe = (code: number) => code === 39 || code === 96

type CharacterKind = 'letter' | 'digit' | 'sign'
const asciiKinds: readonly CharacterKind[] = Array.from({ length: 128 }, (_, code) =>
  code >= 97 && code <= 122 ? 'letter' : isDigit(code) ? 'digit' : 'sign',
)
const classifyCharacter = (code: number): CharacterKind => asciiKinds[code] ?? (isOtherLetter(code) ? 'letter' : 'sign')

/** Returns the text in lowercase without accents and entities, truncated to the longest sensible descriptor. */
export function fold(text: string): string {
  const unescaped = text.includes('&') ? withoutEntities(text.slice(0, longestEscaped)) : text
  const bounded = unescaped.length > longestText ? unescaped.slice(0, longestText) : unescaped
  if (isAscii(bounded)) return bounded.toLowerCase()
  // A standalone accent stands for an apostrophe. Decomposing it would turn it into a space.
  return bounded
    .replaceAll('´', "'")
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđ’‘]/g, (letter) => unfoldable[letter] ?? letter)
}

// Feeds that pass through XML or HTML contain escaped text, sometimes escaped twice (`H&amp;amp;M`), and banks print it
// in capitals. For `&eacute;` the letter suffices, because accents are removed anyway.
const entity =
  /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron)|([a-z]+));/gi
const namedEntities: Record<string, string> = {
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  nbsp: ' ',
  lsquo: "'",
  rsquo: "'",
  ndash: '-',
  mdash: '-',
  szlig: 'ss',
  aelig: 'ae',
  oelig: 'oe',
  reg: ' ',
  trade: ' ',
  copy: ' ',
}
// The longest text, with every character escaped.
const longestEscaped = longestText * 8

function withoutEntities(text: string): string {
  return text.replace(/&(?:amp;)+/gi, '&').replace(entity, (whole, decimal, hex, letter, name) => {
    if (letter !== undefined) return letter
    if (name !== undefined) return namedEntities[name.toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

// Letters that Unicode does not decompose, and the typographic apostrophes.
const unfoldable: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  '’': "'",
  '‘': "'",
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) return false
  return true
}

/**
 * Splits a folded text into tokens. An apostrophe joins (`macy's` is one token), `&` becomes the token `and`, and `+`
 * after a word becomes `plus`. Letters of all scripts are treated as letters.
 */
export function tokenize(folded: string): Tokens {
  const texts: string[] = []
  const gaps: Gap[] = []
  const starts: number[] = []
  const ends: number[] = []
  const offsets: number[] = [0]
  const hashes: number[] = [hashStart]
  const { length } = folded
  let gap: Gap = 'space'
  let offset = 0
  let hash = hashStart
  for (let at = 0, start = 0; at < length; start = at) {
    const code = codeAt(folded, at)
    const kind = classifyCharacter(code)
    at += 1
    let text: string | null
    if (kind === 'sign') {
      gap = strongerGap(gap, code)
      text = code === 38 ? 'and' : code === 43 && texts.length > 0 ? 'plus' : null
    } else {
      let isJoined = false
      hash = hashWith(hash, code)
      for (; at < length; at += 1) {
        const next = codeAt(folded, at)
        if (classifyCharacter(next) === kind) hash = hashWith(hash, next)
        else if (kind === 'letter' && isApostrophe(next)) isJoined = true
        else break
      }
      text = folded.slice(start, at)
      if (isJoined) text = text.replaceAll(/['`]/g, '')
    }
    if (text === null) continue
    if (kind === 'sign') hash = hashText(text, hash)
    offset += text.length
    offsets.push(offset)
    hashes.push(hash)
    texts.push(text)
    gaps.push(gap)
    starts.push(start)
    ends.push(at)
    gap = kind === 'sign' ? 'space' : 'glued'
  }
  return { texts, gaps, starts, ends, squeezed: texts.join(''), offsets, hashes }
}

/** Returns the same tokens with different texts. */
export function replaceTexts(tokens: Tokens, texts: readonly string[]): Tokens {
  const offsets: number[] = [0]
  const hashes: number[] = [hashStart]
  let offset = 0
  let hash = hashStart
  for (const text of texts) {
    offset += text.length
    hash = hashText(text, hash)
    offsets.push(offset)
    hashes.push(hash)
  }
  return { ...tokens, texts, squeezed: texts.join(''), offsets, hashes }
}

/** Returns the hash of the texts between two tokens. */
export function hashBetween({ offsets, hashes }: Tokens, from: number, to: number): number {
  return subtractHash(hashes[from] ?? 0, hashes[to] ?? 0, (offsets[to] ?? 0) - (offsets[from] ?? 0))
}

/** Returns the texts between two tokens, without spaces. */
export function squeezeBetween({ texts, squeezed, offsets }: Tokens, from: number, to: number): string {
  return to - from === 1 ? (texts[from] ?? '') : squeezed.slice(offsets[from], offsets[to])
}

// A star outranks a hash, a hash outranks any other punctuation, and any punctuation outranks a space.
function strongerGap(gap: Gap, code: number): Gap {
  if (code === 32) return gap === 'glued' ? 'space' : gap
  if (code === 42 || gap === 'star') return 'star'
  return code === 35 || gap === 'hash' ? 'hash' : 'mark'
}

function isOtherLetter(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff ? false : /[\p{L}\p{N}]/u.test(String.fromCharCode(code))
}

/**
 * Returns the forms a name is looked up by: its tokens without spaces and without a leading `the`, once with and once
 * without the words for `&` and `+`. Spacing is ignored because banks drop and add it at will.
 */
export function buildForms(name: string): string[] {
  return buildTokenForms(name, tokenize(fold(name)).texts)
}

/** Returns the forms of a name that is already tokenized. */
export function buildTokenForms(name: string, texts: readonly string[]): string[] {
  const named = texts[0] === 'the' && texts.length > 1 ? texts.slice(1) : texts
  const plain = named.join('')
  if (plain === '') return []
  const silent = /[&+]/.test(name) ? named.filter((word) => word !== 'and' && word !== 'plus').join('') : ''
  return silent === '' || silent === plain ? [plain] : [plain, silent]
}

/** Returns true for a number, or for the x's a bank prints instead of one. */
export function isNumeric(token: string): boolean {
  const code = token.charCodeAt(0)
  return isDigit(code) || (code === 120 && token.length > 2 && /^x+$/.test(token))
}

/** Returns the index of a text in a sorted list, or where it would be inserted. */
export function placeIn<T>(list: readonly T[], text: string, toText: (one: T) => string = String): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    // The element exists, because its index lies between `low` and `high`.
    if (toText(list[middle] as T) < text) low = middle + 1
    else high = middle
  }
  return low
}
