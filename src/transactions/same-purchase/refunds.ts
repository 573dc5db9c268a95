import type { TransactionId } from '../../platform/ids.ts'
import type { Publisher } from '../../publishers/index.ts'
import { type Folded, foldEvents } from '../fold/fold.ts'
import type { SourceEvent } from '../intake/event.ts'
import type { LoadedPurchase } from '../replay/load.ts'
import type { TwiceRow } from './pair-queries.ts'
import type { RefundPair } from './refund-pair-queries.ts'
import type { Report } from './reports.ts'
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
  const foldsOf = (reports: readonly Report[]): Folded[] =>
    reports.flatMap(({ transactionId }) => loaded.get(transactionId)?.folded ?? [])
  const others = new Map(
    twice.flatMap(([first, ...more]) =>
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

/** The fold of a purchase, with the events of its other reports. */
export function foldWithOthers(
  events: readonly SourceEvent[],
  others: readonly (readonly SourceEvent[])[],
  timeZone: string,
  now: Date,
): Folded {
  const folds = others.filter((some) => some.length > 0).map((some) => foldEvents(some, timeZone, now))
  return withRefundsOf(folds, foldEvents(events, timeZone, now), events, timeZone, now)
}

/** The other reports of each purchase that one source reports more than once. */
export function otherReports(rows: readonly TwiceRow[]): ReadonlyMap<TransactionId, readonly TransactionId[]> {
  const both = rows.flatMap(({ ids: [one, other] }) => [
    { one, other },
    { one: other, other: one },
  ])
  const others = Map.groupBy(both, ({ one }) => one)
  return new Map([...others].map(([id, pairs]) => [id, pairs.map(({ other }) => other)]))
}

/** @param others the other report, or the feed's rows for the parts of the purchase */
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

/** What counts as refunded for a report, in minor units, by all that it and the others of the purchase say. */
function sharedOf(one: Folded, others: readonly Folded[], events: readonly SourceEvent[]): bigint {
  const isRejected = others.some(({ emptyReason, facts }) => emptyReason === 'reversed' && facts.isFromClick === true)
  // Even if only one of them knows of a tip. A row that was refunded may be but a part of it.
  const isRefunded = others.some(({ emptyReason }) => emptyReason === 'refunded') && !hasParts(events)
  if (isRejected || isRefunded) return one.amount
  const byPublisher = others.reduce((sum, { givenBack }) => sum + givenBack.byPublisher, one.givenBack.byPublisher)
  const byOthers = others.reduce((sum, { givenBack }) => sum + givenBack.byOthers, one.givenBack.byOthers)
  const told = byPublisher > byOthers ? byPublisher : byOthers
  // Until the same is left of both.
  const shown = others.filter(({ emptyReason }) => emptyReason !== 'reversed')
  const missing = shown.reduce((rest, { amount }) => rest - amount, one.amount + told)
  return told < missing ? told : missing
}

function hasParts(events: readonly SourceEvent[]): boolean {
  return events.filter(({ source, kind }) => source === 'CARD' && kind === 'CLEARING').length > 1
}
