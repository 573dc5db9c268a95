import type { TransactionId } from '../../../platform/ids.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import type { SourceEvent } from '../event.ts'
import { type Folded, foldEvents } from '../fold/fold.ts'
import type { LoadedPurchase } from '../load/load.ts'
import type { SameSourcePair } from './pair-queries.ts'
import type { RefundPair } from './refund-pair-queries.ts'
import { markRefundPairs } from './refund-pairs.ts'
import type { SamePurchase } from './same-purchases.ts'

/**
 * Shares refunds among the reports from one source. The publisher and the feed or network report the same refunds, so
 * the larger of the two sums applies to both, regardless of which report a refund is attached to, which report is paid,
 * and whether the other reporter ever learns of the refund. If the amount of a report already excludes the refund,
 * nothing more is deducted from it. A full refund of one report is a full refund of both.
 */
export function shareRefunds(
  { timeZone }: Publisher,
  purchases: readonly LoadedPurchase[],
  found: readonly SamePurchase[],
  now: Date,
): LoadedPurchase[] {
  const sharing = found.flatMap(({ cards, sales }) => [cards, sales]).filter((reports) => reports.length > 1)
  if (sharing.length === 0) return [...purchases]
  const loaded = new Map(purchases.map((one) => [one.group.root.transactionId, one]))
  const shared = new Map(
    sharing.flatMap((reports) => {
      const ofPurchase = reports.flatMap(({ transactionId }) => loaded.get(transactionId) ?? [])
      const folds = withRefundsShared(ofPurchase, timeZone, now)
      return ofPurchase.map((one, nth) => [one, folds[nth] ?? one.folded] as const)
    }),
  )
  return purchases.map((one) => ({ ...one, folded: shared.get(one) ?? one.folded }))
}

/** Moves paired feed refunds to the purchases that the publisher attached them to. */
export function moveRefunds(
  { timeZone }: Publisher,
  purchases: readonly LoadedPurchase[],
  pairs: readonly RefundPair[],
  now: Date,
): LoadedPurchase[] {
  return purchases.map((one) => {
    const events = markRefundPairs(one.events, pairs)
    if (!events.some(({ isPairedRefund }) => isPairedRefund)) return one
    const { refunded, items, emptyReason, givenBack } = foldEvents(events, timeZone, now)
    return { ...one, events, folded: { ...one.folded, refunded, items, emptyReason, givenBack } }
  })
}

/**
 * Folds a report, including the refunds stated by other reports of its purchase from the same source.
 *
 * @param reports the events of each report including this one, the preferred report first; empty if there are no others
 */
export function foldWithOthers(
  events: readonly SourceEvent[],
  reports: readonly (readonly SourceEvent[])[],
  timeZone: string,
  now: Date,
): Folded {
  const known = (reports.includes(events) ? reports : [events]).filter((some) => some.length > 0)
  const alone = known.map((some) => ({ events: some, folded: foldEvents(some, timeZone, now) }))
  return withRefundsShared(alone, timeZone, now)[known.indexOf(events)] ?? foldEvents(events, timeZone, now)
}

/** Maps each report to all reports of the same source and purchase, including itself, with the preferred one first. */
export function groupReportsBySource(
  rows: readonly SameSourcePair[],
): ReadonlyMap<TransactionId, readonly TransactionId[]> {
  const byPreferred = Map.groupBy(rows, ({ ids: [preferred] }) => preferred)
  return new Map(
    [...byPreferred].flatMap(([preferred, pairs]) => {
      const all = [preferred, ...pairs.map(({ ids: [, other] }) => other)]
      return all.map((id) => [id, all] as const)
    }),
  )
}

/** A report folded only from its own events. */
type OwnReport = Pick<LoadedPurchase, 'events' | 'folded'>

/** @param reports the preferred report, followed by the other one or by the feed's rows for the partial clearings */
function withRefundsShared([first, ...others]: readonly OwnReport[], timeZone: string, now: Date): Folded[] {
  if (first === undefined) return []
  if (others.length === 0) return [first.folded]
  return [...deductRefunds(others, [first], timeZone, now), ...deductRefunds([first], others, timeZone, now)]
}

/** Deducts refunds that one side does not include from its reports, in sequence, so that each is deducted once. */
function deductRefunds(
  others: readonly OwnReport[],
  side: readonly OwnReport[],
  timeZone: string,
  now: Date,
): Folded[] {
  const [own, theirs] = [withLowered(side, others), withLowered(others, side)]
  let more = computeShared(own, theirs) - addUp(own.map(({ folded }) => getKnownRefund(folded)))
  const changed = new Map<OwnReport, Folded>()
  for (const one of side.toSorted((a, b) => (toKey(a) < toKey(b) ? -1 : 1))) {
    const { folded, events } = one
    const left = folded.amount - folded.refunded
    const taken = more < left ? more : left
    if (taken <= 0n) continue
    more -= taken
    const { refunded, items, emptyReason } = foldEvents(events, timeZone, now, folded.refunded + taken)
    const changedAt = new Date(Math.max(...[one, ...others].map((some) => some.folded.changedAt.getTime())))
    changed.set(one, { ...folded, refunded, items, emptyReason, changedAt })
  }
  return side.map((one) => changed.get(one) ?? one.folded)
}

/** Treats a reduction in the network's total as a refund, up to the amount that the other report still includes. */
function withLowered(side: readonly OwnReport[], others: readonly OwnReport[]): OwnReport[] {
  const included = addUp(others.map(({ folded }) => folded.amount))
  return side.map((one) => {
    const { amount, refunded, givenBack } = one.folded
    const { from, to } = one.folded.lowered
    // Not `amount`, which excludes the part that is still pending.
    const lowered = (included < from ? included : from) - to
    if (lowered <= 0n) return one
    const more = { ...givenBack, byOthers: givenBack.byOthers + lowered }
    return {
      ...one,
      folded: { ...one.folded, amount: amount + lowered, refunded: refunded + lowered, givenBack: more },
    }
  })
}

function toKey({ folded, events }: OwnReport): string {
  const ids = events.map(({ externalId }) => externalId)
  return `${folded.authorizedAt.toISOString()} ${ids.reduce((a, b) => (b < a ? b : a))}`
}

// If a report exceeds the other by more than a tip, the other is for only part of the purchase.
const WITH_TIP_PERCENT = 135n

/** Returns the amount refunded for a side, in minor units, based on both sides of the purchase. */
function computeShared(side: readonly OwnReport[], others: readonly OwnReport[]): bigint {
  const [own, theirs] = [side, others].map((some) => some.map(({ folded }) => folded)) as [Folded[], Folded[]]
  const whole = addUp(own.map(({ amount }) => amount))
  const isRejected = theirs.some(({ emptyReason, facts }) => emptyReason === 'reversed' && facts.isFromClick === true)
  // The allowance for a tip applies even if only one report includes one. With partial clearings, a refunded row is
  // only part of the purchase.
  const isWhole = ({ amount }: Folded): boolean => whole * 100n <= amount * WITH_TIP_PERCENT
  const isRefunded =
    theirs.some((other) => other.emptyReason === 'refunded' && isWhole(other)) &&
    !side.some(({ events }) => hasPartialClearings(events))
  if (isRejected || isRefunded) return whole
  const givenBack = pickLarger({
    byPublisher: addUp([...own, ...theirs].map((one) => one.givenBack.byPublisher)),
    byOthers: addUp([...own, ...theirs].map((one) => one.givenBack.byOthers)),
  })
  // Capped at the amount that leaves both sides equal.
  const missing = sumUnreversed(own) + givenBack - sumUnreversed(theirs)
  return givenBack < missing ? givenBack : missing
}

function sumUnreversed(folds: readonly Folded[]): bigint {
  return addUp(folds.filter(({ emptyReason }) => emptyReason !== 'reversed').map(({ amount }) => amount))
}

/**
 * Returns the refund that a report already reflects. A completely reversed report reflects only refunds from before the
 * reversal.
 */
function getKnownRefund({ emptyReason, refunded, givenBack }: Folded): bigint {
  return emptyReason === 'reversed' ? pickLarger(givenBack) : refunded
}

function pickLarger({ byPublisher, byOthers }: Folded['givenBack']): bigint {
  return byPublisher > byOthers ? byPublisher : byOthers
}

function addUp(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n)
}

function hasPartialClearings(events: readonly SourceEvent[]): boolean {
  return events.filter(({ source, kind }) => source === 'CARD' && kind === 'CLEARING').length > 1
}
