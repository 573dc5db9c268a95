import type { CardId } from '../../cards/index.ts'
import { dayOf } from '../../platform/calendar.ts'
import type { ProviderRow } from '../provider.ts'
import {
  after,
  type Desk,
  type Ground,
  idOf,
  isHistory,
  keep,
  nextOf,
  restore,
  seenOf,
  takeBack,
  tell,
} from './desk.ts'
import type { HandedKind, Reading } from './reading.ts'
import { purchaseOf } from './refunds.ts'
import type { FeedRow } from './rows.ts'

/** A row that begins something: no row that is known stands for it. */
export function begin(desk: Desk, row: ProviderRow, reading: Reading): FeedRow {
  const blank = lifeOf(desk, row, reading)
  const { cardId, externalId } = blank
  if (reading.kind === 'REFUND') return refund(desk, reading, blank)
  if (reading.kind === 'CLEARING') return clear(desk, row, reading, blank, null)
  if (reading.kind === 'AUTHORIZATION')
    tell(desk, cardId, reading, { kind: 'AUTHORIZATION', externalId, original: null, moment: reading.bought })
  return keep(desk, blank)
}

/** A row that stands in the place of another: the posting of a hold, or the same row under a new id. */
export function continueRow(desk: Desk, place: FeedRow, row: ProviderRow, reading: Reading): FeedRow {
  if (place.handedAs !== null && isRefund(place.handedAs) !== isRefund(reading.kind)) return begin(desk, row, reading)
  if (place.handedAs !== null && place.currency !== reading.currency) return exchange(desk, place, row, reading)
  if (place.handedAs === 'AUTHORIZATION' && reading.kind === 'CLEARING')
    return clear(desk, row, reading, lifeOf(desk, row, reading), place)
  const { rowId, accountId } = row
  keep(desk, { ...place, replacedBy: rowId, waitsUntil: null, isOrphan: false })
  if (place.handedAs === null) return begin(desk, row, reading)
  const { generation } = desk.ground
  const cardId = cardOf(desk.ground, row) ?? place.cardId
  // The row may have had a life of its own before: ids of that one are not given again.
  const revision = place.removed ? place.revision : Math.max(place.revision, desk.rows.get(rowId)?.revision ?? 0)
  const heir = { ...place, rowId, accountId, generation, cardId, revision, replacedBy: null, waitsUntil: null }
  if (place.removed) return returnRow(desk, heir, row, reading)
  if (place.amount === reading.amount) return keep(desk, { ...heir, ...seenOf(reading) })
  return change(desk, heir, row, reading)
}

/**
 * A row in another currency than the one it stands for, as a hold abroad that posts at home: money of two currencies is
 * never of one purchase, so what was told is taken back and the row begins its own.
 */
function exchange(desk: Desk, place: FeedRow, row: ProviderRow, reading: Reading): FeedRow {
  const left = place.removed ? place : takeBack(desk, place)
  keep(desk, { ...left, replacedBy: row.rowId, waitsUntil: null, isOrphan: false })
  return begin(desk, row, reading)
}

/** A row whose content is not what it was. */
export function change(desk: Desk, known: FeedRow, row: ProviderRow, reading: Reading): FeedRow {
  if (reading.kind === null) return takeBack(desk, { ...known, contentHash: reading.hash })
  if (isAnother(known, reading)) {
    takeBack(desk, known)
    return begin(desk, row, reading)
  }
  if (reading.kind === 'REFUND') {
    if (known.amount === reading.amount) return keep(desk, { ...known, ...seenOf(reading) })
    return returnRow(desk, takeBack(desk, known), row, reading)
  }
  const revision = known.revision + 1
  const clears = known.handedAs === 'AUTHORIZATION' && reading.kind === 'CLEARING'
  // Each after the one before, for of events at one instant nobody knows which was the last.
  const moment = after(
    clears ? reading.posted : { at: known.occurredAt, dateOnly: reading.bought.dateOnly },
    known.occurredAt,
  )
  const told = idOf(row.rowId, revision)
  const kind = clears ? 'CLEARING' : 'AMENDMENT'
  tell(desk, known.cardId, reading, { kind, externalId: told, original: known.externalId, moment })
  // What takes the row back later must name the clearing: naming the hold would only shrink the hold.
  const { handedAs, externalId } = clears ? { handedAs: 'CLEARING' as const, externalId: told } : known
  const peakAmount = reading.amount > known.peakAmount ? reading.amount : known.peakAmount
  return keep(desk, {
    ...known,
    ...seenOf(reading),
    handedAs,
    externalId,
    revision,
    peakAmount,
    occurredAt: moment.at,
  })
}

/** A row that was taken back and is there again. */
export function returnRow(desk: Desk, known: FeedRow, row: ProviderRow, reading: Reading): FeedRow {
  if (reading.kind === null) return keep(desk, { ...known, contentHash: reading.hash })
  if (isAnother(known, reading)) return begin(desk, row, reading)
  const revision = nextOf(desk, known)
  const seen = { ...known, ...seenOf(reading), revision, removed: false }
  if (reading.kind === 'REFUND') {
    const externalId = idOf(row.rowId, revision)
    return refund(desk, reading, { ...seen, externalId }, known.refundOf)
  }
  if (known.handedAs === 'CLEARING') {
    const restored = restore(desk, known)
    if (restored.amount === reading.amount) return keep(desk, { ...restored, ...seenOf(reading) })
    return change(desk, restored, row, reading)
  }
  // After the reversal of the hold, so that it counts again.
  const posts = reading.kind === 'CLEARING'
  const again = { at: known.occurredAt, dateOnly: reading.bought.dateOnly }
  const moment = after(posts ? reading.posted : again, known.occurredAt)
  const told = idOf(row.rowId, revision)
  tell(desk, known.cardId, reading, { kind: reading.kind, externalId: told, original: known.externalId, moment })
  const externalId = posts ? told : known.externalId
  return keep(desk, {
    ...seen,
    handedAs: reading.kind,
    externalId,
    peakAmount: reading.amount,
    occurredAt: moment.at,
  })
}

/** Refunds that came before their purchases, or whose purchase was not certain then, are judged by what is known now. */
export function adoptOrphans(desk: Desk): void {
  if (desk.events.length === 0) return
  for (const orphan of [...desk.rows.values()].filter((row) => row.isOrphan && !row.removed)) {
    const purchase = purchaseOf([...desk.rows.values()], orphan)
    if (purchase !== null) giveTo(desk, orphan, purchase.externalId)
  }
}

/** Takes an orphan back and tells it once more, as the refund of this purchase. */
export function giveTo(desk: Desk, orphan: FeedRow, refundOf: string): void {
  takeBack(desk, orphan)
  const revision = orphan.revision + 1
  const externalId = idOf(orphan.rowId, revision)
  desk.events.push({
    userId: desk.ground.userId,
    source: 'CARD',
    externalId,
    kind: 'REFUND',
    originalExternalId: refundOf,
    amount: orphan.amount,
    currency: orphan.currency,
    occurredAt: orphan.occurredAt,
    dateOnly: false,
    facts: {},
  })
  keep(desk, { ...orphan, externalId, revision, refundOf, isOrphan: false })
}

export function blankRow(ground: Ground, row: ProviderRow, reading: Reading, cardId: CardId | null): FeedRow {
  return {
    ...seenOf(reading),
    rowId: row.rowId,
    generation: ground.generation,
    cardId,
    accountId: row.accountId,
    externalId: row.rowId,
    handedAs: reading.kind,
    refundOf: null,
    peakAmount: reading.amount,
    occurredAt: reading.bought.at,
    revision: 0,
    replacedBy: null,
    waitsUntil: null,
    removed: false,
    isOrphan: false,
  }
}

/** The row as it begins: for the first time, or once more when its first life goes on in another row. */
function lifeOf(desk: Desk, row: ProviderRow, reading: Reading): FeedRow {
  const known = desk.rows.get(row.rowId)
  const blank = blankRow(desk.ground, row, reading, cardOf(desk.ground, row))
  if (known === undefined || (known.handedAs === null && known.replacedBy === null)) return blank
  const revision = known.revision + 1
  return { ...blank, revision, externalId: idOf(row.rowId, revision) }
}

function clear(desk: Desk, row: ProviderRow, reading: Reading, blank: FeedRow, hold: FeedRow | null): FeedRow {
  // The pending row that it names may be one that never was shown; should it come late, it begins nothing.
  const named = row.pendingRowId
  const unseen = named === null || desk.rows.has(named) ? null : named
  if (unseen !== null)
    keep(desk, { ...blank, rowId: unseen, externalId: unseen, handedAs: null, replacedBy: row.rowId })
  if (hold !== null) keep(desk, { ...hold, replacedBy: row.rowId, waitsUntil: null })
  const { cardId, externalId } = blank
  const original = hold?.externalId ?? unseen
  const isSameDay = dayOf(reading.posted.at, desk.ground.timeZone) <= reading.boughtOn
  if (hold !== null || isSameDay) {
    const moment = hold === null ? reading.bought : after(reading.posted, hold.occurredAt)
    tell(desk, cardId, reading, { kind: 'CLEARING', externalId, original, moment })
    return keep(desk, { ...blank, occurredAt: moment.at })
  }
  const ahead = `authorized:${externalId}`
  tell(desk, cardId, reading, { kind: 'AUTHORIZATION', externalId: ahead, original, moment: reading.bought })
  const moment = after(reading.posted, reading.bought.at)
  tell(desk, cardId, reading, { kind: 'CLEARING', externalId, original: original ?? ahead, moment })
  return keep(desk, { ...blank, occurredAt: moment.at })
}

/** A refund, of the purchase that was found for it before or is found now. */
function refund(desk: Desk, reading: Reading, row: FeedRow, given: string | null = null): FeedRow {
  const refundOf = given ?? purchaseOf([...desk.rows.values()], { ...row, ...seenOf(reading) })?.externalId ?? null
  const { cardId, externalId } = row
  tell(desk, cardId, reading, { kind: 'REFUND', externalId, original: refundOf, moment: reading.bought })
  // What was bought and given back before the card was linked earned nothing that could be taken back.
  const isPast = isHistory(desk, cardId, reading.bought, reading.boughtOn)
  return keep(desk, { ...row, refundOf, isOrphan: refundOf === null && cardId !== null && !isPast })
}

/** The card that a row names, where it is one of the user's. */
export function cardOf({ cardOfAccount }: Ground, row: ProviderRow): CardId | null {
  return cardOfAccount.get(row.accountId)?.cardId ?? null
}

/** Whether a row now tells of something that cannot go on in what it told before. */
function isAnother(known: FeedRow, reading: Reading): boolean {
  return (
    known.handedAs === null ||
    isRefund(known.handedAs) !== isRefund(reading.kind) ||
    known.currency !== reading.currency
  )
}

function isRefund(kind: HandedKind | null): boolean {
  return kind === 'REFUND'
}
