import { EDITED_LENGTH_MAX, editsFrom } from '../../../platform/text/edit-distance.ts'
import type { Block } from '../table/block.ts'
import { reusedColumn } from '../table/reused-column.ts'
import { countBits, encodeLetters, splitWords, type Vocabulary } from '../table/vocabulary.ts'

/**
 * A search matched against every word in the catalog. Each word of the text must occur in the name of the brand or of
 * one of its offers: as a whole word, as the beginning or another part of a word, or with one or two typos. It also
 * suffices if the text matches as a single word, because people and brands put spaces in different places. Valid until
 * the next search.
 */
export type Search = {
  /** The cost of each vocabulary word for each search term (the joined one last): 0 is no match, 1 is exact. */
  readonly costs: Uint8Array
  /** For each vocabulary word, a bitmask of the search terms it matches. */
  readonly hits: Uint16Array
  /** The number of search terms, including the joined one. */
  readonly width: number
  readonly terms: number
}

// Hardly any name has more words than this.
const TERMS_MAX = 8
const PART_LENGTH_MIN = 3
// In a three-letter word, any typo yields a different word.
const ONE_EDIT_LENGTH_MIN = 4
const TWO_EDITS_LENGTH_MIN = 7

// Costs of a match in a brand's name. A match in an offer's name costs one more.
const EXACT = 1
const BEGINNING = 3
const PART = 5
const ONE_EDIT = 7
const TWO_EDITS = 9

/** Returns null for blank text, which does not filter. */
export function parseSearch(text: string, vocabulary: Vocabulary): Search | null {
  if (text.trim() === '') return null
  const words = [...new Set(splitWords(text))].slice(0, TERMS_MAX)
  const terms = words.length
  const sought = terms > 1 ? [...words, words.join('')] : words
  const width = sought.length
  const hits = hitColumn(vocabulary.words.length)
  const costs = costColumn(hits.length * width)
  for (const [at, term] of sought.entries()) {
    markWords(term, vocabulary, (number, cost) => {
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

function markWords(term: string, { words, letters }: Vocabulary, mark: (number: number, cost: number) => void): void {
  const bits = encodeLetters(term)
  const edits = editsAllowed(term)
  const editsTo = editsFrom(term)
  for (let number = 0; number < words.length; number++) {
    const word = words[number] ?? ''
    const own = letters[number] ?? 0
    let cost = word.length >= term.length && (bits & ~own) === 0 ? agreement(word, term) : 0
    const isNear = Math.abs(word.length - term.length) <= edits && countBits(bits ^ own) <= 2 * edits
    if (cost === 0 && edits > 0 && isNear) {
      const made = editsTo(word)
      if (made <= edits) cost = made <= 1 ? ONE_EDIT : TWO_EDITS
    }
    if (cost > 0) mark(number, cost)
  }
}

function agreement(word: string, term: string): number {
  if (word.startsWith(term)) return word.length === term.length ? EXACT : BEGINNING
  return term.length >= PART_LENGTH_MIN && word.includes(term) ? PART : 0
}

/** Returns the number of typos allowed. Terms with digits allow none, because 5 is not a typo for 6. */
function editsAllowed(term: string): number {
  if (term.length < ONE_EDIT_LENGTH_MIN || term.length > EDITED_LENGTH_MAX || /\p{N}/u.test(term)) return 0
  return term.length < TWO_EDITS_LENGTH_MIN ? 1 : 2
}

const SUM_MAX = 127
const NOT_FOUND = 255

/**
 * Returns the relevance of each brand in a block: 0 for no match, and 1 if the name equals the text. Otherwise it
 * depends on the worst-matching word, then on all words together, then on whether the name starts with the text. Only
 * listed offers are searched.
 */
export function rateRelevances(block: Block, listed: Uint8Array, { costs, hits, width, terms }: Search): Uint32Array {
  const count = block.brands.length
  const relevances = relevanceColumn(count)
  const { words, ownersFrom, owners } = block.words
  let present = 0
  for (let at = 0; at < words.length; at++) present |= hits[words[at] ?? 0] ?? 0
  // Most blocks can be skipped if one of the words is rare.
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
        if (number >= count && listed[number - count] === 0) continue
        const brand = number < count ? number : (block.brandByOffer[number - count] ?? 0)
        const own = number < count ? cost : cost + 1
        const known = best[brand * width + term] ?? 0
        if (known === 0 || own < known) best[brand * width + term] = own
      }
    }
  }
  for (let brand = 0; brand < count; brand++) {
    // Most brands have neither the first word nor the joined one.
    const isHit = (best[brand * width] ?? 0) + (best[brand * width + width - 1] ?? 0) > 0
    if (isHit) relevances[brand] = rateRelevance(block, brand, best, costs, width, terms)
  }
  return relevances
}

function rateRelevance(
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
