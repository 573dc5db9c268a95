// How text that names a merchant becomes tokens that can be compared: case, accents, apostrophes and spacing
// say nothing about who the merchant is, so they are folded away; where one token ends and the next begins does
// say something, so every boundary is kept with its kind.

/** What stands before a token. `glued` is a change between letters and digits inside one word, `mark` other signs. */
export type Gap = 'glued' | 'space' | 'mark' | 'hash' | 'star'

/** The tokens of a folded text, and where in it each begins and ends. */
export type Tokens = {
  readonly texts: readonly string[]
  readonly gaps: readonly Gap[]
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  /** The texts without spaces, and where in it each begins; behind the last stands where it ends. */
  readonly squeezed: string
  readonly offsets: readonly number[]
}

// Card networks carry 25 characters, banks some 100 more around them. What lies beyond can name no merchant,
// and the bound keeps the work for one text small whatever a caller sends.
export const longestText = 256

const isDigit = (code: number) => code >= 48 && code <= 57
const isLetter = (code: number) => code >= 97 && code <= 122

/** Lower case, without accents, no longer than a descriptor can sensibly be. */
export function fold(text: string): string {
  const bounded = text.length > longestText ? text.slice(0, longestText) : text
  if (isAscii(bounded)) return bounded.toLowerCase()
  // An accent that stands alone is meant as an apostrophe; taken apart it would be a space.
  return bounded
    .replaceAll('´', "'")
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđ’‘]/g, (letter) => unfoldable[letter] ?? letter)
}

// Letters that Unicode does not take apart, and the typographic apostrophes.
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
 * The tokens of a folded text. An apostrophe joins (`macy's` is one token), `&` reads as a token `and`, a `+` behind
 * a word as `plus`; letters of other scripts count as letters.
 */
export function tokenize(folded: string): Tokens {
  const texts: string[] = []
  const gaps: Gap[] = []
  const starts: number[] = []
  const ends: number[] = []
  const offsets: number[] = [0]
  let squeezed = ''
  let gap: Gap = 'space'
  let start = -1
  let first = 0
  let joined = ''
  let digits = false
  const push = (text: string, from: number, to: number) => {
    texts.push(text)
    gaps.push(gap)
    starts.push(from)
    ends.push(to)
    squeezed += text
    offsets.push(squeezed.length)
  }
  const close = (end: number) => {
    if (start < 0) return
    push(joined === '' ? folded.slice(start, end) : joined + folded.slice(start, end), first, end)
    start = -1
    joined = ''
    gap = 'glued'
  }
  for (let at = 0; at < folded.length; at += 1) {
    const code = folded.charCodeAt(at)
    const digit = isDigit(code)
    if (digit || isLetter(code) || (code > 127 && isOtherLetter(code))) {
      if (start >= 0 && digit !== digits) close(at)
      if (start < 0) {
        start = at
        first = at
      }
      digits = digit
    } else if ((code === 39 || code === 96) && start >= 0 && !digits) {
      joined += folded.slice(start, at)
      // An apostrophe at the end of a word leaves an empty rest, which closes like any other.
      start = at + 1
    } else {
      close(at)
      gap = strongerGap(gap, code)
      const spoken = code === 38 ? 'and' : code === 43 && texts.length > 0 ? 'plus' : null
      if (spoken !== null) {
        push(spoken, at, at + 1)
        gap = 'space'
      }
    }
  }
  close(folded.length)
  return { texts, gaps, starts, ends, squeezed, offsets }
}

/** The same tokens with other texts. */
export function withTexts(tokens: Tokens, texts: readonly string[]): Tokens {
  const offsets: number[] = [0]
  let squeezed = ''
  for (const text of texts) {
    squeezed += text
    offsets.push(squeezed.length)
  }
  return { ...tokens, texts, squeezed, offsets }
}

/** The texts of the tokens between two, without spaces. */
export function squeezedBetween({ squeezed, offsets }: Tokens, from: number, to: number): string {
  return squeezed.slice(offsets[from], offsets[to])
}

// A star says more than a hash, a hash more than any other sign, and each more than a space.
function strongerGap(gap: Gap, code: number): Gap {
  if (code === 32) return gap === 'glued' ? 'space' : gap
  if (code === 42 || gap === 'star') return 'star'
  return code === 35 || gap === 'hash' ? 'hash' : 'mark'
}

function isOtherLetter(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff ? false : /[\p{L}\p{N}]/u.test(String.fromCharCode(code))
}

/**
 * The forms under which a name is looked up: its tokens without spaces, with and without a leading `the` and with and
 * without the words that stand for `&` and `+`. Spacing is left out because banks drop and add it at will.
 */
export function formsOf(name: string): string[] {
  return formsOfTokens(name, tokenize(fold(name)).texts)
}

/** The same for a name whose tokens are known. */
export function formsOfTokens(name: string, texts: readonly string[]): string[] {
  const named = texts[0] === 'the' && texts.length > 1 ? texts.slice(1) : texts
  const plain = named.join('')
  if (plain === '') return []
  const silent = /[&+]/.test(name) ? named.filter((word) => word !== 'and' && word !== 'plus').join('') : ''
  return silent === '' || silent === plain ? [plain] : [plain, silent]
}

/** A number, or the X-es a bank prints in place of one. */
export function isNumeric(token: string): boolean {
  const code = token.charCodeAt(0)
  return isDigit(code) || (code === 120 && token.length > 2 && /^x+$/.test(token))
}

/** Where a text stands in an ordered list, or would stand. */
export function placeIn(list: readonly string[], text: string): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] ?? '') < text) low = middle + 1
    else high = middle
  }
  return low
}
