import type { TransactionId } from '../../platform/ids.ts'
import type { Publisher } from '../../publishers/index.ts'
import { type Folded, foldEvents } from '../fold/fold.ts'
import type { SourceEvent } from '../intake/event.ts'
import type { LoadedPurchase } from '../replay/load.ts'
import type { SameSourcePair } from './pair-queries.ts'
import type { RefundPair } from './refund-pair-queries.ts'
import { withRefundPairs } from './refund-pairs.ts'
import type { Report } from './reports.ts'
import type { SamePurchase } from './same-purchases.ts'

/**
 * Gives the reports of one source what any of them says was given back. The publisher and the feed or network report the
 * same refunds, so the larger of the two sums counts for both, whichever report a refund is attached to, whichever is
 * paid, and even if the other reporter never hears of it. If the amount of a report already leaves the refund out,
 * nothing more is taken back from it. A full refund of one is a full refund of both.
 */
export function sharedRefunds(
  { timeZone }: Publisher,
  purchases: readonly LoadedPurchase[],
  found: readonly SamePurchase[],
  now: Date,
): LoadedPurchase[] {
  const sharing = found.flatMap(({ cards, sales }) => [cards, sales]).filter((reports) => reports.length > 1)
  if (sharing.length === 0) return [...purchases]
  const loaded = new Map(purchases.map((one) => [one.group.root.transactionId, one]))
  const foldsOf = (reports: readonly Report[]): Folded[] =>
    reports.flatMap(({ transactionId }) => loaded.get(transactionId)?.folded ?? [])
  const others = new Map(
    sharing.flatMap(([first, ...more]) =>
      first === undefined
        ? []
        : [
            [first.transactionId, foldsOf(more)] as const,
            ...more.map(({ transactionId }) => [transactionId, foldsOf([first])] as const),
          ],
    ),
  )
  return purchases.map((one) => {
    const folds = others.get(one.group.root.transactionId) ?? []
    return { ...one, folded: withRefundsOf(folds, one.folded, one.events, timeZone, now) }
  })
}

/** Moves paired refunds of the feed to the purchases to which the publisher attaches them. */
export function withRefundsMoved(
  { timeZone }: Publisher,
  purchases: readonly LoadedPurchase[],
  pairs: readonly RefundPair[],
  now: Date,
): LoadedPurchase[] {
  return purchases.map((one) => {
    const events = withRefundPairs(one.events, pairs)
    if (!events.some(({ isPairedRefund }) => isPairedRefund)) return one
    const { refunded, items, emptyReason, givenBack } = foldEvents(events, timeZone, now)
    return { ...one, events, folded: { ...one.folded, refunded, items, emptyReason, givenBack } }
  })
}

/** The fold of a purchase with what its other reports say was given back. */
export function foldWithOthers(
  events: readonly SourceEvent[],
  others: readonly (readonly SourceEvent[])[],
  timeZone: string,
  now: Date,
): Folded {
  const folds = others.filter((some) => some.length > 0).map((some) => foldEvents(some, timeZone, now))
  return withRefundsOf(folds, foldEvents(events, timeZone, now), events, timeZone, now)
}

/** For each report, the others of the same source and purchase. */
export function otherReports(rows: readonly SameSourcePair[]): ReadonlyMap<TransactionId, readonly TransactionId[]> {
  const both = rows.flatMap(({ ids: [one, other] }) => [
    { one, other },
    { one: other, other: one },
  ])
  const others = Map.groupBy(both, ({ one }) => one)
  return new Map([...others].map(([id, pairs]) => [id, pairs.map(({ other }) => other)]))
}

/** @param others the other report, or the feed's rows for the partial clearings */
function withRefundsOf(
  others: readonly Folded[],
  folded: Folded,
  events: readonly SourceEvent[],
  timeZone: string,
  now: Date,
): Folded {
  if (others.length === 0) return folded
  const shared = sharedOf(folded, others, events)
  if (shared <= folded.refunded) return folded
  const { refunded, items, emptyReason } = foldEvents(events, timeZone, now, shared)
  const changedAt = new Date(Math.max(...[folded, ...others].map((one) => one.changedAt.getTime())))
  return { ...folded, refunded, items, emptyReason, changedAt }
}

// If a report is larger by more than a tip, the other is only a part of its purchase.
const WITH_TIP_PERCENT = 135n

/** What counts as refunded for a report, in minor units, from what it and the other reports of the purchase say. */
function sharedOf(one: Folded, others: readonly Folded[], events: readonly SourceEvent[]): bigint {
  const isRejected = others.some(({ emptyReason, facts }) => emptyReason === 'reversed' && facts.isFromClick === true)
  // Even if only one report includes a tip. With partial clearings, a refunded row is only a part of the purchase.
  const isWhole = ({ amount }: Folded): boolean => one.amount * 100n <= amount * WITH_TIP_PERCENT
  const isRefunded =
    others.some((other) => other.emptyReason === 'refunded' && isWhole(other)) && !hasPartialClearings(events)
  if (isRejected || isRefunded) return one.amount
  const byPublisher = others.reduce((sum, { givenBack }) => sum + givenBack.byPublisher, one.givenBack.byPublisher)
  const byOthers = others.reduce((sum, { givenBack }) => sum + givenBack.byOthers, one.givenBack.byOthers)
  const givenBack = byPublisher > byOthers ? byPublisher : byOthers
  // At most until the same amount is left of both.
  const shown = others.filter(({ emptyReason }) => emptyReason !== 'reversed')
  const missing = shown.reduce((rest, { amount }) => rest - amount, one.amount + givenBack)
  return givenBack < missing ? givenBack : missing
}

function hasPartialClearings(events: readonly SourceEvent[]): boolean {
  return events.filter(({ source, kind }) => source === 'CARD' && kind === 'CLEARING').length > 1
}
