import type { BrandIndex, Entry, Owner } from '../brands/brand-index.ts'
import type { Parsed, Reading } from '../descriptor/parse.ts'
import { abbreviations } from '../packs/packs.ts'
import { isTrade } from '../packs/trades.ts'
import type { Location } from '../places/location.ts'
import { automaticFrom, mccFit, reviewFrom, type Score, type Support, scoreOwner } from '../scoring/confidence.ts'
import { classifyTrailing, type Trailing } from '../scoring/trailing-text.ts'
import { isNumeric, type Tokens, withTexts } from '../text/tokens.ts'
import type { UnmatchedReason } from '../types.ts'
import { afterAirportOrOwner, afterOwnerHit } from './after-owner.ts'
import { companySuffixHit } from './company-suffix.ts'
import { cutHit, endOfWords, type Hit, longestHit, type NameSearch, nearHit } from './find-name.ts'
import { tillCodeHit } from './till-code.ts'
import { withoutVowelsHit } from './without-vowels.ts'

/** The best brand of a text, how sure it is, and the next best. */
export type Found = {
  readonly entry: Entry
  readonly score: number
  readonly reason: UnmatchedReason | null
  readonly hit: Hit
  readonly rest: Trailing
  readonly runnerUp: { readonly entry: Entry; readonly score: number } | null
}

export type Circumstance = Pick<Support, 'mcc' | 'site' | 'state' | 'cleaned' | 'contradicted' | 'storeNumber'>

export type Text = {
  readonly parsed: Parsed
  readonly location: Location
  readonly circumstance: Circumstance
  readonly sellsHere: (entry: Entry) => boolean
}

/** Reads a text in each of its ways and takes the surest; null: it names nobody. */
export function findByName(index: BrandIndex, text: Text): Found | null {
  let best: Found | null = null
  for (const reading of text.parsed.readings) {
    const found = readName(index, text, reading)
    if (found !== null && (best === null || found.score > best.score)) best = found
    if (best !== null && best.score >= automaticFrom) return best
  }
  return best
}

function readName(index: BrandIndex, text: Text, reading: Reading): Found | null {
  const { tokens } = text.parsed
  const search: NameSearch = { index, tokens, location: text.location, sellsHere: text.sellsHere }
  const hit = longestHit(search, reading.from)
  const found = hit === null ? null : judgeHit(index, text, reading, hit)
  const later = hit === null ? null : behindInitials(search, hit)
  if (found !== null && later !== null) {
    const laterFound = judgeHit(index, text, reading, later)
    if (laterFound.score >= reviewFrom) return laterFound
    return { ...found, score: Math.min(found.score, sisterScore), reason: found.reason ?? 'name_ambiguous' }
  }
  const isWhole = found !== null && found.rest !== 'open' && found.rest !== 'counted'
  if (found !== null && found.score >= automaticFrom && isWhole) return found
  const spelled = spelledOut(tokens, reading.from, text.location.end)
  const longer = spelled === null ? null : longestHit({ ...search, tokens: spelled }, reading.from)
  const isLonger = longer !== null && (hit === null || longer.to > hit.to)
  const spelledFound = isLonger ? judgeHit(index, text, reading, longer) : null
  if (spelledFound !== null && spelledFound.score >= automaticFrom) return spelledFound
  const score = found?.score ?? 0
  const bare =
    score < automaticFrom
      ? withoutVowelsHit(spelled === null ? search : { ...search, tokens: spelled }, reading.from)
      : null
  const bareFound = bare === null ? null : judgeHit(index, text, reading, bare)
  if (bareFound !== null && bareFound.score > score) return bareFound
  // Of a place that is called like a brand (`BRIGHTON VALERO`).
  const dealer = found?.rest === 'open' && score < automaticFrom ? afterOwnerHit(search, spelled, reading.from) : null
  if (dealer !== null) return judgeHit(index, text, reading, dealer)
  // What follows may be the rest of a sister's longer name, cut off.
  const cut = cutHit(search, reading.from)
  const cutFound = cut === null || (hit !== null && cut.to < hit.to) ? null : judgeHit(index, text, reading, cut)
  if (cutFound !== null && isBetterCut(cutFound, found)) return cutFound
  if (found !== null) {
    const isSisters = isSisterLikely(found, spelledFound) || isSisterLikely(found, cutFound)
    return isSisters ? { ...found, score: sisterScore, reason: 'name_ambiguous' } : found
  }
  const { from } = reading
  const isPayPal = reading.prefix?.prefix === 'paypal' || reading.prefix?.prefix === 'pp'
  const joined = isPayPal ? companySuffixHit(search, from) : null
  const other =
    joined ?? tillCodeHit(search, from) ?? afterAirportOrOwner(search, spelled, from) ?? nearHit(search, from)
  return other === null ? null : judgeHit(index, text, reading, other)
}

const initials = 2
const shortestLater = 6

// `HP-THE ORIGINAL PANCAKE`: two letters printed onto a longer name rather say where that shop stands.
function behindInitials(search: NameSearch, { form, from, to }: Hit): Hit | null {
  const { starts, ends, gaps } = search.tokens
  const isJoined = gaps[to] === 'mark' && (starts[to] ?? 0) === (ends[to - 1] ?? 0) + 1
  if (form.length !== initials || to !== from + 1 || to >= search.location.end || !isJoined) return null
  const hit = longestHit(search, to) ?? cutHit(search, to)
  return hit !== null && hit.form.length >= shortestLater ? hit : null
}

const mostNameTokens = 5

/** The tokens with the shortened words among the first in full (`MKT`), or null when there are none. */
function spelledOut(tokens: Tokens, from: number, end: number): Tokens | null {
  let texts: string[] | null = null
  for (let at = from; at < Math.min(end, from + mostNameTokens); at += 1) {
    const full = abbreviations.get(tokens.texts[at] ?? '')
    if (full === undefined) continue
    texts ??= [...tokens.texts]
    texts[at] = full
  }
  return texts === null ? null : withTexts(tokens, texts)
}

function isBetterCut(cut: Found, found: Found | null): boolean {
  if (found === null || cut.score > found.score) return true
  return cut.score >= automaticFrom && cut.hit.to > found.hit.to
}

const sisterScore = 0.7

/** Whether what follows the name goes on like the longer name of another brand, though not far enough to be sure. */
function isSisterLikely(found: Found, sister: Found | null): boolean {
  if (sister === null || found.score < automaticFrom) return false
  return sister.entry !== found.entry && sister.hit.to > found.hit.to
}

function judgeHit(index: BrandIndex, text: Text, reading: Reading, hit: Hit): Found {
  const support = supportOf(text, reading, hit)
  const judged = hit.owners.map((owner) => judgeOne(index, text, hit, owner, support)).sort(surestFirst)
  const [first, second] = decideBetween(judged, hit, support)
  const runnerUp = second === undefined ? null : { entry: second.owner.entry, score: second.score }
  const { owner, rest, score, reason } = first
  return { entry: owner.entry, score, reason, hit, rest, runnerUp }
}

type ScoredOwner = Score & { readonly owner: Owner; readonly rest: Trailing }

function judgeOne(
  index: BrandIndex,
  { parsed, location }: Text,
  hit: Hit,
  owner: Owner,
  support: Support,
): ScoredOwner {
  const own = {
    form: hit.form,
    // Half the country knows what it sells: its trade behind several words says nothing new.
    isDistinct:
      owner.risk === 'distinct' || (owner.risk === 'phrase' && owner.kind === 'name' && owner.entry.isWellKnown),
    words: owner.entry.words,
    mccs: owner.entry.facts.mccs,
  }
  const rest = hit.split > 0 ? 'place' : classifyTrailing(parsed.tokens, hit.to, location, own)
  const judged = scoreOwner(index, hit, owner, rest, support)
  return { ...judged, score: Math.round(Math.min(judged.score, 0.99) * 1000) / 1000, owner, rest }
}

// By the brand's id where all else is equal: the order in which brands came decides nothing.
function surestFirst(one: ScoredOwner, other: ScoredOwner): number {
  return other.score - one.score || (one.owner.entry.facts.brandUid < other.owner.entry.facts.brandUid ? -1 : 1)
}

const ambiguousScore = 0.7

// Several brands of one name: the site or the category tells them apart, or the state when they keep to theirs.
function decideBetween(
  judged: readonly ScoredOwner[],
  hit: Hit,
  support: Support,
): [ScoredOwner, ScoredOwner | undefined] {
  const [first, second] = judged
  if (first === undefined) throw new Error('a hit without an owner')
  if (second === undefined || first.score < automaticFrom) return [first, second]
  const rivals = judged.filter(
    ({ owner }) =>
      (!owner.entry.isNameOnly || first.owner.entry.isNameOnly) &&
      (owner.kind !== 'short' || first.owner.kind === 'short'),
  )
  const tells: readonly ((one: ScoredOwner) => boolean)[] = [
    ({ owner }) => support.site.includes(owner.entry),
    ({ owner }) => mccFit(owner.entry, support.mcc) === 'agrees',
    ({ owner }) => support.state !== '' && owner.entry.states?.has(support.state) === true,
    ({ owner }) => owner.entry.form !== '' && hit.form.startsWith(owner.entry.form),
    ({ owner }) => owner.entry.isConfirmedBySite && owner.kind === 'name',
    ({ owner }) => owner.entry.isConfirmedBySite,
    ({ owner }) => owner.entry.isWellKnown && owner.kind === 'name',
    ({ owner }) => owner.entry.isWellKnown,
    ({ owner }) => owner.kind === 'name',
  ]
  if (rivals.length < 2) return [first, second]
  for (const tell of tells) {
    const told = rivals.filter(tell)
    if (told.length === 1 && told[0] !== undefined) return [told[0], judged.find((one) => one !== told[0])]
  }
  return [{ ...first, score: ambiguousScore, reason: 'name_ambiguous' }, second]
}

const shortestCutField = 18
const shortestTillField = 15
const longestCutField = 26

function supportOf({ parsed, circumstance }: Text, reading: Reading, hit: Hit): Support {
  const { tokens, field, end } = parsed
  const last = hit.to - 1
  const words = endOfWords(tokens, hit.from, end)
  const length = (tokens.ends[last] ?? 0) - (tokens.starts[field] ?? 0)
  const broken = hit.to === parsed.brokenAt || (hit.to >= words && words < end && isNumeric(tokens.texts[hit.to] ?? ''))
  const ends = hit.to >= end
  const isSmall = reading.prefix?.small === true
  return {
    ...circumstance,
    storeNumber: circumstance.storeNumber || reading.numbered,
    isDashed: hit.to < end && isDashBetween(parsed.folded, tokens.ends[last] ?? 0, tokens.starts[hit.to] ?? 0),
    mcc: circumstance.mcc ?? (isTicket(tokens, hit.to) ? airlineCode : undefined),
    isPayment: parsed.isAch || parsed.paymentAt >= hit.to,
    isEntry: parsed.isEntry,
    isSmall,
    isAlone: ends,
    tradeBehind: isSmall ? tradeBehind(tokens, reading, hit) : '',
    isCompany: isSmall && (isCompany(tokens.texts[last]) || isCompany(tokens.texts[hit.to])),
    isAfterUnknownPrefix: reading.isAfterUnknownPrefix,
    cut: cutOf(length, broken || ends),
    lastWord: tokens.texts[last] ?? '',
  }
}

function cutOf(length: number, isBroken: boolean): Support['cut'] {
  if (length >= shortestCutField && length <= longestCutField) return 'by length'
  if (isBroken) return 'by break'
  return length >= shortestTillField && length < shortestCutField ? 'by till' : null
}

// At Shopify brands run shops of their own.
const onlineShops: ReadonlySet<string> = new Set(['sp', 'shopify'])

function tradeBehind({ texts }: Tokens, { prefix }: Reading, { from, to }: Hit): string {
  const word = texts[to] ?? ''
  return to - from === 1 && !onlineShops.has(prefix?.prefix ?? '') && isTrade(word) ? word : ''
}

const isCompany = (word: string | undefined) => word !== undefined && (word.startsWith('llc') || word === 'inc')

function isDashBetween(text: string, from: number, to: number): boolean {
  return text.slice(from, to).trim() === '-'
}

const airlineCode = '4511'
const ticketDigits = 13
// The first three digits of a ticket say whose it is.
const carriers: ReadonlySet<string> = new Set(
  '001 006 012 014 016 027 037 057 074 105 125 172 173 176 220 230 268 279 401 422 487 526'.split(' '),
)

// `DELTA 0061234567890`: behind the name stands the number of a ticket, so an airline was paid.
function isTicket({ texts }: Tokens, at: number): boolean {
  const text = texts[at] ?? ''
  return (text.length === ticketDigits || text.length === ticketDigits + 1) && carriers.has(text.slice(0, 3))
}
