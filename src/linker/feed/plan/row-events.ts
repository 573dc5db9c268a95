import type { CardId } from '../../../cards/index.ts'
import { dayOf } from '../../../platform/calendar.ts'
import type { ProviderRow } from '../../provider.ts'
import type { FeedRow } from '../rows.ts'
import {
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
  tell,
} from './draft.ts'
import type { HandedKind, ParsedRow } from './parse-row.ts'
import { purchaseOf } from './refund-match.ts'

/** A row that begins something: no row that is known stands for it. */
export function begin(draft: Draft, row: ProviderRow, parsed: ParsedRow): FeedRow {
  const blank = lifeOf(draft, row, parsed)
  const { cardId, externalId } = blank
  if (parsed.kind === 'REFUND') return refund(draft, parsed, blank)
  if (parsed.kind === 'CLEARING') return clear(draft, row, parsed, blank, null)
  if (parsed.kind === 'AUTHORIZATION')
    tell(draft, cardId, parsed, { kind: 'AUTHORIZATION', externalId, original: null, moment: parsed.bought })
  return keep(draft, blank)
}

/** A row that stands in the place of another: the posting of a hold, or the same row under a new id. */
export function continueRow(draft: Draft, place: FeedRow, row: ProviderRow, parsed: ParsedRow): FeedRow {
  if (place.handedAs !== null && isRefund(place.handedAs) !== isRefund(parsed.kind)) return begin(draft, row, parsed)
  if (place.handedAs !== null && place.currency !== parsed.currency) return exchange(draft, place, row, parsed)
  if (place.handedAs === 'AUTHORIZATION' && parsed.kind === 'CLEARING')
    return clear(draft, row, parsed, lifeOf(draft, row, parsed), place)
  const { rowId, accountId } = row
  keep(draft, { ...place, replacedBy: rowId, waitsUntil: null, isOrphan: false })
  if (place.handedAs === null) return begin(draft, row, parsed)
  const { generation } = draft.baseline
  const cardId = cardOf(draft.baseline, row) ?? place.cardId
  // The row may have had a life of its own before: ids of that one are not given again.
  const revision = place.removed ? place.revision : Math.max(place.revision, draft.rows.get(rowId)?.revision ?? 0)
  const heir = { ...place, rowId, accountId, generation, cardId, revision, replacedBy: null, waitsUntil: null }
  if (place.removed) return returnRow(draft, heir, row, parsed)
  if (place.amount === parsed.amount) return keep(draft, { ...heir, ...seenOf(parsed) })
  return change(draft, heir, row, parsed)
}

/**
 * A row in another currency than the one it stands for, as a hold abroad that posts at home: money of two currencies is
 * never of one purchase, so the earlier event is reversed and the row begins its own purchase.
 */
function exchange(draft: Draft, place: FeedRow, row: ProviderRow, parsed: ParsedRow): FeedRow {
  const left = place.removed ? place : reverseRow(draft, place)
  keep(draft, { ...left, replacedBy: row.rowId, waitsUntil: null, isOrphan: false })
  return begin(draft, row, parsed)
}

/** A row whose content is not what it was. */
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
  // Each after the one before, because the order of events at one instant is undefined.
  const moment = after(
    clears ? parsed.posted : { at: known.occurredAt, dateOnly: parsed.bought.dateOnly },
    known.occurredAt,
  )
  const told = idOf(row.rowId, revision)
  const kind = clears ? 'CLEARING' : 'AMENDMENT'
  tell(draft, known.cardId, parsed, { kind, externalId: told, original: known.externalId, moment })
  // What takes the row back later must name the clearing: naming the hold would only shrink the hold.
  const { handedAs, externalId } = clears ? { handedAs: 'CLEARING' as const, externalId: told } : known
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

/** A row that was taken back and is there again. */
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
  const told = idOf(row.rowId, revision)
  tell(draft, known.cardId, parsed, { kind: parsed.kind, externalId: told, original: known.externalId, moment })
  const externalId = posts ? told : known.externalId
  return keep(draft, {
    ...seen,
    handedAs: parsed.kind,
    externalId,
    peakAmount: parsed.amount,
    occurredAt: moment.at,
  })
}

/** Refunds that came before their purchases, or whose purchase was not certain then, are judged by what is known now. */
export function adoptOrphans(draft: Draft): void {
  if (draft.events.length === 0) return
  for (const orphan of [...draft.rows.values()].filter((row) => row.isOrphan && !row.removed)) {
    const purchase = purchaseOf([...draft.rows.values()], orphan)
    if (purchase !== null) assignRefund(draft, orphan, purchase.externalId)
  }
}

/** Takes an orphan back and tells it once more, as the refund of this purchase. */
export function assignRefund(draft: Draft, orphan: FeedRow, refundOf: string): void {
  reverseRow(draft, orphan)
  const revision = orphan.revision + 1
  const externalId = idOf(orphan.rowId, revision)
  draft.events.push({
    userId: draft.baseline.userId,
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

/** The row as it begins: for the first time, or once more when its first life goes on in another row. */
function lifeOf(draft: Draft, row: ProviderRow, parsed: ParsedRow): FeedRow {
  const known = draft.rows.get(row.rowId)
  const blank = blankRow(draft.baseline, row, parsed, cardOf(draft.baseline, row))
  if (known === undefined || (known.handedAs === null && known.replacedBy === null)) return blank
  const revision = known.revision + 1
  return { ...blank, revision, externalId: idOf(row.rowId, revision) }
}

function clear(draft: Draft, row: ProviderRow, parsed: ParsedRow, blank: FeedRow, hold: FeedRow | null): FeedRow {
  // The pending row that it names may be one that never was shown; should it come late, it begins nothing.
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
    tell(draft, cardId, parsed, { kind: 'CLEARING', externalId, original, moment })
    return keep(draft, { ...blank, occurredAt: moment.at })
  }
  const ahead = `authorized:${externalId}`
  tell(draft, cardId, parsed, { kind: 'AUTHORIZATION', externalId: ahead, original, moment: parsed.bought })
  const moment = after(parsed.posted, parsed.bought.at)
  tell(draft, cardId, parsed, { kind: 'CLEARING', externalId, original: original ?? ahead, moment })
  return keep(draft, { ...blank, occurredAt: moment.at })
}

/** A refund, of the purchase that was found for it before or is found now. */
function refund(draft: Draft, parsed: ParsedRow, row: FeedRow, given: string | null = null): FeedRow {
  const refundOf = given ?? purchaseOf([...draft.rows.values()], { ...row, ...seenOf(parsed) })?.externalId ?? null
  const { cardId, externalId } = row
  tell(draft, cardId, parsed, { kind: 'REFUND', externalId, original: refundOf, moment: parsed.bought })
  // What was bought and given back before the card was linked earned nothing that could be taken back.
  const isPast = isHistory(draft, cardId, parsed.bought, parsed.boughtOn)
  return keep(draft, { ...row, refundOf, isOrphan: refundOf === null && cardId !== null && !isPast })
}

/** The card that a row names, where it is one of the user's. */
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
