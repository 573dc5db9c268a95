import type { CardId } from '../../cards/index.ts'
import { dayOf } from '../../platform/calendar.ts'
import { AUTHORIZATION_DAYS, type SourceEventInput } from '../../transactions/index.ts'
import type { ProviderRow } from '../provider.ts'
import { type Desk, type Ground, isGone, keep, lastOf, openDesk, takeBack } from './desk.ts'
import { adoptOrphans, begin, blankRow, cardOf, change, continueRow, giveTo, returnRow } from './hand-over.ts'
import { type Arrival, type Candidate, pairRows, type Vacancy } from './pairing.ts'
import { type Reading, readRow } from './reading.ts'
import type { FeedRow, Update } from './rows.ts'

export type Plan = { readonly events: readonly SourceEventInput[]; readonly rows: readonly FeedRow[] }

const DAY_MS = 86_400_000
// The provider tells of a row and of what replaces it in one update as a rule; a bank's move may take two nights.
const POSTED_WAITS_MS = 3 * DAY_MS
// A hold posts within two weeks of vanishing or never; its authorization lapses sooner as a rule, and then that counts.
const HOLD_WAITS_MS = 14 * DAY_MS

/**
 * Turns one whole update of a feed into source events and the rows to remember (docs/decisions/0008-one-purchase.md). A
 * row is handed over once, under its own id:
 *
 * - pending: AUTHORIZATION; posted: CLEARING of its pending row, named or found; money back: REFUND
 * - changed: AMENDMENT; gone: nothing at first, and a REVERSAL when nothing has taken its place in time
 * - there again, under its own id or another: nothing, or what was taken back stands again
 *
 * What is told about a row after its first event has an id made of the row's id and a count. A clearing is dated on the
 * day it posted, because refund periods run from there; when that is another day than that of the purchase and no
 * pending row told of it, an AUTHORIZATION goes ahead and states the day of the purchase.
 */
export function planUpdate(ground: Ground, update: Update): Plan {
  const desk = openDesk(ground, update.removed)
  const readings = update.rows.map((row) => ({ row, reading: readRow(row, ground.timeZone) }))
  const pairs = pairsOf(desk, update, readings)
  // Purchases first, so that a refund in the same update finds its own; holds before what may be their posting.
  for (const { row, reading } of readings.toSorted((a, b) => rank(a.reading) - rank(b.reading)))
    take(desk, pairs, row, reading)
  for (const rowId of update.removed) miss(desk, rowId)
  adoptOrphans(desk)
  return planOf(desk)
}

/**
 * What waited long enough: nothing has taken its place. Rows that went because their account did say nothing of what was
 * bought: it stands. A hold ends even so, for nothing will post it.
 */
export function planExpiry(ground: Ground, rows: readonly FeedRow[], closedCards: ReadonlySet<CardId>): Plan {
  const desk = openDesk({ ...ground, known: rows }, [])
  const due = rows.filter((row) => row.waitsUntil !== null && row.waitsUntil <= ground.now && row.replacedBy === null)
  for (const row of due) {
    const stands = row.handedAs !== 'AUTHORIZATION' && row.cardId !== null && closedCards.has(row.cardId)
    if (stands) keep(desk, { ...row, waitsUntil: null })
    else takeBack(desk, row)
  }
  return planOf(desk)
}

/** A refund that had found no purchase is given to one. */
export function planGift(ground: Ground, orphan: FeedRow, refundOf: string): Plan {
  const desk = openDesk(ground, [])
  giveTo(desk, orphan, refundOf)
  return planOf(desk)
}

function planOf(desk: Desk): Plan {
  return { events: desk.events, rows: [...desk.touched].flatMap((rowId) => desk.rows.get(rowId) ?? []) }
}

function rank({ kind }: Reading): number {
  return kind === 'REFUND' ? 2 : kind === 'CLEARING' ? 1 : 0
}

function take(desk: Desk, pairs: ReadonlyMap<string, string>, row: ProviderRow, reading: Reading): void {
  const known = desk.rows.get(row.rowId)
  if (known !== undefined && known.replacedBy === null && known.handedAs !== null) {
    const shown = asShown(desk.ground, known, row)
    if (known.removed) returnRow(desk, shown, row, reading)
    else if (!known.contentHash.equals(reading.hash)) change(desk, shown, row, reading)
    else if (known.waitsUntil !== null || isMoved(known, shown)) keep(desk, shown)
    return
  }
  // A hold that has posted is of no interest any more, however long the bank goes on showing it.
  if (known !== undefined && known.replacedBy !== null && (reading.kind === null || isPostedHold(known, reading)))
    return
  const continued = reading.kind === null ? null : placeOf(desk, pairs, row)
  if (continued !== null) continueRow(desk, continued, row, reading)
  else begin(desk, row, reading)
}

/** A row stands under the ids that its login uses now, so that no other row is taken for it. */
function asShown(ground: Ground, known: FeedRow, row: ProviderRow): FeedRow {
  const cardId = cardOf(ground, row) ?? known.cardId
  return { ...known, accountId: row.accountId, cardId, generation: ground.generation, waitsUntil: null }
}

function isMoved(known: FeedRow, shown: FeedRow): boolean {
  return known.generation !== shown.generation || known.cardId !== shown.cardId
}

function isPostedHold(known: FeedRow, reading: Reading): boolean {
  return known.handedAs !== 'CLEARING' && known.handedAs !== 'REFUND' && reading.kind === 'AUTHORIZATION'
}

/** The stored row that this one continues: the hold that it names, else what was found for it. */
function placeOf(desk: Desk, pairs: ReadonlyMap<string, string>, row: ProviderRow): FeedRow | null {
  const named = namedHold(desk, row)
  if (named !== null) return named
  const found = desk.rows.get(pairs.get(row.rowId) ?? '')
  return found === undefined || found.replacedBy !== null ? null : found
}

function namedHold(desk: Desk, row: ProviderRow): FeedRow | null {
  const pending = row.pendingRowId === null ? undefined : desk.rows.get(row.pendingRowId)
  return pending === undefined || pending.replacedBy !== null ? null : pending
}

/**
 * Another row has the place that this one had, or the hold that it names. If that one is gone, this one is it under a new
 * id; if it is not, both are there and are two.
 */
function formerOf(desk: Desk, row: ProviderRow, known: FeedRow | undefined): string | null {
  const begun = known ?? (row.pendingRowId === null ? undefined : desk.rows.get(row.pendingRowId))
  const former = begun === undefined ? null : lastOf(desk, begun)
  return former !== null && former.rowId !== row.rowId && isGone(desk, former) ? former.rowId : null
}

type Read = { readonly row: ProviderRow; readonly reading: Reading }

function pairsOf(desk: Desk, update: Update, readings: readonly Read[]): Map<string, string> {
  const listed = new Set(update.rows.map((row) => row.rowId))
  const seeking: Arrival[] = []
  const named = new Set<string>()
  for (const { row, reading } of readings) {
    const known = desk.rows.get(row.rowId)
    const cardId = desk.ground.cardOfAccount.get(row.accountId)?.cardId
    const isNew = known === undefined || known.replacedBy !== null || known.handedAs === null
    if (!isNew || reading.kind === null || cardId === undefined) continue
    const hold = namedHold(desk, row)
    const postedOn = dayOf(reading.posted.at, desk.ground.timeZone)
    if (hold !== null) named.add(hold.rowId)
    else seeking.push({ row, reading, cardId, postedOn, formerId: formerOf(desk, row, known) })
  }
  const moved = movedFrom(desk.ground, update)
  const candidates = [...desk.rows.values()]
    .filter((row) => row.handedAs !== null && row.replacedBy === null && !named.has(row.rowId))
    .map((row): Candidate => ({ row: asNow(desk.ground, row), vacancy: vacancyOf(desk, row, listed, moved) }))
  return pairRows(seeking, [...candidates, ...freshHolds(desk, seeking)])
}

function vacancyOf(
  { gone, ground }: Desk,
  row: FeedRow,
  listed: ReadonlySet<string>,
  moved: (row: FeedRow) => boolean,
): Vacancy {
  if (listed.has(row.rowId)) return 'live'
  if (row.removed) return 'removed'
  if (gone.has(row.rowId)) return 'gone'
  if (row.waitsUntil !== null) return 'waiting'
  const isFormer = row.cardId !== null && ground.formerCards.has(row.cardId)
  return row.generation < ground.generation || isFormer || moved(row) ? 'elsewhere' : 'live'
}

/** What was bought with a card that was unlinked was bought with the one that the account is now. */
function asNow({ formerCards }: Ground, row: FeedRow): FeedRow {
  return { ...row, cardId: formerCards.get(row.cardId ?? ('' as CardId)) ?? row.cardId }
}

/** Whether the update speaks of a row's card under another account id only: then the row's own is one of the past. */
function movedFrom({ cardOfAccount }: Ground, { rows }: Update): (row: FeedRow) => boolean {
  const accounts = new Set(rows.map((row) => row.accountId))
  const cards = new Set([...accounts].flatMap((accountId) => cardOfAccount.get(accountId)?.cardId ?? []))
  return ({ accountId, cardId }) =>
    accountId !== null && cardId !== null && !accounts.has(accountId) && cards.has(cardId)
}

/** Holds of this very update may be followed by their postings in it. */
function freshHolds({ ground, rows }: Desk, arrivals: readonly Arrival[]): Candidate[] {
  return arrivals
    .filter(({ row, reading }) => reading.kind === 'AUTHORIZATION' && !rows.has(row.rowId))
    .map(({ row, reading, cardId }) => ({ row: blankRow(ground, row, reading, cardId), vacancy: 'live' }))
}

/** A row that the bank does not show any more. */
function miss(desk: Desk, rowId: string): void {
  const known = desk.rows.get(rowId)
  if (known === undefined || known.removed || known.replacedBy !== null || known.waitsUntil !== null) return
  const nowMs = desk.ground.now.getTime()
  const until =
    known.handedAs === 'AUTHORIZATION'
      ? Math.min(nowMs + HOLD_WAITS_MS, known.occurredAt.getTime() + AUTHORIZATION_DAYS * DAY_MS)
      : nowMs + POSTED_WAITS_MS
  if (known.handedAs === null) keep(desk, { ...known, removed: true })
  else if (until <= nowMs) takeBack(desk, known)
  else keep(desk, { ...known, waitsUntil: new Date(until) })
}
