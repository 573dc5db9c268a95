import type { CardId } from '../../cards/index.ts'
import { dayOf } from '../../platform/calendar.ts'
import type { UserId } from '../../platform/ids.ts'
import type { EventKind, SourceEventInput } from '../../transactions/index.ts'
import type { ProviderRow } from '../provider.ts'
import { type Moment, type Reading, readRow } from './reading.ts'
import { type FeedRow, purchaseOf, rowBefore, type Update } from './rows.ts'

/** What is known before an update is applied. */
export type Ground = {
  readonly userId: UserId
  readonly timeZone: string
  readonly now: Date
  readonly generation: number
  readonly cardOfAccount: ReadonlyMap<string, CardId>
  /** The stored rows that the update names, by id: its own, and the pending ones they replace. */
  readonly known: readonly FeedRow[]
  /** Live rows of earlier items of this link that may come again under new ids. */
  readonly older: readonly FeedRow[]
  /** Stored rows of the merchants that give something back in this update. */
  readonly purchases: readonly FeedRow[]
}

export type Plan = { readonly events: readonly SourceEventInput[]; readonly rows: readonly FeedRow[] }

type Desk = {
  readonly ground: Ground
  readonly rows: Map<string, FeedRow>
  readonly touched: Set<string>
  readonly older: Set<FeedRow>
  readonly events: SourceEventInput[]
}

/**
 * Turns one whole update of a feed into source events and the rows to remember. A row is handed over once, under its
 * own id:
 *
 * - pending: AUTHORIZATION; posted: CLEARING of its pending row where it names one; money back: REFUND
 * - changed: AMENDMENT; gone without a replacement: REVERSAL; back again: the same once more
 *
 * What is told about a row after its first event has an id made of the row's id and a count. A clearing is dated on the
 * day it posted, because refund periods run from there; when that is another day than that of the purchase and no
 * pending row told of it, an AUTHORIZATION goes ahead and states the day of the purchase.
 */
export function planUpdate(ground: Ground, update: Update): Plan {
  const desk: Desk = {
    ground,
    rows: new Map(ground.known.map((row) => [row.rowId, row])),
    touched: new Set(),
    older: new Set(ground.older),
    events: [],
  }
  const readings = update.rows.map((row) => ({ row, reading: readRow(row, ground.timeZone) }))
  // Purchases first, so that a refund in the same update finds its own.
  const rank = (reading: Reading): number => (reading.kind === 'REFUND' ? 2 : reading.kind === 'CLEARING' ? 1 : 0)
  for (const { row, reading } of readings.toSorted((a, b) => rank(a.reading) - rank(b.reading)))
    take(desk, row, reading)
  for (const rowId of update.removed) drop(desk, rowId)
  return { events: desk.events, rows: [...desk.touched].flatMap((rowId) => desk.rows.get(rowId) ?? []) }
}

function take(desk: Desk, row: ProviderRow, reading: Reading): FeedRow | null {
  const known = desk.rows.get(row.rowId)
  if (known === undefined) return takeNew(desk, row, reading)
  if (known.superseded || (!known.removed && known.contentHash.equals(reading.hash))) return null
  const seen = { ...known, ...seenOf(reading), removed: false }
  if (known.handedAs === null) return takeNew(desk, row, reading)
  if (reading.kind === null)
    return known.removed ? keep(desk, { ...seen, removed: true }) : takeBack(desk, known, reading)
  if (known.removed) return handAgain(desk, known, reading, reading.kind)
  if (
    isRefund(known.handedAs) !== isRefund(reading.kind) ||
    (reading.kind === 'REFUND' && known.amount !== reading.amount)
  ) {
    takeBack(desk, known, reading)
    return handAgain(desk, desk.rows.get(row.rowId) ?? known, reading, reading.kind)
  }
  if (reading.kind === 'REFUND') return keep(desk, seen)
  const revision = known.revision + 1
  const clears = known.handedAs === 'AUTHORIZATION' && reading.kind === 'CLEARING'
  const moment = clears
    ? after(reading.posted, known.occurredAt)
    : { at: known.occurredAt, dateOnly: reading.bought.dateOnly }
  tell(desk, reading, clears ? 'CLEARING' : 'AMENDMENT', idOf(row.rowId, revision), known.externalId, moment)
  const peakAmount = larger(reading.amount, known.peakAmount)
  const handedAs = clears ? 'CLEARING' : known.handedAs
  return keep(desk, { ...seen, handedAs, revision, peakAmount, occurredAt: moment.at })
}

function takeNew(desk: Desk, row: ProviderRow, reading: Reading): FeedRow {
  const cardId = desk.ground.cardOfAccount.get(row.accountId) ?? null
  const before = reading.kind === null ? null : rowBefore([...desk.older], cardId, reading)
  const pending = row.pendingRowId === null ? undefined : desk.rows.get(row.pendingRowId)
  const blank: FeedRow = {
    ...seenOf(reading),
    rowId: row.rowId,
    generation: desk.ground.generation,
    cardId,
    externalId: row.rowId,
    handedAs: reading.kind,
    refundOf: null,
    peakAmount: reading.amount,
    occurredAt: reading.bought.at,
    revision: 0,
    superseded: false,
    removed: false,
  }
  if (before !== null) desk.older.delete(before)
  if (before !== null && pending === undefined && repeats(before, reading)) {
    const { externalId, handedAs, refundOf, peakAmount, occurredAt, revision } = before
    return keep(desk, { ...blank, externalId, handedAs, refundOf, peakAmount, occurredAt, revision })
  }
  if (reading.kind === 'REFUND') return refund(desk, reading, blank)
  if (reading.kind === 'CLEARING') return clear(desk, row, reading, blank, pending ?? before)
  if (reading.kind === 'AUTHORIZATION') tell(desk, reading, 'AUTHORIZATION', row.rowId, null, reading.bought)
  return keep(desk, blank)
}

/** A row of a new item that says nothing more than the older item's row did. */
function repeats(before: FeedRow, reading: Reading): boolean {
  return before.handedAs === reading.kind || (before.handedAs === 'CLEARING' && reading.kind === 'AUTHORIZATION')
}

function clear(
  desk: Desk,
  row: ProviderRow,
  reading: Reading,
  blank: FeedRow,
  pending: FeedRow | null | undefined,
): FeedRow {
  const authorized = pending?.handedAs === 'AUTHORIZATION' ? pending : null
  if (pending) keep(desk, { ...pending, superseded: true })
  if (pending?.handedAs === 'CLEARING') {
    // An older item told of the posting before this one told of the hold.
    const { externalId, handedAs, occurredAt, revision } = pending
    return keep(desk, { ...blank, externalId, handedAs, occurredAt, revision })
  }
  const original = pending?.externalId ?? row.pendingRowId
  const { timeZone } = desk.ground
  const sameDay = dayOf(reading.posted.at, timeZone) <= reading.boughtOn
  if (authorized === null && !sameDay) {
    const ahead = `authorized:${row.rowId}`
    tell(desk, reading, 'AUTHORIZATION', ahead, original, reading.bought)
    const moment = after(reading.posted, reading.bought.at)
    tell(desk, reading, 'CLEARING', row.rowId, original ?? ahead, moment)
    return keep(desk, { ...blank, occurredAt: moment.at })
  }
  const moment = authorized === null ? reading.bought : after(reading.posted, authorized.occurredAt)
  tell(desk, reading, 'CLEARING', row.rowId, original, moment)
  return keep(desk, { ...blank, occurredAt: moment.at })
}

function refund(desk: Desk, reading: Reading, blank: FeedRow): FeedRow {
  const rows = new Map([...desk.ground.purchases, ...desk.rows.values()].map((row) => [row.rowId, row]))
  for (const row of desk.ground.purchases) rows.set(row.rowId, desk.rows.get(row.rowId) ?? row)
  const refundOf = purchaseOf([...rows.values()], blank.cardId, reading)?.externalId ?? null
  tell(desk, reading, 'REFUND', blank.rowId, refundOf, reading.bought)
  return keep(desk, { ...blank, refundOf })
}

function drop(desk: Desk, rowId: string): FeedRow | null {
  const known = desk.rows.get(rowId)
  if (known === undefined || known.removed || known.superseded) return null
  if (known.handedAs === null) return keep(desk, { ...known, removed: true })
  return takeBack(desk, known, null)
}

/**
 * What was handed over is taken back. A hold that vanishes is dated where it began: should its clearing still come,
 * that one counts, whatever day it carries.
 */
function takeBack(desk: Desk, known: FeedRow, reading: Reading | null): FeedRow {
  const held = known.handedAs === 'AUTHORIZATION'
  const externalId = `removed:${idOf(known.rowId, known.revision)}`
  desk.events.push({
    userId: desk.ground.userId,
    source: 'CARD',
    externalId,
    kind: 'REVERSAL',
    originalExternalId: known.externalId,
    amount: held ? known.peakAmount : known.amount,
    currency: known.currency,
    occurredAt: held ? known.occurredAt : desk.ground.now,
    dateOnly: false,
    facts: reading?.facts ?? {},
  })
  return keep(desk, { ...known, ...(reading === null ? {} : seenOf(reading)), removed: true })
}

/** A row that was taken back is there again, or is now the opposite of what it was. */
function handAgain(desk: Desk, known: FeedRow, reading: Reading, kind: EventKind & FeedRow['handedAs']): FeedRow {
  const revision = known.revision + 1
  const moment = kind === 'CLEARING' ? after(reading.posted, known.occurredAt) : reading.bought
  tell(desk, reading, kind, idOf(known.rowId, revision), known.externalId, moment)
  return keep(desk, {
    ...known,
    ...seenOf(reading),
    handedAs: kind,
    externalId: isRefund(kind) ? idOf(known.rowId, revision) : known.externalId,
    revision,
    peakAmount: reading.amount,
    occurredAt: moment.at,
    removed: false,
  })
}

function tell(
  desk: Desk,
  reading: Reading,
  kind: EventKind,
  externalId: string,
  originalExternalId: string | null,
  { at, dateOnly }: Moment,
): void {
  const { amount, currency, facts } = reading
  const { userId } = desk.ground
  desk.events.push({
    userId,
    source: 'CARD',
    externalId,
    kind,
    originalExternalId,
    amount,
    currency,
    occurredAt: at,
    dateOnly,
    facts,
  })
}

function keep(desk: Desk, row: FeedRow): FeedRow {
  desk.rows.set(row.rowId, row)
  desk.touched.add(row.rowId)
  return row
}

function seenOf({ amount, currency, boughtOn, merchant, hash }: Reading) {
  return { amount, currency, boughtOn, merchant, contentHash: hash }
}

/** Not before what it follows; events of one purchase are taken in the order of their times. */
function after(moment: Moment, earlier: Date): Moment {
  return moment.at > earlier ? moment : { ...moment, at: new Date(earlier.getTime() + 1) }
}

/** Padded, so that ids of later events sort later. */
function idOf(rowId: string, revision: number): string {
  return revision === 0 ? rowId : `${rowId}:${String(revision).padStart(4, '0')}`
}

function larger(a: bigint, b: bigint): bigint {
  return [a, b].reduce((most, one) => (one > most ? one : most))
}

function isRefund(kind: EventKind): boolean {
  return kind === 'REFUND'
}
