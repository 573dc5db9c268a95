import { hashStart, hashWith } from '../../../platform/text/text-hash.ts'

// A bitmask of the vowels, including y, by position in the alphabet.
const vowels = [...'aeiouy'].reduce((bits, letter) => bits | (1 << (letter.charCodeAt(0) - 97)), 0)
const isVowelCode = (code: number) => code >= 97 && code <= 122 && ((vowels >>> (code - 97)) & 1) === 1
const c = 99
const k = 107

export const isVowel = (letter: string) => isVowelCode(letter.charCodeAt(0))

/**
 * Returns what remains of a form without its vowels: the first letter and the consonants, with repeated ones collapsed
 * and `ck` as `k`. Names that statements shorten this way share their key with the full name.
 */
export function toConsonantKey(form: string): string {
  let consonantKey = ''
  eachLeft(form, 0, form.length, (code) => {
    consonantKey += String.fromCharCode(code)
  })
  return consonantKey
}

/** Returns the hash of the consonant key of a span of the text, without building a string. */
export function hashConsonantKey(text: string, from: number, to: number): number {
  let hash = hashStart
  eachLeft(text, from, to, (code) => {
    hash = hashWith(hash, code)
  })
  return hash
}

function eachLeft(text: string, from: number, to: number, take: (code: number) => void): void {
  let last = -1
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at)
    const isLost = isVowelCode(code) || code === last || (code === c && at + 1 < to && text.charCodeAt(at + 1) === k)
    if (at > from && isLost) continue
    take(code)
    last = code
  }
}
