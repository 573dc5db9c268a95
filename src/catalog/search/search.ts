import { reusedColumn } from '../listing/reused-column.ts'
import type { Block } from '../table/block.ts'
import { EDITED_LENGTH_MAX, editsFrom } from './edit-distance.ts'
import { bitsIn, lettersOf, type Vocabulary, wordsOf } from './vocabulary.ts'

/**
 * What is searched for, held against every word of the catalog. Each word of the text must be found in the name of the brand
 * or of one of its offers: as a word, as the beginning or a part of one, or with a typing mistake or two. The text as one word
 * will do, too, where people and brands disagree about a space. Holds until the next search.
 */
export type Search = {
  /** For each word of the vocabulary and each word searched for (the joined one last), how well they agree: 0 not, 1 best. */
  readonly costs: Uint8Array
  /** For each word of the vocabulary, a bit for each word searched for that it agrees with. */
  readonly hits: Uint16Array
  /** How many words are searched for, the joined one counted. */
  readonly width: number
  readonly terms: number
}

// More words than a name has do not narrow a search.
const TERMS_MAX = 8
const PART_LENGTH_MIN = 3
// In one of three letters, every mistake makes another word.
const ONE_EDIT_LENGTH_MIN = 4
const TWO_EDITS_LENGTH_MIN = 7

// In the name of the brand; in that of an offer it is one more. Between them lies how sure one can be that it is meant.
const EXACT = 1
const BEGINNING = 3
const PART = 5
const ONE_EDIT = 7
const TWO_EDITS = 9

/** Null: the text is blank, which asks for nothing. */
export function searchOf(text: string, vocabulary: Vocabulary): Search | null {
  if (text.trim() === '') return null
  const words = [...new Set(wordsOf(text))].slice(0, TERMS_MAX)
  const terms = words.length
  const sought = terms > 1 ? [...words, words.join('')] : words
  const width = sought.length
  const hits = hitColumn(vocabulary.words.length)
  const costs = costColumn(hits.length * width)
  for (const [at, term] of sought.entries()) {
    markWords(term, vocabulary, hits, (number, cost) => {
      hits[number] = (hits[number] ?? 0) | (1 << at)
      costs[number * width + at] = cost
    })
  }
  return { costs, hits, width, terms }
}

const byteColumn = (length: number): Uint8Array => new Uint8Array(length)
const hitColumn = reusedColumn((length) => new Uint16Array(length))
const costColumn = reusedColumn(byteColumn)
const bestColumn = reusedColumn(byteColumn)
const relevanceColumn = reusedColumn((length) => new Uint32Array(length))

function markWords(
  term: string,
  { words, letters, lengths }: Vocabulary,
  { length: count }: { readonly length: number },
  mark: (number: number, cost: number) => void,
): void {
  const bits = lettersOf(term)
  const ownLetters = letters()
  const ownLengths = lengths()
  const edits = editsAllowed(term)
  const editsTo = editsFrom(term)
  for (let number = 0; number < count; number++) {
    const own = ownLetters[number] ?? 0
    const length = ownLengths[number] ?? 0
    let cost = 0
    if ((bits & ~own) === 0 && length >= term.length) cost = agreement(words[number] ?? '', term)
    if (cost === 0 && edits > 0 && Math.abs(length - term.length) <= edits && bitsIn(bits ^ own) <= 2 * edits) {
      const made = editsTo(words[number] ?? '')
      if (made <= edits) cost = made <= 1 ? ONE_EDIT : TWO_EDITS
    }
    if (cost > 0) mark(number, cost)
  }
}

function agreement(word: string, term: string): number {
  if (word.startsWith(term)) return word.length === term.length ? EXACT : BEGINNING
  return term.length >= PART_LENGTH_MIN && word.includes(term) ? PART : 0
}

/** None where there are digits: 5 is no mistake for 6. */
function editsAllowed(term: string): number {
  if (term.length < ONE_EDIT_LENGTH_MIN || term.length > EDITED_LENGTH_MAX || /\p{N}/u.test(term)) return 0
  return term.length < TWO_EDITS_LENGTH_MIN ? 1 : 2
}

const SUM_MAX = 127
const NOT_FOUND = 255

/**
 * How well each brand of a block fits, 0 where it does not: 1 when its name is the text, then by the word that fits least, then by all
 * words together, then whether the name begins with the text. Only offers that are listed count.
 */
export function relevancesIn(block: Block, listed: Uint8Array, { costs, hits, width, terms }: Search): Uint32Array {
  const count = block.brands.length
  const relevances = relevanceColumn(count)
  const { words, ownersFrom, owners } = block.words
  let present = 0
  for (let at = 0; at < words.length; at++) present |= hits[words[at] ?? 0] ?? 0
  // Blocks without one of the words are left at once, and that is most of them as soon as one word is rare.
  const all = (1 << terms) - 1
  if (width === 0 || ((present & all) !== all && present >> terms === 0)) return relevances
  const best = bestColumn(count * width)
  for (let at = 0; at < words.length; at++) {
    if (hits[words[at] ?? 0] === 0) continue
    const from = (words[at] ?? 0) * width
    for (let term = 0; term < width; term++) {
      const cost = costs[from + term] ?? 0
      if (cost === 0) continue
      for (let owner = ownersFrom[at] ?? 0; owner < (ownersFrom[at + 1] ?? 0); owner++) {
        const number = owners[owner] ?? 0
        if (number >= count && listed[number - count] !== 1) continue
        const brand = number < count ? number : (block.brandOf[number - count] ?? 0)
        const own = number < count ? cost : cost + 1
        const known = best[brand * width + term] ?? 0
        if (known === 0 || own < known) best[brand * width + term] = own
      }
    }
  }
  for (let brand = 0; brand < count; brand++) {
    // Most have not even the first word, nor all in one.
    const isHit = (best[brand * width] ?? 0) + (best[brand * width + width - 1] ?? 0) > 0
    if (isHit) relevances[brand] = relevanceOf(block, brand, best, costs, width, terms)
  }
  return relevances
}

function relevanceOf(
  { words: { firstWords, lengths } }: Block,
  brand: number,
  best: Uint8Array,
  costs: Uint8Array,
  width: number,
  terms: number,
): number {
  let worst = 0
  let sum = 0
  for (let term = 0; term < terms; term++) {
    const cost = best[brand * width + term] || NOT_FOUND
    if (cost > worst) worst = cost
    sum += cost
  }
  const joined = width > terms ? best[brand * width + terms] || NOT_FOUND : NOT_FOUND
  if (joined < worst) {
    worst = joined
    sum = joined * terms
  }
  if (worst === NOT_FOUND) return 0
  const first = costs[(firstWords[brand] ?? 0) * width] ?? 0
  const begins = first === EXACT || first === BEGINNING
  if (worst === EXACT && begins && (lengths[brand] === terms || joined === EXACT)) return 1
  return 2 + (worst * (SUM_MAX + 1) + Math.min(sum, SUM_MAX)) * 2 + (begins ? 0 : 1)
}
