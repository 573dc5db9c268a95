import type { CardId } from '../../../../sources/cards/index.ts'
import type { FeedRow, HandedKind } from '../rows.ts'
import {
  addEvent,
  addRowEvent,
  type Baseline,
  computeNextRevision,
  type Draft,
  isHistory,
  keep,
  moveAfter,
  reverseReversal,
  reverseRow,
  toEventId,
  toSeen,
} from './draft.ts'
import { isSameMerchant } from './merchant-keys.ts'
import type { ParsedRow } from './parse-row.ts'

/** Begins a row that continues no stored row. */
export function beginRow(draft: Draft, row: ParsedRow): FeedRow {
  const blank = startRow(draft, row)
  const { cardId, externalId } = blank
  if (row.kind === 'REFUND') return refundRow(draft, row, blank)
  if (row.kind === 'CLEARING') return clearRow(draft, row, blank, null)
  if (row.kind === 'AUTHORIZATION')
    addEvent(draft, cardId, row, { kind: row.kind, externalId, originalExternalId: null, moment: row.bought })
  return keep(draft, blank)
}

/** Continues a stored row with the posting of a hold or with the same row under a new id. */
export function continueRow(draft: Draft, place: FeedRow, row: ParsedRow): FeedRow {
  if (place.handedAs !== null && isRefund(place.handedAs) !== isRefund(row.kind)) return beginRow(draft, row)
  if (place.handedAs !== null && place.currency !== row.currency) return changeCurrency(draft, place, row)
  if (place.handedAs === 'AUTHORIZATION' && row.kind === 'CLEARING')
    return clearRow(draft, row, startRow(draft, row), place)
  const { rowId, accountId } = row
  keep(draft, { ...place, replacedBy: rowId, waitsUntil: null, isOrphan: false })
  if (place.handedAs === null) return beginRow(draft, row)
  const { generation } = draft.baseline
  const cardId = findCard(draft.baseline, row) ?? place.cardId
  // The row may already have had events, whose ids must not be reused.
  const revision = place.removed ? place.revision : Math.max(place.revision, draft.rows.get(rowId)?.revision ?? 0)
  const heir = { ...place, rowId, accountId, generation, cardId, revision, replacedBy: null, waitsUntil: null }
  if (place.removed) return restoreRow(draft, heir, row)
  if (place.amount === row.amount) return keep(draft, { ...heir, ...toSeen(row) })
  return changeRow(draft, heir, row)
}

/**
 * Handles a row in a different currency than the one it continues, such as a hold abroad that posts in the card's
 * currency. A purchase has one currency, so the earlier event is reversed and the row begins a new purchase.
 */
function changeCurrency(draft: Draft, place: FeedRow, row: ParsedRow): FeedRow {
  const left = place.removed ? place : reverseRow(draft, place)
  keep(draft, { ...left, replacedBy: row.rowId, waitsUntil: null, isOrphan: false })
  return beginRow(draft, row)
}

/** Handles a row whose content has changed. */
export function changeRow(draft: Draft, known: FeedRow, row: ParsedRow): FeedRow {
  if (row.kind === null) return reverseRow(draft, { ...known, contentHash: row.hash })
  if (isAnother(known, row)) {
    reverseRow(draft, known)
    return beginRow(draft, row)
  }
  if (row.kind === 'REFUND') {
    if (known.amount === row.amount) return keep(draft, { ...known, ...toSeen(row) })
    return restoreRow(draft, reverseRow(draft, known), row)
  }
  const kind = known.handedAs === 'AUTHORIZATION' && row.kind === 'CLEARING' ? 'CLEARING' : 'AMENDMENT'
  const peakAmount = row.amount > known.peakAmount ? row.amount : known.peakAmount
  return addFollowUp(draft, { ...known, peakAmount, revision: known.revision + 1 }, row, kind)
}

/** Handles a reversed row that the bank shows again. */
export function restoreRow(draft: Draft, known: FeedRow, row: ParsedRow): FeedRow {
  if (row.kind === null) return keep(draft, { ...known, contentHash: row.hash })
  if (isAnother(known, row)) return beginRow(draft, row)
  const revision = computeNextRevision(draft, known)
  if (row.kind === 'REFUND') {
    const again = { ...known, ...toSeen(row), revision, removed: false, externalId: toEventId(row.rowId, revision) }
    return refundRow(draft, row, again, known.refundOf)
  }
  if (known.handedAs === 'CLEARING') {
    const restored = reverseReversal(draft, known)
    if (restored.amount === row.amount) return keep(draft, { ...restored, ...toSeen(row) })
    return changeRow(draft, restored, row)
  }
  // This event follows the reversal of the hold and reinstates the hold.
  return addFollowUp(draft, { ...known, peakAmount: row.amount, revision, removed: false }, row, row.kind)
}

/** Adds another event to a row that already has one. Its id contains the row's revision. */
function addFollowUp(draft: Draft, known: FeedRow, row: ParsedRow, kind: 'AUTHORIZATION' | 'CLEARING' | 'AMENDMENT') {
  const again = { at: known.occurredAt, dateOnly: row.bought.dateOnly }
  // Later than the previous event, because events at the same instant have no defined order.
  const moment = moveAfter(kind === 'CLEARING' ? row.posted : again, known.occurredAt)
  const eventId = toEventId(row.rowId, known.revision)
  addEvent(draft, known.cardId, row, { kind, externalId: eventId, originalExternalId: known.externalId, moment })
  // A later reversal must reference the clearing, because one that references the hold would only reduce the hold.
  const externalId = kind === 'CLEARING' ? eventId : known.externalId
  const handedAs = kind === 'AMENDMENT' ? known.handedAs : kind
  return keep(draft, { ...known, ...toSeen(row), handedAs, externalId, occurredAt: moment.at })
}

/** Assigns refunds that arrived before their purchase or whose purchase was uncertain until now. */
export function adoptOrphans(draft: Draft): void {
  if (draft.events.length === 0) return
  for (const orphan of [...draft.rows.values()].filter((row) => row.isOrphan && !row.removed)) {
    const purchase = findPurchase([...draft.rows.values()], orphan)
    if (purchase !== null) assignRefund(draft, orphan, purchase.externalId)
  }
}

/** Reverses an orphan and records it again as a refund of this purchase. */
export function assignRefund(draft: Draft, orphan: FeedRow, refundOf: string): void {
  reverseRow(draft, orphan)
  const revision = orphan.revision + 1
  const externalId = toEventId(orphan.rowId, revision)
  const { amount, occurredAt } = orphan
  addRowEvent(draft, orphan, { kind: 'REFUND', externalId, originalExternalId: refundOf, amount, occurredAt })
  keep(draft, { ...orphan, externalId, revision, refundOf, isOrphan: false })
}

export function createBlankRow(baseline: Baseline, row: ParsedRow, cardId: CardId | null): FeedRow {
  return {
    ...toSeen(row),
    rowId: row.rowId,
    generation: baseline.generation,
    cardId,
    accountId: row.accountId,
    externalId: row.rowId,
    handedAs: row.kind,
    refundOf: null,
    peakAmount: row.amount,
    occurredAt: row.bought.at,
    revision: 0,
    replacedBy: null,
    waitsUntil: null,
    removed: false,
    isOrphan: false,
  }
}

/**
 * Creates a row's initial state, either for the first time or again after another row took over its earlier purchase.
 */
function startRow(draft: Draft, row: ParsedRow): FeedRow {
  const known = draft.rows.get(row.rowId)
  const blank = createBlankRow(draft.baseline, row, findCard(draft.baseline, row))
  if (known === undefined || (known.handedAs === null && known.replacedBy === null)) return blank
  const revision = known.revision + 1
  return { ...blank, revision, externalId: toEventId(row.rowId, revision) }
}

function clearRow(draft: Draft, row: ParsedRow, blank: FeedRow, hold: FeedRow | null): FeedRow {
  // The pending row it references might not have arrived yet. If that row arrives later, it starts no purchase.
  const named = row.pendingRowId
  const unseen = named === null || draft.rows.has(named) ? null : named
  if (unseen !== null)
    keep(draft, { ...blank, rowId: unseen, externalId: unseen, handedAs: null, replacedBy: row.rowId })
  if (hold !== null) keep(draft, { ...hold, replacedBy: row.rowId, waitsUntil: null })
  const { cardId, externalId } = blank
  let originalExternalId = hold?.externalId ?? unseen
  let earlier = hold?.occurredAt ?? null
  if (hold === null && row.postedOn > row.boughtOn) {
    const ahead = `authorized:${externalId}`
    addEvent(draft, cardId, row, { kind: 'AUTHORIZATION', externalId: ahead, originalExternalId, moment: row.bought })
    originalExternalId ??= ahead
    earlier = row.bought.at
  }
  const moment = earlier === null ? row.bought : moveAfter(row.posted, earlier)
  const isPosted = hold === null && row.authorizedDate === null && row.authorizedDatetime === null
  const facts = isPosted ? { ...row.facts, isPosted } : row.facts
  addEvent(draft, cardId, { ...row, facts }, { kind: 'CLEARING', externalId, originalExternalId, moment })
  return keep(draft, { ...blank, occurredAt: moment.at })
}

/** Records a refund of the given purchase. If none is given, looks for the purchase. */
function refundRow(draft: Draft, row: ParsedRow, blank: FeedRow, given: string | null = null): FeedRow {
  const refundOf = given ?? findPurchase([...draft.rows.values()], { ...blank, ...toSeen(row) })?.externalId ?? null
  const { cardId, externalId } = blank
  addEvent(draft, cardId, row, { kind: 'REFUND', externalId, originalExternalId: refundOf, moment: row.bought })
  // A refund from before its card was linked has no reward to take back.
  const isOrphan = refundOf === null && cardId !== null && !isHistory(draft, cardId, row)
  return keep(draft, { ...blank, refundOf, isOrphan })
}

/** Returns the user's card with this row's account; null if the user has none. */
export function findCard({ cardOfAccount }: Baseline, row: ParsedRow): CardId | null {
  return cardOfAccount.get(row.accountId)?.cardId ?? null
}

/** Returns true if a row now describes something that cannot continue its earlier events. */
function isAnother(known: FeedRow, row: ParsedRow): boolean {
  return known.handedAs === null || isRefund(known.handedAs) !== isRefund(row.kind) || known.currency !== row.currency
}

function isRefund(kind: HandedKind | null): boolean {
  return kind === 'REFUND'
}

type Refund = Pick<FeedRow, 'cardId' | 'merchantKeys' | 'currency' | 'amount' | 'boughtOn'>

/**
 * Finds the purchase of a refund if it is certain: same card and merchant, no later than the refund, with enough left
 * to refund. If several have exactly the refund's amount, the latest wins. Refunds carry no reference to their
 * purchase.
 */
function findPurchase(rows: readonly FeedRow[], refund: Refund): FeedRow | null {
  if (refund.cardId === null) return null
  const live = rows.filter(
    (row) =>
      row.cardId === refund.cardId && row.replacedBy === null && !row.removed && row.currency === refund.currency,
  )
  const refunded = (purchase: FeedRow): bigint =>
    live.reduce((sum, row) => (row.refundOf === purchase.externalId ? sum + row.amount : sum), 0n)
  const candidates = live.filter(
    (row) =>
      row.handedAs === 'CLEARING' &&
      row.boughtOn <= refund.boughtOn &&
      isSameMerchant(row.merchantKeys, refund.merchantKeys) &&
      row.amount - refunded(row) >= refund.amount,
  )
  const exact = candidates.filter((row) => row.amount === refund.amount)
  if (exact.length > 0) return exact.toSorted((a, b) => (a.boughtOn < b.boughtOn ? 1 : -1))[0] ?? null
  return candidates.length === 1 ? (candidates[0] ?? null) : null
}
