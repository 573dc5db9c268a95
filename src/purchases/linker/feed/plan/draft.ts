import { toDay } from '../../../../platform/calendar.ts'
import { toSeconds } from '../../../../platform/clock.ts'
import type { UserId } from '../../../../platform/ids.ts'
import type { CardId, CardSpan } from '../../../../sources/cards/index.ts'
import type { Publisher } from '../../../../tenants/publishers/index.ts'
import type { SourceEventInput } from '../../../transactions/index.ts'
import type { FeedRow } from '../rows.ts'
import type { Moment, ParsedRow } from './parse-row.ts'

type KnownCard = Pick<CardSpan, 'cardId' | 'linkedAt' | 'takenOver'>

/** The stored state before an update is applied. */
export type Baseline = {
  readonly userId: UserId
  readonly timeZone: string
  readonly now: Date
  readonly generation: number
  readonly cardOfAccount: ReadonlyMap<string, KnownCard>
  /** Maps each card that was unlinked before its account was linked again to the account's current card. */
  readonly formerCards: ReadonlyMap<CardId, CardId>
  /** The stored rows that the plan may change or continue. */
  readonly stored: readonly FeedRow[]
}

/** Creates a baseline for a plan that needs only these rows. */
export function createBaseline(
  { timeZone }: Pick<Publisher, 'timeZone'>,
  { userId, generation }: Pick<Baseline, 'userId' | 'generation'>,
  stored: readonly FeedRow[],
  now: Date,
): Baseline {
  return { userId, timeZone, now, generation, stored, cardOfAccount: new Map(), formerCards: new Map() }
}

/** A plan in progress: the current rows and the events to record. */
export type Draft = {
  readonly baseline: Baseline
  readonly rows: Map<string, FeedRow>
  readonly touched: Set<string>
  /** Rows that this update removes. */
  readonly gone: ReadonlySet<string>
  readonly events: SourceEventInput[]
}

export function startDraft(baseline: Baseline, gone: readonly string[]): Draft {
  return {
    baseline,
    rows: new Map(baseline.stored.map((row) => [row.rowId, row])),
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

/** Returns the last row in the chain of replacements; null if it is unknown. */
export function findLast(draft: Draft, row: FeedRow): FeedRow | null {
  let last: FeedRow | undefined = row
  for (const seen = new Set<string>(); last !== undefined && last.replacedBy !== null; ) {
    if (seen.has(last.rowId)) return null
    seen.add(last.rowId)
    last = draft.rows.get(last.replacedBy)
  }
  return last ?? null
}

/**
 * Returns true if a purchase was made before its card was linked and therefore serves only as history. If only the day
 * is known, a purchase on the day the card was linked is not history, unless another user held the account until then
 * and may have earned on it.
 */
export function isHistory({ baseline }: Draft, cardId: CardId | null, { bought, boughtOn }: ParsedRow): boolean {
  const card = [...baseline.cardOfAccount.values()].find((one) => one.cardId === cardId)
  if (card === undefined) return false
  if (!bought.dateOnly) return toSeconds(bought.at) < toSeconds(card.linkedAt)
  const linkedOn = toDay(card.linkedAt, baseline.timeZone)
  return card.takenOver ? boughtOn <= linkedOn : boughtOn < linkedOn
}

type EventDetails = Pick<SourceEventInput, 'kind' | 'externalId' | 'originalExternalId'> & { readonly moment: Moment }

/** Adds a row's event, marked as history if it is from before its card was linked. */
export function addEvent(draft: Draft, cardId: CardId | null, row: ParsedRow, { moment, ...event }: EventDetails) {
  const { at: occurredAt, dateOnly } = moment
  const facts = isHistory(draft, cardId, row) ? { ...row.facts, isHistory: true as const } : row.facts
  addRowEvent(draft, row, { ...event, amount: row.amount, occurredAt, dateOnly, facts })
}

/**
 * Reverses a row's event. The reversal of a hold carries the hold's date, so a late clearing counts regardless of its
 * date.
 */
export function reverseRow(draft: Draft, known: FeedRow): FeedRow {
  const held = known.handedAs === 'AUTHORIZATION'
  const occurredAt = held ? known.occurredAt : draft.baseline.now
  const event = { kind: 'REVERSAL', externalId: removalId(known), originalExternalId: known.externalId } as const
  addRowEvent(draft, known, { ...event, amount: held ? known.peakAmount : known.amount, occurredAt })
  return keep(draft, { ...known, waitsUntil: null, removed: true, isOrphan: false })
}

/** Reverses the reversal of a purchase, which reinstates the purchase. */
export function reverseReversal(draft: Draft, known: FeedRow): FeedRow {
  addRowEvent(draft, known, {
    kind: 'REVERSAL',
    externalId: `restored:${toEventId(known.externalId, known.revision)}`,
    originalExternalId: removalId(known),
    amount: known.amount,
    occurredAt: draft.baseline.now,
  })
  return keep(draft, { ...known, revision: computeNextRevision(draft, known), removed: false })
}

/**
 * Returns the revision for the next event under a row's id. It is higher than the revisions of both the row itself and
 * the row it continues.
 */
export function computeNextRevision(draft: Draft, known: FeedRow): number {
  return Math.max(known.revision, draft.rows.get(known.rowId)?.revision ?? 0) + 1
}

type OwnEvent = Pick<SourceEventInput, 'kind' | 'externalId' | 'originalExternalId' | 'amount' | 'occurredAt'> &
  Partial<Pick<SourceEventInput, 'dateOnly' | 'facts'>>

/** Adds an event in a row's currency. */
export function addRowEvent(draft: Draft, { currency }: Pick<FeedRow, 'currency'>, event: OwnEvent): void {
  const { userId } = draft.baseline
  draft.events.push({ dateOnly: false, facts: {}, ...event, userId, source: 'CARD', currency })
}

function removalId(known: FeedRow): string {
  return `removed:${toEventId(known.externalId, known.revision)}`
}

/** Builds an event id. The revision is zero-padded so that ids of later events sort later. */
export function toEventId(id: string, revision: number): string {
  return revision === 0 ? id : `${id}:${String(revision).padStart(4, '0')}`
}

/**
 * Moves a moment past the preceding event if necessary, because a purchase's events are folded in chronological order.
 */
export function moveAfter(moment: Moment, earlier: Date): Moment {
  return moment.at > earlier ? moment : { ...moment, at: new Date(earlier.getTime() + 1) }
}

export function toSeen({ amount, currency, boughtOn, merchantKeys, hash }: ParsedRow) {
  return { amount, currency, boughtOn, merchantKeys, contentHash: hash }
}
