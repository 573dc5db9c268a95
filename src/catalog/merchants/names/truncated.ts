import { hashStart, hashWith } from '../../../platform/text/text-hash.ts'
import { findOwners, getForm, type Owner, openingLetters } from '../brands/brand-index.ts'
import { mayHold } from '../brands/hash-filter.ts'
import { longestForm } from '../brands/name-forms.ts'
import { endOfWords, findOwnersHere, type Hit, type NameSearch } from '../search.ts'
import { placeIn, squeezeBetween } from '../text/tokens.ts'

// Names found by their first letters: truncated and misspelled ones.

const shortestTruncated = 7
const leastShare = 0.55
const mostTries = 6

/** Finds a truncated name (`HARROWGATE OUTFITT`), if it is a prefix of only one brand's name. */
export function findTruncated(search: NameSearch): Hit | null {
  const { tokens, location, from } = search
  const forms = formsWithOpening(search)
  if (forms.length === 0) return null
  const last = endOfWords(tokens, from, location.end)
  for (let to = last; to > Math.max(from, last - mostTries); to -= 1) {
    const form = squeezeBetween(tokens, from, to)
    if (form.length < shortestTruncated) return null
    const owner = form.length > longestForm ? null : findOnlyOwner(search, forms, form)
    if (owner !== null) return { strategy: 'truncated', owners: [owner], form, from, to, split: 0 }
  }
  return null
}

/** Returns the forms that begin with the text's first letters, sorted. */
function formsWithOpening({ index, tokens: { squeezed, offsets }, from }: NameSearch): readonly Owner[] {
  const start = offsets[from] ?? 0
  if (start + openingLetters > squeezed.length) return []
  let hash = hashStart
  for (let at = start; at < start + openingLetters; at += 1) hash = hashWith(hash, squeezed.charCodeAt(at))
  if (!mayHold(index.filter, hash)) return []
  return findOwners(index.byOpening, squeezed.slice(start, start + openingLetters), hash)
}

/**
 * Returns the only brand whose name begins with the text; null if there are several, or if a name is so much longer
 * that the text is only a part of it.
 */
function findOnlyOwner(search: NameSearch, forms: readonly Owner[], text: string): Owner | null {
  let only: Owner | null = null
  for (let at = placeIn(forms, text, getForm); forms[at]?.form.startsWith(text) === true; at += 1) {
    const owner = forms[at]
    if (owner === undefined || !search.sellsHere(owner.entry) || owner.entry === only?.entry) continue
    // Forms are sorted, so a brand's shorter form precedes any longer one that begins with it.
    if (only !== null || text.length < owner.form.length * leastShare) return null
    only = owner
  }
  return only
}

const nearestForms = 6
const longestMisspelt = 40

/** Finds a name with one typo after its first letters (`COPPERKETLE`). Yields at most a review. */
export function findMisspelt(search: NameSearch): Hit | null {
  const { tokens, location, from } = search
  const forms = formsWithOpening(search)
  if (forms.length === 0) return null
  const last = endOfWords(tokens, from, location.end)
  let text = ''
  for (let to = from + 1; to <= last && text.length < longestMisspelt; to += 1) {
    text = squeezeBetween(tokens, from, to)
    if (text.length < openingLetters + 2) continue
    const middle = placeIn(forms, text, getForm)
    const near = forms.slice(Math.max(0, middle - nearestForms), middle + nearestForms)
    const found = near.find(({ form, entry }) => isOneSlipAway(text, form) && search.sellsHere(entry))
    if (found === undefined) continue
    const { form } = found
    return { strategy: 'misspelt', owners: findOwnersHere(search, form), form, from, to, split: 0 }
  }
  return null
}

/** Returns true if the texts are equal or differ by one extra, missing or wrong letter, or by two swapped ones. */
export function isOneSlipAway(one: string, other: string): boolean {
  let same = 0
  while (same < one.length && one[same] === other[same]) same += 1
  const rest = one.slice(same)
  const otherRest = other.slice(same)
  return (
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1) ||
    rest.slice(1) === otherRest.slice(1) ||
    (rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2))
  )
}
