import { type BrandIndex, type Entry, type Owner, ownersOf } from '../brands/brand-index.ts'
import { mayHold } from '../brands/hash-filter.ts'
import { isPlain } from '../packs/words.ts'
import { numberAt } from '../scoring/trailing-text.ts'
import { consonantKeyHash, consonantKeyOf, isVowel } from '../text/consonant-key.ts'
import { endOfWords, type Hit, type NameSearch, nameStart } from './find-name.ts'

const shortestBare = 5
// So short a text must have lost more than one vowel.
const shortestSure = 6

/**
 * A name without its vowels (`WLGRNS 01234`, `DLR TREE 0412`). Such a text is read only up to a shop's number and as a
 * whole, and when all that it lacks are vowels of one brand's name.
 */
export function withoutVowelsHit({ index, tokens, location, sellsHere }: NameSearch, from: number): Hit | null {
  const first = nameStart(tokens, from, location.end)
  const to = endOfWords(tokens, first, location.end)
  if (to === first || to >= location.end || numberAt(tokens, to, location.end) === null) return null
  const start = tokens.offsets[first] ?? 0
  const end = tokens.offsets[to] ?? 0
  if (end - start < shortestBare || !mayHold(index.filter, consonantKeyHash(tokens.squeezed, start, end))) return null
  const text = tokens.squeezed.slice(start, end)
  if (to - first === 1 && isPlain(text)) return null
  const owners = ownersOfBare(index, text, sellsHere)
  return owners.length === 0 ? null : { owners, form: text, how: 'bare', from: first, to, split: 0 }
}

function ownersOfBare(index: BrandIndex, text: string, sellsHere: (entry: Entry) => boolean): readonly Owner[] {
  const found = new Map<Entry, Owner>()
  for (const { form, owner } of ownersOf(index.byConsonantKey, consonantKeyOf(text))) {
    const least = text.length < shortestSure ? 2 : 1
    if (sellsHere(owner.entry) && lostVowels(form, text) >= least) found.set(owner.entry, owner)
    if (found.size > 1) return []
  }
  return [...found.values()]
}

/** How many times the text lacks all that is spoken between two consonants of the form; -1: it says something else. */
function lostVowels(form: string, text: string): number {
  let lost = 0
  let read = 0
  let isGap = false
  for (const letter of form) {
    if (letter === text[read]) {
      if (isGap && !isVowel(letter) && !isVowel(text[read - 1] ?? '')) lost += 1
      isGap = false
      read += 1
    } else if (isVowel(letter)) isGap = true
  }
  return read === text.length ? lost : -1
}
