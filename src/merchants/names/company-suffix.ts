import { hashStart, hashWith } from '../../platform/text-hash.ts'
import { ownersOf } from '../brands/brand-index.ts'
import { mayHold } from '../brands/hash-filter.ts'
import { isPlain } from '../packs/words.ts'
import type { Hit, NameSearch } from './find-name.ts'

// PayPal prints a company without spaces, cut at ten or eleven letters: `PAYPAL *VELMORANORT` of Velmora North America.

const mostLetters = 11
const fewestIfCut = 10
const shortestName = 4
const fewestCutLetters = 2
const companyWords = 'northamerica america usa us uk inc llc corp tv online com digital media'.split(' ')

/** The name before the words of a company; null: none, or one that may be anybody's. */
export function companySuffixHit({ index, tokens, location, sellsHere }: NameSearch, from: number): Hit | null {
  const text = tokens.texts[from] ?? ''
  if (from >= location.end || text.length > mostLetters) return null
  let hash = hashStart
  let hit: Hit | null = null
  for (let length = 1; length <= text.length - fewestCutLetters; length += 1) {
    hash = hashWith(hash, text.charCodeAt(length - 1))
    if (length < shortestName || !mayHold(index.filter, hash)) continue
    if (!isOfCompany(text.slice(length), text.length >= fewestIfCut)) continue
    const form = text.slice(0, length)
    const owners = ownersOf(index.byForm, form).filter(
      ({ entry, kind }) => sellsHere(entry) && !entry.isNameOnly && kind !== 'exact' && kind !== 'short',
    )
    if (owners.length > 0 && !isPlain(form)) hit = { owners, form, how: 'words', from, to: from + 1, split: 0 }
  }
  return hit
}

/** Whether the letters are such words, the last of which may be cut off. */
function isOfCompany(letters: string, isCut: boolean): boolean {
  return companyWords.some(
    (word) =>
      letters === word ||
      (isCut && word.startsWith(letters)) ||
      (letters.startsWith(word) && isOfCompany(letters.slice(word.length), isCut)),
  )
}
