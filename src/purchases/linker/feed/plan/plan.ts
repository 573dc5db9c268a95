import { DAY_MS } from '../../../../platform/calendar.ts'
import type { CardId } from '../../../../sources/cards/index.ts'
import { AUTHORIZATION_DAYS, type SourceEventInput } from '../../../transactions/index.ts'
import type { FeedRow } from '../rows.ts'
import { type Baseline, type Draft, findLast, keep, reverseRow, startDraft } from './draft.ts'
import { type Arrival, pairRows, type RowCandidate, type Vacancy } from './pairing.ts'
import type { ParsedRow, ParsedUpdate } from './parse-row.ts'
import {
  adoptOrphans,
  assignRefund,
  beginRow,
  changeRow,
  continueRow,
  createBlankRow,
  findCard,
  restoreRow,
} from './row-events.ts'

export type UpdatePlan = { readonly events: readonly SourceEventInput[]; readonly rows: readonly FeedRow[] }

// A row and its replacement usually arrive in one update. A bank's migration may take two nights.
const POSTED_WAITS_MS = 3 * DAY_MS
// A hold posts within two weeks of vanishing or never. Its authorization usually lapses sooner.
const HOLD_WAITS_MS = 14 * DAY_MS

/**
 * Turns a complete feed update into source events and rows to store (docs/decisions/0008-one-purchase.md). Each row
 * becomes one event with its own id:
 *
 * - pending: AUTHORIZATION; posted: CLEARING of its pending row, referenced or found; money back: REFUND
 * - changed: AMENDMENT; gone: nothing at first, then a REVERSAL if no row replaces it in time
 * - shown again, under its own id or another: nothing, or the reversal of the reversal
 *
 * Later events of a row get an id built from the row's id and a revision. A clearing carries the posting date, because
 * refund periods begin there. If the purchase was made on an earlier day that no pending row showed, an AUTHORIZATION
 * before the clearing carries that day.
 */
export function planUpdate(baseline: Baseline, update: ParsedUpdate): UpdatePlan {
  const draft = startDraft(baseline, update.removed)
  const pairs = findPairs(draft, update)
  // Purchases come first, so that a refund in the same update finds its purchase. Holds come before their possible
  // postings.
  for (const row of update.rows.toSorted((a, b) => rank(a) - rank(b))) planRow(draft, pairs, row)
  for (const rowId of update.removed) planMissingRow(draft, rowId)
  adoptOrphans(draft)
  return toPlan(draft)
}

/**
 * Reverses rows that were not replaced by their deadline. Posted rows that vanished with a closed account keep their
 * events. Holds on that account are reversed, because nothing will post them.
 */
export function planExpiry(baseline: Baseline, closedCards: ReadonlySet<CardId>): UpdatePlan {
  const draft = startDraft(baseline, [])
  const due = baseline.stored.filter(
    (row) => row.waitsUntil !== null && row.waitsUntil <= baseline.now && row.replacedBy === null,
  )
  for (const row of due) {
    const stands = row.handedAs !== 'AUTHORIZATION' && row.cardId !== null && closedCards.has(row.cardId)
    if (stands) keep(draft, { ...row, waitsUntil: null })
    else reverseRow(draft, row)
  }
  return toPlan(draft)
}

/** Plans the assignment of an orphan to a purchase. */
export function planRefundAssignment(baseline: Baseline, orphan: FeedRow, refundOf: string): UpdatePlan {
  const draft = startDraft(baseline, [])
  assignRefund(draft, orphan, refundOf)
  return toPlan(draft)
}

function toPlan(draft: Draft): UpdatePlan {
  return { events: draft.events, rows: [...draft.touched].flatMap((rowId) => draft.rows.get(rowId) ?? []) }
}

function rank({ kind }: ParsedRow): number {
  return kind === 'REFUND' ? 2 : kind === 'CLEARING' ? 1 : 0
}

function planRow(draft: Draft, pairs: ReadonlyMap<string, string>, row: ParsedRow): void {
  const known = draft.rows.get(row.rowId)
  if (known !== undefined && known.replacedBy === null && known.handedAs !== null) {
    const shown = asShown(draft.baseline, known, row)
    if (known.removed) restoreRow(draft, shown, row)
    else if (!known.contentHash.equals(row.hash)) changeRow(draft, shown, row)
    else if (known.waitsUntil !== null || isMoved(known, shown)) keep(draft, shown)
    return
  }
  // A hold that has posted is ignored, even while the bank still shows it.
  if (known !== undefined && known.replacedBy !== null && (row.kind === null || isPostedHold(known, row))) return
  const continued = row.kind === null ? null : findPlace(draft, pairs, row)
  if (continued !== null) continueRow(draft, continued, row)
  else beginRow(draft, row)
}

/** Returns the stored row with the ids its login uses now, so that no other row is mistaken for it. */
function asShown(baseline: Baseline, known: FeedRow, row: ParsedRow): FeedRow {
  const cardId = findCard(baseline, row) ?? known.cardId
  return { ...known, accountId: row.accountId, cardId, generation: baseline.generation, waitsUntil: null }
}

function isMoved(known: FeedRow, shown: FeedRow): boolean {
  return known.generation !== shown.generation || known.cardId !== shown.cardId
}

function isPostedHold(known: FeedRow, row: ParsedRow): boolean {
  return known.handedAs !== 'CLEARING' && known.handedAs !== 'REFUND' && row.kind === 'AUTHORIZATION'
}

/** Returns the stored row that this one continues: the hold it references, otherwise the one paired with it. */
function findPlace(draft: Draft, pairs: ReadonlyMap<string, string>, row: ParsedRow): FeedRow | null {
  const named = namedHold(draft, row)
  if (named !== null) return named
  const found = draft.rows.get(pairs.get(row.rowId) ?? '')
  return found === undefined || found.replacedBy !== null ? null : found
}

function namedHold(draft: Draft, row: ParsedRow): FeedRow | null {
  const pending = row.pendingRowId === null ? undefined : draft.rows.get(row.pendingRowId)
  return pending === undefined || pending.replacedBy !== null ? null : pending
}

/** Returns the id of the last replacement of this row, or of the hold it references. */
function findFormer(draft: Draft, row: ParsedRow, known: FeedRow | undefined): string | null {
  const begun = known ?? (row.pendingRowId === null ? undefined : draft.rows.get(row.pendingRowId))
  return begun === undefined ? null : (findLast(draft, begun)?.rowId ?? null)
}

function findPairs(draft: Draft, update: ParsedUpdate): Map<string, string> {
  const listed = new Set(update.rows.map((row) => row.rowId))
  const seeking: Arrival[] = []
  const named = new Set<string>()
  for (const row of update.rows) {
    const known = draft.rows.get(row.rowId)
    const cardId = draft.baseline.cardOfAccount.get(row.accountId)?.cardId
    const isNew = known === undefined || known.replacedBy !== null || known.handedAs === null
    if (!isNew || row.kind === null || cardId === undefined) continue
    const hold = namedHold(draft, row)
    if (hold !== null) named.add(hold.rowId)
    else seeking.push({ row, cardId, formerId: findFormer(draft, row, known) })
  }
  const moved = movedFrom(draft.baseline, update)
  const candidates = [...draft.rows.values()]
    .filter((row) => row.handedAs !== null && row.replacedBy === null && !named.has(row.rowId))
    .map(
      (row): RowCandidate => ({ row: asNow(draft.baseline, row), vacancy: classifyVacancy(draft, row, listed, moved) }),
    )
  return pairRows(seeking, [...candidates, ...freshHolds(draft, seeking)])
}

function classifyVacancy(
  { gone, baseline }: Draft,
  row: FeedRow,
  listed: ReadonlySet<string>,
  moved: (row: FeedRow) => boolean,
): Vacancy {
  if (listed.has(row.rowId)) return 'live'
  if (row.removed) return 'removed'
  if (gone.has(row.rowId)) return 'gone'
  if (row.waitsUntil !== null) return 'waiting'
  const isFormer = row.cardId !== null && baseline.formerCards.has(row.cardId)
  return row.generation < baseline.generation || isFormer || moved(row) ? 'elsewhere' : 'live'
}

/** Returns the row of a formerly linked card with the account's current card. */
function asNow({ formerCards }: Baseline, row: FeedRow): FeedRow {
  return { ...row, cardId: formerCards.get(row.cardId ?? ('' as CardId)) ?? row.cardId }
}

/**
 * Builds a predicate for rows whose card appears in the update only under other account ids. Such a row's own id is no
 * longer used.
 */
function movedFrom({ cardOfAccount }: Baseline, { rows }: ParsedUpdate): (row: FeedRow) => boolean {
  const accounts = new Set(rows.map((row) => row.accountId))
  const cards = new Set([...accounts].flatMap((accountId) => cardOfAccount.get(accountId)?.cardId ?? []))
  return ({ accountId, cardId }) =>
    accountId !== null && cardId !== null && !accounts.has(accountId) && cards.has(cardId)
}

/** Returns the new holds of this update as candidates, because their postings may be in the same update. */
function freshHolds({ baseline, rows }: Draft, arrivals: readonly Arrival[]): RowCandidate[] {
  return arrivals
    .filter(({ row }) => row.kind === 'AUTHORIZATION' && !rows.has(row.rowId))
    .map(({ row, cardId }) => ({ row: createBlankRow(baseline, row, cardId), vacancy: 'live' }))
}

/** Handles a row that the bank no longer shows. */
function planMissingRow(draft: Draft, rowId: string): void {
  const known = draft.rows.get(rowId)
  if (known === undefined || known.removed || known.replacedBy !== null || known.waitsUntil !== null) return
  const nowMs = draft.baseline.now.getTime()
  const until =
    known.handedAs === 'AUTHORIZATION'
      ? Math.min(nowMs + HOLD_WAITS_MS, known.occurredAt.getTime() + AUTHORIZATION_DAYS * DAY_MS)
      : nowMs + POSTED_WAITS_MS
  if (known.handedAs === null) keep(draft, { ...known, removed: true })
  else if (until <= nowMs) reverseRow(draft, known)
  else keep(draft, { ...known, waitsUntil: new Date(until) })
}
