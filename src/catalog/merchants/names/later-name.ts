import { airports } from '../packs/geography.ts'
import { dealerOpenings, dealers, isPlain } from '../packs/words.ts'
import { type Hit, type NameSearch, nameStart, spellOut } from '../search.ts'
import { isNumeric } from '../text/tokens.ts'
import { findTruncated } from './truncated.ts'
import { findWholeName } from './whole-name.ts'

// The special cases in which a name is not at the start of the text. In all other cases, the first name wins.

const mostAirportWords = 2

/** Finds a chain after an airport (`JFK PEETS`). A plain word there may be any merchant. */
export function findAfterAirport(search: NameSearch): Hit | null {
  const { tokens, location, from } = search
  let airport = ''
  for (let at = from; at < Math.min(location.end - 1, from + mostAirportWords); at += 1) {
    airport += tokens.texts[at] ?? ''
    if (!airports.has(airport)) continue
    const hit = findWholeName({ ...search, from: nameStart(tokens, at + 1, location.end) })
    if (hit === null || isPlain(hit.form)) return null
    const owners = hit.owners.filter(
      ({ entry, kind, risk }) => entry.isWellKnown && kind !== 'exact' && risk !== 'word',
    )
    return owners.length === 1 ? { ...hit, owners, strategy: 'after_airport' } : null
  }
  return null
}

const mostOwnerWords = 2

/** Finds a fuel brand or dealer cooperative after one or two words for the store's owner (`STATE LINE CITGO`). */
export function findAfterOwner(search: NameSearch): Hit | null {
  const { tokens, location, from } = search
  for (let at = from + 1; at < Math.min(location.end, from + 1 + mostOwnerWords); at += 1) {
    if (isNumeric(tokens.texts[at - 1] ?? '')) return null
    if (!dealerOpenings.has(tokens.texts[at] ?? '')) continue
    const hit = findWholeName({ ...search, tokens: spellOut(search), from: at })
    const isDealer = hit !== null && dealers.has(hit.form) && hit.owners.length === 1
    return isDealer ? { ...hit, strategy: 'after_owner' } : null
  }
  return null
}

const initials = 2
const shortestAfterInitials = 6

/**
 * Finds a longer name after two letters joined to it by punctuation. The letters are more likely the store's location
 * than its name (`HP-THE ORIGINAL PANCAKE`).
 */
export function findAfterInitials(search: NameSearch, { form, from, to }: Hit): Hit | null {
  const { tokens, location } = search
  const { starts, ends, gaps } = tokens
  if (form.length !== initials || to !== from + 1 || to >= location.end) return null
  if (gaps[to] !== 'mark' || (starts[to] ?? 0) !== (ends[to - 1] ?? 0) + 1) return null
  const later = { ...search, from: nameStart(tokens, to, location.end) }
  const hit = findWholeName(later) ?? findTruncated(later)
  if (hit === null || hit.form.length < shortestAfterInitials) return null
  return hit.strategy === 'truncated' ? hit : { ...hit, strategy: 'after_initials' }
}
