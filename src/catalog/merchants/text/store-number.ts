import { isState } from '../packs/geography.ts'
import { isNumeric, type Tokens } from './tokens.ts'

// Numbers and URLs after a merchant's name, which identify the store or a way to reach it.

/**
 * `strong` if the number is too long to belong to a business name by accident; `weak` for a single digit that may
 * belong to the name.
 */
export type StoreNumber = { readonly next: number; readonly strong: boolean; readonly weak: boolean }

const fewestStrongDigits = 4
const fewestDigitsAfterLetters = 3

/** Returns the store number at the token, or null. */
export function readNumberAt({ texts, gaps }: Tokens, at: number, end: number): StoreNumber | null {
  const text = texts[at] ?? ''
  if (isNumeric(text)) {
    const strong = text.length >= fewestStrongDigits || (gaps[at] === 'hash' && text.length > 1)
    // `Eagles #4` is a lodge, but a zero begins a store number.
    return { next: at + 1, strong, weak: text.length < 2 && text !== '0' }
  }
  // One or two letters before digits denote a register, a store format or a state's stores (`F12293`, `T-2429`,
  // `FL12`).
  const digits = texts[at + 1] ?? ''
  if (at + 1 >= end || text.length > 2 || !isNumeric(digits)) return null
  const gap = gaps[at + 1]
  const isOfState = gap === 'glued' && gaps[at] === 'space' && isState(text)
  const isCode = digits.length >= fewestDigitsAfterLetters && (gap === 'glued' || gap === 'mark' || gap === 'hash')
  return isOfState || isCode ? { next: at + 2, strong: true, weak: false } : null
}

const phonePattern = /^(?:[2-9]\d{2}[2-9]\d{6}|x{10})$/

/** Returns true for a phone number in any notation, masked or not. It does not identify the store. */
export function isPhone({ texts, gaps }: Tokens, at: number): boolean {
  const text = texts[at] ?? ''
  if (!isNumeric(text)) return false
  if (text.length === 10 && gaps[at] !== 'hash') return phonePattern.test(text)
  const next = texts[at + 1] ?? ''
  if (text.length !== 3 || gaps[at + 1] !== 'mark' || !isNumeric(next)) return false
  return next.length === 7 || (next.length === 3 && texts[at + 2]?.length === 4)
}

const siteEndings: ReadonlySet<string> = new Set(['com', 'co', 'net', 'org', 'io', 'ly'])

/** Returns true for a URL, which adds nothing to the name (`GOSQ.COM`, `HTTPSACME`). */
export function isSite({ texts, gaps }: Tokens, at: number): boolean {
  const text = texts[at] ?? ''
  return text === 'www' || text.startsWith('https') || (gaps[at + 1] === 'mark' && siteEndings.has(texts[at + 1] ?? ''))
}
