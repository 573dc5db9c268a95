import { hashStart, hashWith } from '../../../platform/text/text-hash.ts'
import { mayHold } from '../brands/hash-filter.ts'
import { companySuffixes, isPlain } from '../packs/words.ts'
import { findStrongOwnersHere, type Hit, type NameSearch } from '../search.ts'

const mostLetters = 11
const fewestIfCut = 10
const shortestName = 4
const fewestCutLetters = 2

/**
 * Finds a brand at the start of a company name printed without spaces: `PAYPAL *VELMORANORT` for Velmora North America,
 * cut off at ten or eleven letters.
 */
export function findCompanySuffix(search: NameSearch): Hit | null {
  const { index, tokens, location, from, prefix } = search
  const text = tokens.texts[from] ?? ''
  if (prefix?.joined !== true || from >= location.end || text.length > mostLetters) return null
  let hash = hashStart
  let hit: Hit | null = null
  for (let length = 1; length <= text.length - fewestCutLetters; length += 1) {
    hash = hashWith(hash, text.charCodeAt(length - 1))
    if (length < shortestName || !mayHold(index.filter, hash)) continue
    const form = text.slice(0, length)
    if (isPlain(form) || !isSuffix(text.slice(length), text.length >= fewestIfCut)) continue
    const owners = findStrongOwnersHere(search, form)
    if (owners.length > 0) hit = { strategy: 'company_suffix', owners, form, from, to: from + 1, split: 0 }
  }
  return hit
}

/** Returns true if the letters are words of a company name. The last word may be truncated. */
function isSuffix(letters: string, isCut: boolean): boolean {
  return companySuffixes.some(
    (word) =>
      letters === word ||
      (isCut && word.startsWith(letters)) ||
      (letters.startsWith(word) && isSuffix(letters.slice(word.length), isCut)),
  )
}
