import { findOwners, type Owner } from '../brands/brand-index.ts'
import { mayHold } from '../brands/hash-filter.ts'
import { isPlain } from '../packs/words.ts'
import { endOfWords, type Hit, type NameSearch, spellOut } from '../search.ts'
import { hashConsonantKey, isVowel, toConsonantKey } from '../text/consonant-key.ts'
import { readNumberAt } from '../text/store-number.ts'

const shortestText = 5
// Shorter texts must have lost more than one vowel.
const shortestSure = 6

/**
 * Finds a name without its vowels (`WLGRNS 01234`, `DLR TREE 0412`). The text must match as a whole, up to a store
 * number, and differ from a single brand's name only by missing vowels.
 */
export function findWithoutVowels(search: NameSearch): Hit | null {
  const { index, location, from } = search
  const tokens = spellOut(search)
  const to = endOfWords(tokens, from, location.end)
  if (to === from || to >= location.end || readNumberAt(tokens, to, location.end) === null) return null
  const start = tokens.offsets[from] ?? 0
  const end = tokens.offsets[to] ?? 0
  if (end - start < shortestText || !mayHold(index.filter, hashConsonantKey(tokens.squeezed, start, end))) return null
  const form = tokens.squeezed.slice(start, end)
  if (to - from === 1 && isPlain(form)) return null
  const owner = findOnlyOwner(search, form)
  return owner === null ? null : { strategy: 'without_vowels', owners: [owner], form, from, to, split: 0 }
}

function findOnlyOwner({ index, sellsHere }: NameSearch, text: string): Owner | null {
  const least = text.length < shortestSure ? 2 : 1
  let only: Owner | null = null
  for (const owner of findOwners(index.byConsonantKey, toConsonantKey(text))) {
    if (!sellsHere(owner.entry) || lostVowels(owner.form, text) < least) continue
    if (only !== null && only.entry !== owner.entry) return null
    only = owner
  }
  return only
}

/**
 * Counts the places where the text lacks the vowels between two consonants of the form; -1 if anything else differs.
 */
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
