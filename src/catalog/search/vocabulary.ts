/** The words of names as they are searched by: without case, accents and what stands between them. */
export function wordsOf(text: string): readonly string[] {
  return folded(text).match(WORD) ?? []
}

const WORD = /[\p{L}\p{N}]+/gu
const PLAIN = /^[\0-\x7f]*$/
const MARK = /\p{M}+/gu
const APOSTROPHE = /['’‘`´]/g
// Letters of their own that people without them on the keyboard spell otherwise.
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
 * All words of a catalog's names, numbered as they are met. It only grows, so every state of a catalog can share one: a number that an
 * older state knows never means another word.
 */
export type Vocabulary = {
  readonly words: readonly string[]
  /** The letters of each word, one bit for each kind. */
  letters(): Uint32Array
  lengths(): Uint8Array
  numberOf(word: string): number
}

export function createVocabulary(): Vocabulary {
  const words: string[] = []
  const numbers = new Map<string, number>()
  let letters = new Uint32Array(1_024)
  let lengths = new Uint8Array(1_024)
  return {
    words,
    letters: () => letters,
    lengths: () => lengths,
    numberOf: (word) => {
      const known = numbers.get(word)
      if (known !== undefined) return known
      const number = words.length
      if (number === letters.length) {
        const more = { letters: new Uint32Array(2 * number), lengths: new Uint8Array(2 * number) }
        more.letters.set(letters)
        more.lengths.set(lengths)
        letters = more.letters
        lengths = more.lengths
      }
      letters[number] = lettersOf(word)
      lengths[number] = Math.min(word.length, 255)
      words.push(word)
      numbers.set(word, number)
      return number
    },
  }
}

/** Each edit takes away one kind of letter and adds one at the most, so far fewer bits differ than words are unlike. */
export function lettersOf(word: string): number {
  let bits = 0
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at)
    const bit = code >= 97 && code <= 122 ? code - 97 : code >= 48 && code <= 57 ? 26 : 27 + (code % 5)
    bits |= 1 << bit
  }
  return bits >>> 0
}

export function bitsIn(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
