import type { TransactionId } from '../../platform/ids.ts'
import type { Publisher } from '../../publishers/index.ts'
import { type Folded, foldEvents } from '../fold/fold.ts'
import type { SourceEvent } from '../intake/event.ts'
import type { LoadedPurchase } from '../replay/load.ts'
import type { TwiceRow } from './pair-queries.ts'
import type { RefundPair } from './refund-pair-queries.ts'
import type { SamePurchase } from './same-purchases.ts'
import { withRefundPairs } from './same-refunds.ts'

/**
 * Purchases of one source with what either report says was given back. The publisher and the feed or network tell of
 * the same refunds, whichever of the two reports these are attached to. So the larger of the two sums counts for both:
 * once, whichever report is paid, and even if the other never hears of it. A report whose amount leaves the refund out
 * already has nothing more taken back. A full refund of one is one of both.
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

/** Purchases without the refunds that count for another one, and with those that count for them in its place. */
export function withRefundsMoved(
  { timeZone }: Publisher,
  purchases: readonly LoadedPurchase[],
  pairs: readonly RefundPair[],
  now: Date,
): LoadedPurchase[] {
  return purchases.map((one) => {
    const events = withRefundPairs(one.events, pairs)
    if (!events.some(({ isToldTwice }) => isToldTwice)) return one
    const { refunded, items, emptyReason, givenBack } = foldEvents(events, timeZone, now)
    return { ...one, events, folded: { ...one.folded, refunded, items, emptyReason, givenBack } }
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

function withRefundsOf(
  other: Folded,
  folded: Folded,
  events: readonly SourceEvent[],
  timeZone: string,
  now: Date,
): Folded {
  const shared = sharedOf(folded, other)
  if (shared <= folded.refunded) return folded
  const { refunded, items, emptyReason } = foldEvents(events, timeZone, now, shared)
  const changedAt = other.changedAt > folded.changedAt ? other.changedAt : folded.changedAt
  return { ...folded, refunded, items, emptyReason, changedAt }
}

/** What counts as refunded for a report, in minor units, by all that it and the other report of the purchase say. */
function sharedOf(one: Folded, other: Folded): bigint {
  const isRejected = other.emptyReason === 'reversed' && other.facts.isFromClick === true
  // Even if only one of them knows of a tip.
  if (isRejected || other.emptyReason === 'refunded') return one.amount
  const byPublisher = one.givenBack.byPublisher + other.givenBack.byPublisher
  const byOthers = one.givenBack.byOthers + other.givenBack.byOthers
  const told = byPublisher > byOthers ? byPublisher : byOthers
  // Until the same is left of both.
  const missing = one.amount - (other.amount - told)
  return told < missing ? told : missing
}
