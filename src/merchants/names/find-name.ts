import { hashStart, hashWith } from '../../platform/text-hash.ts'
import { type BrandIndex, type Entry, type Owner, openingLetters, ownersOf } from '../brands/brand-index.ts'
import { mayHold } from '../brands/hash-filter.ts'
import { longestForm } from '../brands/name-forms.ts'
import { isCityFrom, type Location, mayCarryCity } from '../places/location.ts'
import { hashBetween, isNumeric, placeIn, squeezedBetween, type Tokens } from '../text/tokens.ts'

// Which brands a text may name, looked up from where its name begins. Nothing is searched for in the middle of a text:
// streets, malls and other shops' names stand there.

/** How the text says the name: in whole words, printed onto the city, cut off, without vowels, misspelt, or behind somebody. */
export type How = 'words' | 'glued' | 'cut' | 'bare' | 'near' | 'behind'

export type Hit = {
  readonly owners: readonly Owner[]
  readonly form: string
  readonly how: How
  readonly from: number
  /** The token behind the name. */
  readonly to: number
  /** How much of the last token belongs to the name; 0: all. */
  readonly split: number
}

export type NameSearch = {
  readonly index: BrandIndex
  readonly tokens: Tokens
  readonly location: Location
  /** Whether a brand can be met where the purchase was made. */
  readonly sellsHere: (entry: Entry) => boolean
}

/** `the` before a name is as good as nothing, unless it is all there is. */
export function nameStart({ texts }: Tokens, from: number, end: number): number {
  return texts[from] === 'the' && from + 1 < end ? from + 1 : from
}

/**
 * The longest name that begins at the token. It wins also when it turns out to be uncertain: a shorter one would only
 * be a part of that name. A brand that is not in the country takes nothing away.
 */
export function longestHit(search: NameSearch, from: number): Hit | null {
  const { index, tokens, location } = search
  const first = nameStart(tokens, from, location.end)
  const longest = (tokens.offsets[first] ?? 0) + longestForm
  for (let to = location.end; to > first; to -= 1) {
    if ((tokens.offsets[to] ?? 0) > longest) continue
    const hash = hashBetween(tokens, first, to)
    if (mayHold(index.filter, hash) && endsName(tokens, to)) {
      const form = squeezedBetween(tokens, first, to)
      const owners = servingOwners(search, form, hash)
      if (owners.length > 0) return { owners, form, how: 'words', from: first, to, split: 0 }
    }
    const glued = mayCarryCity(location, to - 1) ? gluedHit(search, first, to - 1) : null
    if (glued !== null) return glued
  }
  return null
}

const shortestGluedForm = 4

/** The longest name that ends inside a token, with the city printed onto it (`VONSOAKLAND CA`). */
function gluedHit(search: NameSearch, first: number, at: number): Hit | null {
  const { index, tokens, location } = search
  const { squeezed, offsets } = tokens
  const start = offsets[first] ?? 0
  const from = offsets[at] ?? 0
  let hash = hashBetween(tokens, first, at)
  let hit: Hit | null = null
  for (let end = from + 1; end < (offsets[at + 1] ?? 0); end += 1) {
    hash = hashWith(hash, squeezed.charCodeAt(end - 1))
    if (end - start < shortestGluedForm || !mayHold(index.filter, hash)) continue
    const form = squeezed.slice(start, end)
    const split = end - from
    const owners = servingOwners(search, form, hash)
    if (owners.length === 0 || !isCityFrom(tokens, { at, split }, location)) continue
    hit = { owners, form, how: 'glued', from: first, to: at + 1, split }
  }
  return hit
}

// Three digits glued to a word are a store number. Fewer may belong to the word (`A1`, `Studio 54`).
const shortestGluedNumber = 3

function endsName({ texts, gaps }: Tokens, next: number): boolean {
  const text = texts[next]
  if (text === undefined || gaps[next] !== 'glued') return true
  return text.length >= shortestGluedNumber && isNumeric(text)
}

function servingOwners({ index, sellsHere }: NameSearch, form: string, hash?: number): readonly Owner[] {
  const owners = ownersOf(index.byForm, form, hash)
  return owners.every((owner) => sellsHere(owner.entry)) ? owners : owners.filter((owner) => sellsHere(owner.entry))
}

/** The token behind the words that begin at `first`: a number, a star or the bank's words stop them. */
export function endOfWords(tokens: Tokens, first: number, end: number): number {
  const { texts, gaps } = tokens
  let at = first
  while (at < end && (at === first || (gaps[at] !== 'star' && !isNumeric(texts[at] ?? '')))) at += 1
  return at
}

const shortestCut = 7
const leastCutShare = 0.55
const mostTries = 6

/** A name whose end is missing, when only one brand's name goes on like that. */
export function cutHit(search: NameSearch, from: number): Hit | null {
  const { index, tokens, location } = search
  const first = nameStart(tokens, from, location.end)
  const forms = formsLike(index, tokens, first)
  if (forms.length === 0) return null
  const last = endOfWords(tokens, first, location.end)
  let text = squeezedBetween(tokens, first, last)
  for (let to = last, tries = 0; to > first && text.length >= shortestCut && tries < mostTries; to -= 1, tries += 1) {
    const owners = text.length > longestForm ? [] : ownersOfCut(search, forms, text)
    if (owners.length > 0) return { owners, form: text, how: 'cut', from: first, to, split: 0 }
    text = text.slice(0, -(tokens.texts[to - 1] ?? '').length)
  }
  return null
}

/** The forms that begin with the letters with which the text begins at the token, in order. */
function formsLike(index: BrandIndex, { squeezed, offsets }: Tokens, first: number): readonly string[] {
  const start = offsets[first] ?? 0
  if (start + openingLetters > squeezed.length) return []
  let hash = hashStart
  for (let at = start; at < start + openingLetters; at += 1) hash = hashWith(hash, squeezed.charCodeAt(at))
  return mayHold(index.filter, hash)
    ? ownersOf(index.byOpening, squeezed.slice(start, start + openingLetters), hash)
    : []
}

function ownersOfCut(search: NameSearch, forms: readonly string[], text: string): Owner[] {
  const found = new Map<Entry, Owner>()
  for (let at = placeIn(forms, text); forms[at]?.startsWith(text) === true; at += 1) {
    const form = forms[at] ?? ''
    for (const owner of servingOwners(search, form)) {
      if (owner.entry.isNameOnly || owner.kind === 'short' || owner.kind === 'exact' || found.has(owner.entry)) continue
      // A form that goes on much longer makes the text a part of somebody's name, not a cut one. Of one brand's forms the
      // shortest counts, which comes first.
      if (text.length < form.length * leastCutShare) return []
      found.set(owner.entry, owner)
      if (found.size > 1) return []
    }
  }
  return [...found.values()]
}

const nearestForms = 6
const longestNear = 40

/** A name that is written a little differently; only ever proposed to a person. */
export function nearHit(search: NameSearch, from: number): Hit | null {
  const { index, tokens, location } = search
  const first = nameStart(tokens, from, location.end)
  const forms = formsLike(index, tokens, first)
  if (forms.length === 0) return null
  const last = endOfWords(tokens, first, location.end)
  let text = ''
  for (let at = first; at < last && text.length < longestNear; at += 1) {
    text = squeezedBetween(tokens, first, at + 1)
    if (text.length < openingLetters + 2) continue
    const middle = placeIn(forms, text)
    for (
      let near = Math.max(0, middle - nearestForms);
      near < Math.min(forms.length, middle + nearestForms);
      near += 1
    ) {
      const form = forms[near] ?? ''
      if (!isOneSlipAway(text, form)) continue
      const owners = servingOwners(search, form)
      if (owners.length > 0) return { owners, form, how: 'near', from: first, to: at + 1, split: 0 }
    }
  }
  return null
}

/** One letter more, less, other or two exchanged. */
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
