import type { BrandEntry, BrandIndex, Owner } from '../brands/brand-index.ts'
import type { PrefixReading } from '../descriptor/processor-prefix.ts'
import { isTrade } from '../packs/trades.ts'
import { ticketPrefixes } from '../packs/words.ts'
import { endOfWords, type Hit, type Text } from '../search.ts'
import { isNumeric } from '../text/tokens.ts'
import type { UnmatchedReason } from '../types.ts'
import { automaticFrom, compareMcc, type Score, type Support, scoreOwner } from './confidence.ts'
import { classifyTrailing, type Trailing } from './trailing-text.ts'

/** The likeliest brand for a name in a text, how certain it is, and the runner-up. */
export type ScoredHit = {
  readonly entry: BrandEntry
  /** From 0 to 1. */
  readonly score: number
  readonly reason: UnmatchedReason | null
  readonly hit: Hit
  readonly trailing: Trailing
  readonly runnerUp: { readonly entry: BrandEntry; readonly score: number } | null
}

export function scoreHit(index: BrandIndex, text: Text, reading: PrefixReading, hit: Hit): ScoredHit {
  const support = findSupport(text, reading, hit)
  const [only, another] = hit.owners
  // Nearly every name has a single owner, so the common case builds no lists.
  if (only !== undefined && another === undefined) {
    const { score, reason, trailing } = scoreOne(index, text, hit, only, support)
    return { entry: only.entry, score, reason, hit, trailing, runnerUp: null }
  }
  const scored = hit.owners.map((owner) => scoreOne(index, text, hit, owner, support)).sort(surestFirst)
  const [first, second] = pickNamesake(scored, hit, support)
  const { owner, trailing, score, reason } = first
  const runnerUp = second === undefined ? null : { entry: second.owner.entry, score: second.score }
  return { entry: owner.entry, score, reason, hit, trailing, runnerUp }
}

type ScoredOwner = Score & { readonly owner: Owner; readonly trailing: Trailing }

function scoreOne(
  index: BrandIndex,
  { parsed, location }: Text,
  hit: Hit,
  owner: Owner,
  support: Support,
): ScoredOwner {
  const { entry, kind, risk } = owner
  const own = {
    form: hit.form,
    // Several plain words identify a well-known brand, so the brand's own trade after them adds nothing.
    isDistinct: risk === 'distinct' || (risk === 'phrase' && kind === 'name' && entry.isWellKnown),
    words: entry.words,
    mccs: entry.market.mccs,
  }
  const trailing = hit.split > 0 ? 'place' : classifyTrailing(parsed.tokens, hit.to, location, own)
  const { score, reason } = scoreOwner(index, hit, owner, trailing, support)
  return { score: Math.round(Math.min(score, 0.99) * 1000) / 1000, reason, owner, trailing }
}

// Ties are broken by brand ID, so that catalog order does not matter.
function surestFirst(one: ScoredOwner, other: ScoredOwner): number {
  return other.score - one.score || (one.owner.entry.facts.brandUid < other.owner.entry.facts.brandUid ? -1 : 1)
}

type Criterion = (one: ScoredOwner, hit: Hit, support: Support) => boolean

/** The criteria that distinguish brands with the same name, strongest first. */
const criteria: readonly Criterion[] = [
  ({ owner }, _, { site }) => site.includes(owner.entry),
  ({ owner }, _, { mcc }) => compareMcc(owner.entry, mcc) === 'agrees',
  ({ owner }, _, { state }) => state !== '' && owner.entry.market.states?.has(state) === true,
  ({ owner }, { form }) => owner.entry.form !== '' && form.startsWith(owner.entry.form),
  ({ owner }) => owner.entry.isConfirmedBySite && owner.kind === 'name',
  ({ owner }) => owner.entry.isConfirmedBySite,
  ({ owner }) => owner.entry.isWellKnown && owner.kind === 'name',
  ({ owner }) => owner.entry.isWellKnown,
  ({ owner }) => owner.kind === 'name',
]

/**
 * Picks among brands with the same name: the only one that meets a criterion, otherwise the most certain one, marked as
 * ambiguous.
 */
function pickNamesake(
  scored: readonly ScoredOwner[],
  hit: Hit,
  support: Support,
): readonly [first: ScoredOwner, second: ScoredOwner | undefined] {
  const [first, second] = scored
  if (first === undefined) throw new Error('a hit has no owner')
  if (second === undefined || first.score < automaticFrom) return [first, second]
  const rivals = scored.filter(
    ({ owner }) =>
      (!owner.entry.isNameOnly || first.owner.entry.isNameOnly) &&
      (owner.kind !== 'short' || first.owner.kind === 'short'),
  )
  if (rivals.length < 2) return [first, second]
  for (const criterion of criteria) {
    const [picked, another] = rivals.filter((one) => criterion(one, hit, support))
    if (picked !== undefined && another === undefined) return [picked, scored.find((one) => one !== picked)]
  }
  return [{ ...first, score: 0.7, reason: 'name_ambiguous' }, second]
}

function findSupport({ parsed, circumstance }: Text, reading: PrefixReading, hit: Hit): Support {
  const { tokens, field, end } = parsed
  const { texts, starts, ends } = tokens
  const last = hit.to - 1
  const lastWord = texts[last] ?? ''
  const next = texts[hit.to] ?? ''
  const isAlone = hit.to >= end
  const words = endOfWords(tokens, hit.from, end)
  const isBroken = hit.to === parsed.brokenAt || (hit.to >= words && words < end && isNumeric(next))
  const isSmall = reading.prefix?.small === true
  const isOneWord = hit.to - hit.from === 1
  return {
    ...circumstance,
    storeNumber: circumstance.storeNumber || reading.isNumbered,
    mcc: circumstance.mcc ?? (isTicket(next) ? airlineCode : undefined),
    isDashed:
      !isAlone && tokens.gaps[hit.to] === 'mark' && parsed.folded.slice(ends[last], starts[hit.to]).trim() === '-',
    isPayment: parsed.isAch || parsed.paymentAt >= hit.to,
    isEntry: parsed.isEntry,
    isSmall,
    isAlone,
    tradeAfter: isSmall && isOneWord && reading.prefix?.chains !== true && isTrade(next) ? next : '',
    isCompany: isSmall && (isCompany(lastWord) || isCompany(next)),
    isAfterUnknownPrefix: reading.isAfterUnknownPrefix,
    cut: classifyCut((ends[last] ?? 0) - (starts[field] ?? 0), isBroken || isAlone),
    lastWord,
  }
}

// The lengths at which networks and tills cut off the merchant's field.
const shortestCutField = 18
const longestCutField = 26
const shortestTillField = 15

function classifyCut(length: number, isBroken: boolean): Support['cut'] {
  if (length >= shortestCutField && length <= longestCutField) return 'by length'
  if (isBroken) return 'by break'
  return length >= shortestTillField && length < shortestCutField ? 'by till' : null
}

const isCompany = (word: string) => word.startsWith('llc') || word === 'inc'

const airlineCode = '4511'
const ticketDigits = 13

/** Returns true for a ticket number. After a name, it means that an airline was paid (`DELTA 0061234567890`). */
const isTicket = (text: string) =>
  (text.length === ticketDigits || text.length === ticketDigits + 1) && ticketPrefixes.has(text.slice(0, 3))
