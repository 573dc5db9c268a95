/** Splits a name into words in the form that searches compare: without case, accents or punctuation. */
export function splitWords(text: string): readonly string[] {
  return folded(text).match(WORD) ?? []
}

const WORD = /[\p{L}\p{N}]+/gu
const PLAIN = /^[\0-\x7f]*$/
const MARK = /\p{M}+/gu
const APOSTROPHE = /['’‘`´]/g
// Letters that people spell differently if their keyboards lack them.
const SPELLED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
}

function folded(text: string): string {
  const lower = text.toLowerCase().replaceAll(APOSTROPHE, '')
  if (PLAIN.test(lower)) return lower
  return lower
    .normalize('NFKD')
    .replaceAll(MARK, '')
    .replaceAll(/[ßæœøđłıþ]/g, (letter) => SPELLED[letter] ?? letter)
}

/**
 * All words in the names of a catalog, numbered in the order they were added. The vocabulary only grows, so a number
 * never changes meaning and all states of a catalog can share it.
 */
export type Vocabulary = {
  readonly words: readonly string[]
  /** The letters of each word as a bitmask. */
  readonly letters: readonly number[]
  getNumber(word: string): number
}

export function createVocabulary(): Vocabulary {
  const words: string[] = []
  const letters: number[] = []
  const numbers = new Map<string, number>()
  return {
    words,
    letters,
    getNumber: (word) => {
      const known = numbers.get(word)
      if (known !== undefined) return known
      letters.push(encodeLetters(word))
      const number = words.push(word) - 1
      numbers.set(word, number)
      return number
    },
  }
}

/**
 * Returns the letters of a word as a bitmask. An edit removes at most one kind of letter and adds at most another, so
 * words within a few edits differ in only a few bits.
 */
export function encodeLetters(word: string): number {
  let bits = 0
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at)
    bits |= 1 << (code >= 97 && code <= 122 ? code - 97 : code >= 48 && code <= 57 ? 26 : 27 + (code % 5))
  }
  return bits
}

export function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
