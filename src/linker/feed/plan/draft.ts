import type { CardId, CardSpan } from '../../../cards/index.ts'
import { type Day, dayOf } from '../../../platform/calendar.ts'
import { secondsOf } from '../../../platform/clock.ts'
import type { UserId } from '../../../platform/ids.ts'
import type { Publisher } from '../../../publishers/index.ts'
import type { EventKind, SourceEventInput } from '../../../transactions/index.ts'
import { type FeedRow, isVacant } from '../rows.ts'
import type { Moment, ParsedRow } from './parse-row.ts'

type KnownCard = Pick<CardSpan, 'cardId' | 'linkedAt' | 'takenOver'>

/** What is known before an update is applied. */
export type Baseline = {
  readonly userId: UserId
  readonly timeZone: string
  readonly now: Date
  readonly generation: number
  readonly cardOfAccount: ReadonlyMap<string, KnownCard>
  /** Cards that were unlinked before the same account was linked again, each with the card it is now. */
  readonly formerCards: ReadonlyMap<CardId, CardId>
  /** The stored rows that the update names, by id: its own, the pending ones they replace, and what replaced those. */
  readonly known: readonly FeedRow[]
  /** Stored rows that the update's rows may continue: holds, and rows that are gone or stand under ids of the past. */
  readonly continued: readonly FeedRow[]
  /** Stored rows of the merchants that give something back. */
  readonly purchases: readonly FeedRow[]
  /** Refunds that have found no purchase so far. */
  readonly orphans: readonly FeedRow[]
}

/** What is known of a feed when the rows themselves say all that the plan needs. */
export function baselineOfRows(
  { timeZone }: Pick<Publisher, 'timeZone'>,
  { userId, generation }: Pick<Baseline, 'userId' | 'generation'>,
  known: readonly FeedRow[],
  now: Date,
): Baseline {
  const nothing = { continued: [], purchases: [], orphans: [] }
  return { userId, timeZone, now, generation, known, cardOfAccount: new Map(), formerCards: new Map(), ...nothing }
}

/** The plan of one update while it is made: the rows as they now are, and the events to record. */
export type Draft = {
  readonly baseline: Baseline
  readonly rows: Map<string, FeedRow>
  readonly touched: Set<string>
  /** Rows that this update removes. */
  readonly gone: ReadonlySet<string>
  readonly events: SourceEventInput[]
}

export function startDraft(baseline: Baseline, gone: readonly string[]): Draft {
  const { purchases, orphans, continued, known } = baseline
  const rows = [...purchases, ...orphans, ...continued, ...known]
  return {
    baseline,
    rows: new Map(rows.map((row) => [row.rowId, row])),
    touched: new Set(),
    gone: new Set(gone),
    events: [],
  }
}

export function keep(draft: Draft, row: FeedRow): FeedRow {
  draft.rows.set(row.rowId, row)
  draft.touched.add(row.rowId)
  return row
}

/** The row that replaced this one in the end; null when unknown. */
export function lastOf(draft: Draft, row: FeedRow): FeedRow | null {
  let last: FeedRow | undefined = row
  for (const seen = new Set<string>(); last !== undefined && last.replacedBy !== null; ) {
    if (seen.has(last.rowId)) return null
    seen.add(last.rowId)
    last = draft.rows.get(last.replacedBy)
  }
  return last ?? null
}

export function isGone(draft: Draft, row: FeedRow): boolean {
  return isVacant(row) || draft.gone.has(row.rowId)
}

/**
 * Whether it was bought before its card was linked, so that it is history and nothing else. Where a bank tells only the
 * day, one bought on the day of the link counts, unless another user had the account until then and may have earned on it.
 */
export function isHistory({ baseline }: Draft, cardId: CardId | null, bought: Moment, boughtOn: Day): boolean {
  const card = [...baseline.cardOfAccount.values()].find((one) => one.cardId === cardId)
  if (card === undefined) return false
  if (!bought.dateOnly) return secondsOf(bought.at) < secondsOf(card.linkedAt)
  const linkedOn = dayOf(card.linkedAt, baseline.timeZone)
  return card.takenOver ? boughtOn <= linkedOn : boughtOn < linkedOn
}

type EventDetails = {
  readonly kind: EventKind
  readonly externalId: string
  readonly original: string | null
  readonly moment: Moment
}

/** Adds the event of a row. */
export function tell(
  draft: Draft,
  cardId: CardId | null,
  parsed: ParsedRow,
  { kind, externalId, original, moment }: EventDetails,
) {
  const history = isHistory(draft, cardId, parsed.bought, parsed.boughtOn)
  draft.events.push({
    userId: draft.baseline.userId,
    source: 'CARD',
    externalId,
    kind,
    originalExternalId: original,
    amount: parsed.amount,
    currency: parsed.currency,
    occurredAt: moment.at,
    dateOnly: moment.dateOnly,
    facts: history ? { ...parsed.facts, isHistory: true } : parsed.facts,
  })
}

/**
 * Reverses the event of a row. The reversal of a hold is dated when the hold began, so that a clearing that still arrives
 * counts, whatever its day.
 */
export function reverseRow(draft: Draft, known: FeedRow): FeedRow {
  const held = known.handedAs === 'AUTHORIZATION'
  reverse(draft, known, removalId(known), known.externalId, held ? known.occurredAt : draft.baseline.now)
  return keep(draft, { ...known, waitsUntil: null, removed: true, isOrphan: false })
}

/** Restores a purchase that was reversed, by reversing the reversal. */
export function restore(draft: Draft, known: FeedRow): FeedRow {
  reverse(draft, known, `restored:${idOf(known.externalId, known.revision)}`, removalId(known), draft.baseline.now)
  return keep(draft, { ...known, revision: nextOf(draft, known), removed: false })
}

/** The revision of the next event under a row's id; the row may have had an earlier life, or continue that of another. */
export function nextOf(draft: Draft, known: FeedRow): number {
  return Math.max(known.revision, draft.rows.get(known.rowId)?.revision ?? 0) + 1
}

function reverse(draft: Draft, known: FeedRow, externalId: string, original: string, occurredAt: Date): void {
  draft.events.push({
    userId: draft.baseline.userId,
    source: 'CARD',
    externalId,
    kind: 'REVERSAL',
    originalExternalId: original,
    amount: known.handedAs === 'AUTHORIZATION' ? known.peakAmount : known.amount,
    currency: known.currency,
    occurredAt,
    dateOnly: false,
    facts: {},
  })
}

function removalId(known: FeedRow): string {
  return `removed:${idOf(known.externalId, known.revision)}`
}

/** Padded, so that ids of later events sort later. */
export function idOf(id: string, revision: number): string {
  return revision === 0 ? id : `${id}:${String(revision).padStart(4, '0')}`
}

/** Not before what it follows; events of one purchase are taken in the order of their times. */
export function after(moment: Moment, earlier: Date): Moment {
  return moment.at > earlier ? moment : { ...moment, at: new Date(earlier.getTime() + 1) }
}

export function seenOf({ amount, currency, boughtOn, merchantKeys, hash }: ParsedRow) {
  return { amount, currency, boughtOn, merchantKeys, contentHash: hash }
}
