import type { BrandIndex } from '../brands/brand-index.ts'
import type { PrefixReading } from '../descriptor/processor-prefix.ts'
import { automaticFrom } from '../scoring/confidence.ts'
import { type ScoredHit, scoreHit } from '../scoring/score-hit.ts'
import { type NameSearch, nameStart, type Text } from '../search.ts'
import { strategies } from './strategies.ts'

/**
 * Tries the readings of a text until a result is automatic, and returns the most certain one; null if no brand is
 * found.
 */
export function findName(index: BrandIndex, text: Text): ScoredHit | null {
  let best: ScoredHit | null = null
  for (const reading of text.parsed.readings) {
    const found = findInReading(index, text, reading)
    if (found !== null && (best === null || found.score > best.score)) best = found
    if (best !== null && best.score >= automaticFrom) return best
  }
  return best
}

function findInReading(index: BrandIndex, text: Text, reading: PrefixReading): ScoredHit | null {
  const { parsed, location, sellsHere } = text
  const { tokens } = parsed
  const from = nameStart(tokens, reading.from, location.end)
  const search: NameSearch = { index, tokens, location, sellsHere, prefix: reading.prefix, from }
  let best: ScoredHit | null = null
  const others: ScoredHit[] = []
  for (const { when, find, atLeast = 0 } of strategies) {
    const hit = when(best) ? find(search, best) : null
    if (hit === null || (best !== null && hit.to < best.hit.to)) continue
    const found = scoreHit(index, text, reading, hit)
    if (found.score >= atLeast && (best === null || isBetter(found, best))) best = found
    else others.push(found)
  }
  return best !== null && others.some((other) => isLongerName(other, best)) ? ambiguous(best) : best
}

const isBetter = (one: ScoredHit, best: ScoredHit) =>
  one.score > best.score || (one.score >= automaticFrom && one.hit.to > best.hit.to)

/**
 * Returns true if the text after a certain name continues like another brand's longer name but is too short to be
 * certain.
 */
const isLongerName = (other: ScoredHit, best: ScoredHit) =>
  best.score >= automaticFrom && other.entry !== best.entry && other.hit.to > best.hit.to

const ambiguous = (found: ScoredHit): ScoredHit => ({ ...found, score: 0.7, reason: 'name_ambiguous' })
