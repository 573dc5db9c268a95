import { type Hit, longestHit, type Reach } from './candidates.ts'
import { isNumeric, type Tokens } from './names.ts'
import { airports, dealerNames, dealerOpenings, isPlain } from './words.ts'

// Names that do not stand at the start of the text: behind the owner of a shop that carries a brand's fuel or goods
// (`STATE LINE CITGO`), and behind the airport a shop is in (`JFK PEETS`). Everywhere else the name that comes first wins.

const mostOwnerWords = 2
const mostAirportWords = 2

/** The brand behind an owner or an airport with which the text begins at the token; null: none stands there. */
export function hitBehind(reach: Reach, spelled: Tokens | null, from: number): Hit | null {
  const { tokens, frame } = reach
  const { texts } = tokens
  let airport = ''
  for (let at = from; at < Math.min(frame.end - 1, from + mostAirportWords); at += 1) {
    airport += texts[at] ?? ''
    if (airports.has(airport)) return knownHit(reach, at + 1)
  }
  return dealerBehind(reach, spelled, from)
}

/** The fuel or co-operative behind one or two words of an owner; null: none. */
export function dealerBehind(reach: Reach, spelled: Tokens | null, from: number): Hit | null {
  const { tokens, frame } = reach
  const { texts } = tokens
  for (let at = from + 1; at < Math.min(frame.end, from + 1 + mostOwnerWords); at += 1) {
    if (isNumeric(texts[at - 1] ?? '')) return null
    if (dealerOpenings.has(texts[at] ?? ''))
      return dealerHit(spelled === null ? reach : { ...reach, tokens: spelled }, at)
  }
  return null
}

// At an airport stand chains; one that is called by a plain word may be anybody's.
function knownHit(reach: Reach, from: number): Hit | null {
  const hit = longestHit(reach, from)
  if (hit === null || isPlain(hit.form)) return null
  const owners = hit.owners.filter(({ entry, kind, risk }) => entry.famous && kind !== 'exact' && risk !== 'word')
  return owners.length === 1 ? { ...hit, owners, how: 'behind' } : null
}

function dealerHit(reach: Reach, from: number): Hit | null {
  const hit = longestHit(reach, from)
  return hit !== null && dealerNames.has(hit.form) && hit.owners.length === 1 ? { ...hit, how: 'behind' } : null
}
