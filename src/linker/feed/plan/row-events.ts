import type { CardId } from '../../../cards/index.ts'
import { dayOf } from '../../../platform/calendar.ts'
import type { ProviderRow } from '../../provider.ts'
import type { FeedRow } from '../rows.ts'
import {
  addEvent,
  addEventOf,
  after,
  type Baseline,
  type Draft,
  idOf,
  isHistory,
  keep,
  nextOf,
  restore,
  reverseRow,
  seenOf,
} from './draft.ts'
import { isSameMerchant } from './merchant-keys.ts'
import type { HandedKind, ParsedRow } from './parse-row.ts'

/** A row that continues no stored row. */
export function begin(draft: Draft, row: ProviderRow, parsed: ParsedRow): FeedRow {
  const blank = startOf(draft, row, parsed)
  const { cardId, externalId } = blank
  if (parsed.kind === 'REFUND') return refund(draft, parsed, blank)
  if (parsed.kind === 'CLEARING') return clear(draft, row, parsed, blank, null)
  if (parsed.kind === 'AUTHORIZATION')
    addEvent(draft, cardId, parsed, {
      kind: 'AUTHORIZATION',
      externalId,
      originalExternalId: null,
      moment: parsed.bought,
    })
  return keep(draft, blank)
}

/** A row that continues a stored one: the posting of a hold, or the same row with a new id. */
export function continueRow(draft: Draft, place: FeedRow, row: ProviderRow, parsed: ParsedRow): FeedRow {
  if (place.handedAs !== null && isRefund(place.handedAs) !== isRefund(parsed.kind)) return begin(draft, row, parsed)
  if (place.handedAs !== null && place.currency !== parsed.currency) return exchange(draft, place, row, parsed)
  if (place.handedAs === 'AUTHORIZATION' && parsed.kind === 'CLEARING')
    return clear(draft, row, parsed, startOf(draft, row, parsed), place)
  const { rowId, accountId } = row
  keep(draft, { ...place, replacedBy: rowId, waitsUntil: null, isOrphan: false })
  if (place.handedAs === null) return begin(draft, row, parsed)
  const { generation } = draft.baseline
  const cardId = cardOf(draft.baseline, row) ?? place.cardId
  // The row may have had events of its own before, whose ids are not used again.
  const revision = place.removed ? place.revision : Math.max(place.revision, draft.rows.get(rowId)?.revision ?? 0)
  const heir = { ...place, rowId, accountId, generation, cardId, revision, replacedBy: null, waitsUntil: null }
  if (place.removed) return returnRow(draft, heir, row, parsed)
  if (place.amount === parsed.amount) return keep(draft, { ...heir, ...seenOf(parsed) })
  return change(draft, heir, row, parsed)
}

/**
 * A row in another currency than the one it continues, such as a hold abroad that posts in the card's currency. A purchase
 * has one currency, so the earlier event is reversed and the row begins a purchase of its own.
 */
function exchange(draft: Draft, place: FeedRow, row: ProviderRow, parsed: ParsedRow): FeedRow {
  const left = place.removed ? place : reverseRow(draft, place)
  keep(draft, { ...left, replacedBy: row.rowId, waitsUntil: null, isOrphan: false })
  return begin(draft, row, parsed)
}

/** A row whose content has changed. */
export function change(draft: Draft, known: FeedRow, row: ProviderRow, parsed: ParsedRow): FeedRow {
  if (parsed.kind === null) return reverseRow(draft, { ...known, contentHash: parsed.hash })
  if (isAnother(known, parsed)) {
    reverseRow(draft, known)
    return begin(draft, row, parsed)
  }
  if (parsed.kind === 'REFUND') {
    if (known.amount === parsed.amount) return keep(draft, { ...known, ...seenOf(parsed) })
    return returnRow(draft, reverseRow(draft, known), row, parsed)
  }
  const revision = known.revision + 1
  const clears = known.handedAs === 'AUTHORIZATION' && parsed.kind === 'CLEARING'
  // Later than the previous event, because events at one instant have no defined order.
  const moment = after(
    clears ? parsed.posted : { at: known.occurredAt, dateOnly: parsed.bought.dateOnly },
    known.occurredAt,
  )
  const eventId = idOf(row.rowId, revision)
  const kind = clears ? 'CLEARING' : 'AMENDMENT'
  addEvent(draft, known.cardId, parsed, { kind, externalId: eventId, originalExternalId: known.externalId, moment })
  // A later reversal must name the clearing: one that names the hold would only reduce the hold.
  const { handedAs, externalId } = clears ? { handedAs: 'CLEARING' as const, externalId: eventId } : known
  const peakAmount = parsed.amount > known.peakAmount ? parsed.amount : known.peakAmount
  return keep(draft, {
    ...known,
    ...seenOf(parsed),
    handedAs,
    externalId,
    revision,
    peakAmount,
    occurredAt: moment.at,
  })
}

/** A row that was reversed and is shown again. */
export function returnRow(draft: Draft, known: FeedRow, row: ProviderRow, parsed: ParsedRow): FeedRow {
  if (parsed.kind === null) return keep(draft, { ...known, contentHash: parsed.hash })
  if (isAnother(known, parsed)) return begin(draft, row, parsed)
  const revision = nextOf(draft, known)
  const seen = { ...known, ...seenOf(parsed), revision, removed: false }
  if (parsed.kind === 'REFUND') {
    const externalId = idOf(row.rowId, revision)
    return refund(draft, parsed, { ...seen, externalId }, known.refundOf)
  }
  if (known.handedAs === 'CLEARING') {
    const restored = restore(draft, known)
    if (restored.amount === parsed.amount) return keep(draft, { ...restored, ...seenOf(parsed) })
    return change(draft, restored, row, parsed)
  }
  // After the reversal of the hold, so that it counts again.
  const posts = parsed.kind === 'CLEARING'
  const again = { at: known.occurredAt, dateOnly: parsed.bought.dateOnly }
  const moment = after(posts ? parsed.posted : again, known.occurredAt)
  const eventId = idOf(row.rowId, revision)
  addEvent(draft, known.cardId, parsed, {
    kind: parsed.kind,
    externalId: eventId,
    originalExternalId: known.externalId,
    moment,
  })
  const externalId = posts ? eventId : known.externalId
  return keep(draft, {
    ...seen,
    handedAs: parsed.kind,
    externalId,
    peakAmount: parsed.amount,
    occurredAt: moment.at,
  })
}

/** Assigns refunds that came before their purchase, or whose purchase was not certain until now. */
export function adoptOrphans(draft: Draft): void {
  if (draft.events.length === 0) return
  for (const orphan of [...draft.rows.values()].filter((row) => row.isOrphan && !row.removed)) {
    const purchase = purchaseOf([...draft.rows.values()], orphan)
    if (purchase !== null) assignRefund(draft, orphan, purchase.externalId)
  }
}

/** Reverses an orphan and records it again as a refund of this purchase. */
export function assignRefund(draft: Draft, orphan: FeedRow, refundOf: string): void {
  reverseRow(draft, orphan)
  const revision = orphan.revision + 1
  const externalId = idOf(orphan.rowId, revision)
  const { amount, occurredAt } = orphan
  addEventOf(draft, orphan, { kind: 'REFUND', externalId, originalExternalId: refundOf, amount, occurredAt })
  keep(draft, { ...orphan, externalId, revision, refundOf, isOrphan: false })
}

export function blankRow(baseline: Baseline, row: ProviderRow, parsed: ParsedRow, cardId: CardId | null): FeedRow {
  return {
    ...seenOf(parsed),
    rowId: row.rowId,
    generation: baseline.generation,
    cardId,
    accountId: row.accountId,
    externalId: row.rowId,
    handedAs: parsed.kind,
    refundOf: null,
    peakAmount: parsed.amount,
    occurredAt: parsed.bought.at,
    revision: 0,
    replacedBy: null,
    waitsUntil: null,
    removed: false,
    isOrphan: false,
  }
}

/** The row as it begins: for the first time, or again when another row continues its earlier purchase. */
function startOf(draft: Draft, row: ProviderRow, parsed: ParsedRow): FeedRow {
  const known = draft.rows.get(row.rowId)
  const blank = blankRow(draft.baseline, row, parsed, cardOf(draft.baseline, row))
  if (known === undefined || (known.handedAs === null && known.replacedBy === null)) return blank
  const revision = known.revision + 1
  return { ...blank, revision, externalId: idOf(row.rowId, revision) }
}

function clear(draft: Draft, row: ProviderRow, parsed: ParsedRow, blank: FeedRow, hold: FeedRow | null): FeedRow {
  // The pending row that it names may not have been shown yet; if it comes later, it begins no purchase.
  const named = row.pendingRowId
  const unseen = named === null || draft.rows.has(named) ? null : named
  if (unseen !== null)
    keep(draft, { ...blank, rowId: unseen, externalId: unseen, handedAs: null, replacedBy: row.rowId })
  if (hold !== null) keep(draft, { ...hold, replacedBy: row.rowId, waitsUntil: null })
  const { cardId, externalId } = blank
  const original = hold?.externalId ?? unseen
  const isSameDay = dayOf(parsed.posted.at, draft.baseline.timeZone) <= parsed.boughtOn
  if (hold !== null || isSameDay) {
    const moment = hold === null ? parsed.bought : after(parsed.posted, hold.occurredAt)
    addEvent(draft, cardId, parsed, { kind: 'CLEARING', externalId, originalExternalId: original, moment })
    return keep(draft, { ...blank, occurredAt: moment.at })
  }
  const ahead = `authorized:${externalId}`
  addEvent(draft, cardId, parsed, {
    kind: 'AUTHORIZATION',
    externalId: ahead,
    originalExternalId: original,
    moment: parsed.bought,
  })
  const moment = after(parsed.posted, parsed.bought.at)
  addEvent(draft, cardId, parsed, { kind: 'CLEARING', externalId, originalExternalId: original ?? ahead, moment })
  return keep(draft, { ...blank, occurredAt: moment.at })
}

/** A refund of the given purchase, or of the one that is found now. */
function refund(draft: Draft, parsed: ParsedRow, row: FeedRow, given: string | null = null): FeedRow {
  const refundOf = given ?? purchaseOf([...draft.rows.values()], { ...row, ...seenOf(parsed) })?.externalId ?? null
  const { cardId, externalId } = row
  addEvent(draft, cardId, parsed, { kind: 'REFUND', externalId, originalExternalId: refundOf, moment: parsed.bought })
  // A refund before the link of the card has no reward to take back.
  const isPast = isHistory(draft, cardId, parsed.bought, parsed.boughtOn)
  return keep(draft, { ...row, refundOf, isOrphan: refundOf === null && cardId !== null && !isPast })
}

/** The user's card that a row names; null when it is none of theirs. */
export function cardOf({ cardOfAccount }: Baseline, row: ProviderRow): CardId | null {
  return cardOfAccount.get(row.accountId)?.cardId ?? null
}

/** Whether a row now describes something that cannot continue its earlier events. */
function isAnother(known: FeedRow, parsed: ParsedRow): boolean {
  return (
    known.handedAs === null || isRefund(known.handedAs) !== isRefund(parsed.kind) || known.currency !== parsed.currency
  )
}

function isRefund(kind: HandedKind | null): boolean {
  return kind === 'REFUND'
}

type Refund = Pick<FeedRow, 'cardId' | 'merchantKeys' | 'currency' | 'amount' | 'boughtOn'>

/**
 * The purchase of a refund, when it is certain: same card and merchant, not later than the refund, with enough left to
 * refund; of several the latest of exactly this amount. Refunds carry no reference to their purchase.
 */
function purchaseOf(rows: readonly FeedRow[], refund: Refund): FeedRow | null {
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
