import type { TransactionId } from '../../platform/ids.ts'
import type { Publisher } from '../../publishers/index.ts'
import { type Folded, foldEvents } from '../fold/fold.ts'
import type { SourceEvent } from '../intake/event.ts'
import type { LoadedPurchase } from '../replay/load.ts'
import type { TwiceRow } from './pair-queries.ts'
import type { SamePurchase } from './same-purchases.ts'

/**
 * Card purchases with what either report says was given back. Both tell of the same refunds, so the larger sum counts
 * for both: once, whichever report is paid, and even if the other never hears of it. A report whose amount leaves the
 * refund out already has nothing more taken back.
 */
export function sharedRefunds(
  { timeZone }: Publisher,
  purchases: readonly LoadedPurchase[],
  found: readonly SamePurchase[],
  now: Date,
): LoadedPurchase[] {
  const twice = found.flatMap(({ cards, sales }) => [cards, sales]).filter((reports) => reports.length > 1)
  if (twice.length === 0) return [...purchases]
  const loaded = new Map(purchases.map((one) => [one.group.root.transactionId, one]))
  const others = new Map(
    twice.flatMap(([one, other]) =>
      one === undefined || other === undefined
        ? []
        : [
            [one.transactionId, loaded.get(other.transactionId)] as const,
            [other.transactionId, loaded.get(one.transactionId)] as const,
          ],
    ),
  )
  return purchases.map((one) => {
    const other = others.get(one.group.root.transactionId)
    if (other === undefined) return one
    return { ...one, folded: withRefundsOf(other.folded, one.folded, one.events, timeZone, now) }
  })
}

/** The fold of a card purchase, with the events of its other report. */
export function foldWithOther(
  events: readonly SourceEvent[],
  others: readonly SourceEvent[],
  timeZone: string,
  now: Date,
): Folded {
  const folded = foldEvents(events, timeZone, now)
  return others.length === 0 ? folded : withRefundsOf(foldEvents(others, timeZone, now), folded, events, timeZone, now)
}

/** The other report of each purchase that one source reports twice. */
export function otherReports(rows: readonly TwiceRow[]): ReadonlyMap<TransactionId, TransactionId> {
  return new Map(rows.flatMap(({ ids: [one, other] }) => [[one, other] as const, [other, one] as const]))
}

/** A report that was taken back as a whole, such as a row that the bank no longer shows, says nothing of refunds. */
const SILENT: readonly (Folded['emptyReason'] | null)[] = ['reversed', 'declined', 'merged', 'original_unknown']

function withRefundsOf(
  other: Folded,
  folded: Folded,
  events: readonly SourceEvent[],
  timeZone: string,
  now: Date,
): Folded {
  const isRejected = other.emptyReason === 'reversed' && other.facts.isFromClick === true
  // Until the same is left of both.
  const missing = folded.amount - (other.amount - other.refunded)
  const shared = isRejected ? folded.amount : other.refunded < missing ? other.refunded : missing
  if (shared <= folded.refunded || (SILENT.includes(other.emptyReason) && !isRejected)) return folded
  const { refunded, items, emptyReason } = foldEvents(events, timeZone, now, shared)
  const changedAt = other.changedAt > folded.changedAt ? other.changedAt : folded.changedAt
  return { ...folded, refunded, items, emptyReason, changedAt }
}
