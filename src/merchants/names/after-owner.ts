import { airports, dealerNames, dealerOpenings, isPlain } from '../packs/words.ts'
import { isNumeric, type Tokens } from '../text/tokens.ts'
import { type Hit, longestHit, type NameSearch } from './find-name.ts'

// Names that do not stand at the start of the text: behind the owner of a shop that carries a brand's fuel or goods
// (`STATE LINE CITGO`), and behind the airport a shop is in (`JFK PEETS`). Everywhere else the name that comes first wins.

const mostOwnerWords = 2
const mostAirportWords = 2

/** The brand behind an owner or an airport with which the text begins at the token; null: none stands there. */
export function afterAirportOrOwner(search: NameSearch, spelled: Tokens | null, from: number): Hit | null {
  const { tokens, location } = search
  const { texts } = tokens
  let airport = ''
  for (let at = from; at < Math.min(location.end - 1, from + mostAirportWords); at += 1) {
    airport += texts[at] ?? ''
    if (airports.has(airport)) return knownHit(search, at + 1)
  }
  return afterOwnerHit(search, spelled, from)
}

/** The fuel or co-operative behind one or two words of an owner; null: none. */
export function afterOwnerHit(search: NameSearch, spelled: Tokens | null, from: number): Hit | null {
  const { tokens, location } = search
  const { texts } = tokens
  for (let at = from + 1; at < Math.min(location.end, from + 1 + mostOwnerWords); at += 1) {
    if (isNumeric(texts[at - 1] ?? '')) return null
    if (dealerOpenings.has(texts[at] ?? ''))
      return dealerHit(spelled === null ? search : { ...search, tokens: spelled }, at)
  }
  return null
}

// At an airport stand chains; one that is called by a plain word may be anybody's.
function knownHit(search: NameSearch, from: number): Hit | null {
  const hit = longestHit(search, from)
  if (hit === null || isPlain(hit.form)) return null
  const owners = hit.owners.filter(({ entry, kind, risk }) => entry.isWellKnown && kind !== 'exact' && risk !== 'word')
  return owners.length === 1 ? { ...hit, owners, how: 'behind' } : null
}

function dealerHit(search: NameSearch, from: number): Hit | null {
  const hit = longestHit(search, from)
  return hit !== null && dealerNames.has(hit.form) && hit.owners.length === 1 ? { ...hit, how: 'behind' } : null
}
