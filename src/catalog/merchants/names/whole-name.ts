import { hashWith } from '../../../platform/text/text-hash.ts'
import { mayHold } from '../brands/hash-filter.ts'
import { longestForm } from '../brands/name-forms.ts'
import { isCityFrom, mayCarryCity } from '../places/printed-location.ts'
import { findOwnersHere, type Hit, type NameSearch } from '../search.ts'
import { hashBetween, isNumeric, squeezeBetween, type Tokens } from '../text/tokens.ts'

/**
 * Finds the longest name at the start of the text, as whole words or run together with the city. It wins even if it
 * proves uncertain, because a shorter name would only be a part of it. Brands that do not sell in the country are
 * ignored.
 */
export function findWholeName(search: NameSearch): Hit | null {
  const { index, tokens, location, from } = search
  const longest = (tokens.offsets[from] ?? 0) + longestForm
  for (let to = location.end; to > from; to -= 1) {
    if ((tokens.offsets[to] ?? 0) > longest) continue
    const hash = hashBetween(tokens, from, to)
    if (mayHold(index.filter, hash) && endsName(tokens, to)) {
      const form = squeezeBetween(tokens, from, to)
      const owners = findOwnersHere(search, form, hash)
      if (owners.length > 0) return { strategy: 'whole_name', owners, form, from, to, split: 0 }
    }
    const withCity = mayCarryCity(location, to - 1) ? cityAttached(search, to - 1) : null
    if (withCity !== null) return withCity
  }
  return null
}

const shortestWithCity = 4

/** Finds the longest name that ends inside a token, run together with the city (`VONSOAKLAND CA`). */
function cityAttached(search: NameSearch, at: number): Hit | null {
  const { index, tokens, location, from } = search
  const { squeezed, offsets } = tokens
  const start = offsets[from] ?? 0
  const opening = offsets[at] ?? 0
  let hash = hashBetween(tokens, from, at)
  let hit: Hit | null = null
  for (let end = opening + 1; end < (offsets[at + 1] ?? 0); end += 1) {
    hash = hashWith(hash, squeezed.charCodeAt(end - 1))
    if (end - start < shortestWithCity || !mayHold(index.filter, hash)) continue
    const form = squeezed.slice(start, end)
    const split = end - opening
    const owners = findOwnersHere(search, form, hash)
    if (owners.length === 0 || !isCityFrom(tokens, { at, split }, location)) continue
    hit = { strategy: 'city_attached', owners, form, from, to: at + 1, split }
  }
  return hit
}

// Three or more digits glued to a word are a store number. Fewer may belong to the word (`A1`, `Studio 54`).
const shortestGluedNumber = 3

function endsName({ texts, gaps }: Tokens, next: number): boolean {
  const text = texts[next]
  return text === undefined || gaps[next] !== 'glued' || (text.length >= shortestGluedNumber && isNumeric(text))
}
