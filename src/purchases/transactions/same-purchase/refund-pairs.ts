import { DAY_MS } from '../../../platform/calendar.ts'
import type { Reader, Tx } from '../../../platform/db/database.ts'
import type { TransactionId, UserId } from '../../../platform/ids.ts'
import type { CardOf } from '../../../sources/cards/index.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import type { SourceEvent } from '../event.ts'
import { standingOf, treeOf } from '../fold/event-tree.ts'
import type { LoadedPurchase } from '../load/load.ts'
import { type PairRules, pairsOf, type Side, squaredMinutesApart } from './pairs.ts'
import { listRefundPairs, listRefundsLike, type RefundPair, writeRefundPairs } from './refund-pair-queries.ts'
import type { SamePurchase } from './same-purchases.ts'

// A publisher dates a refund by the day it was given, a bank by the day the money arrived.
const SAME_REFUND_MS = 14 * DAY_MS

type Refund = Side & {
  readonly userId: UserId
  readonly externalId: string
  readonly isFeed: boolean
  readonly card: string | null
  /** The purchase, as reported by the publisher if there are two reports. */
  readonly purchase: TransactionId
  /** Refunds with the same key share user, brand, currency and amount. */
  readonly key: string
}

/** Pairs refunds of the same purchase first, so that only the rest is compared with other purchases. */
const SAME_REFUNDS: PairRules<Refund, Refund> = {
  matcherOf: (reported) => (feed) =>
    (feed.card === null || reported.card === null || feed.card === reported.card) &&
    Math.abs(feed.at.getTime() - reported.at.getTime()) <= SAME_REFUND_MS,
  isSurer: (feed, reported) => feed.purchase === reported.purchase,
  costOf: squaredMinutesApart,
}

/**
 * Finds refunds that publisher and feed attach to different purchases. A feed row names no purchase, so among equal
 * purchases the feed's choice is a guess. Refunds of the same purchase need no pairs, because the larger sum counts.
 */
export function refundPairsOf(
  purchases: readonly LoadedPurchase[],
  found: readonly SamePurchase[],
  cardOf: CardOf,
): RefundPair[] {
  const firstReports = new Map(
    found.flatMap(({ cards: [first, ...others] }) =>
      first === undefined ? [] : others.map(({ transactionId }) => [transactionId, first.transactionId] as const),
    ),
  )
  const refunds = purchases.flatMap((one) => refundsOf(one, firstReports, cardOf))
  return [...Map.groupBy(refunds, ({ key }) => key).values()].flatMap((alike) => {
    const [feed, reported] = [alike.filter(({ isFeed }) => isFeed), alike.filter(({ isFeed }) => !isFeed)]
    return pairsOf(feed, reported, SAME_REFUNDS, () => false)
      .filter(([ofFeed, ofPublisher]) => ofFeed.purchase !== ofPublisher.purchase)
      .map(([{ userId, externalId: feedRefund }, { externalId }]) => ({
        userId,
        reportedRefund: externalId,
        feedRefund,
      }))
  })
}

function refundsOf(
  { group: { root }, folded, match, events }: LoadedPurchase,
  firstReports: ReadonlyMap<TransactionId, TransactionId>,
  cardOf: CardOf,
): Refund[] {
  const { userId, transactionId, source } = root
  const { isPurchase, currency, facts } = folded
  if (source !== 'CARD' || !isPurchase || match.brandUid === null || !events.some(isRefund)) return []
  return treeOf(events)
    .filter((node) => isRefund(node.event) && node.event.currency === currency && standingOf(node).amount > 0n)
    .map(({ event: { externalId, isFeed = false, amount, occurredAt } }) => ({
      userId,
      externalId,
      isFeed,
      at: occurredAt,
      rootId: externalId,
      isAlive: true,
      card: cardOf(userId, facts.accountId ?? null),
      purchase: firstReports.get(transactionId) ?? transactionId,
      key: `${userId} ${match.brandUid} ${currency} ${amount}`,
    }))
}

function isRefund({ kind, source }: SourceEvent): boolean {
  return kind === 'REFUND' && source === 'CARD'
}

/** Returns the purchases with refunds that may be the same as refunds of these purchases. */
export async function refundedLike(
  reader: Reader,
  publisher: Publisher,
  purchases: readonly LoadedPurchase[],
): Promise<TransactionId[]> {
  const searches = purchases.flatMap(({ events, match: { brandUid } }) =>
    brandUid === null
      ? []
      : events.filter(isRefund).map(({ userId, currency, amount, occurredAt }) => ({
          userId,
          brandUid,
          currency,
          amount,
          fromAt: new Date(occurredAt.getTime() - SAME_REFUND_MS),
          untilAt: new Date(occurredAt.getTime() + SAME_REFUND_MS),
        })),
  )
  return searches.length === 0 ? [] : listRefundsLike(reader, publisher.id, searches)
}

/** Returns the stored refund pairs of these purchases. */
export async function formerRefundPairs(
  reader: Reader,
  publisher: Publisher,
  purchases: readonly LoadedPurchase[],
): Promise<RefundPair[]> {
  const refunds = purchases.flatMap(({ events }) => events.filter(isRefund))
  if (refunds.length === 0) return []
  const known = new Set(refunds.map(refundKey))
  const pairs = await listRefundPairs(reader, publisher.id, [...new Set(refunds.map(({ userId }) => userId))])
  return pairs.filter((pair) => keysOf(pair).some((key) => known.has(key)))
}

export async function storeRefundPairs(
  tx: Tx,
  publisher: Publisher,
  { former, found }: { readonly former: readonly RefundPair[]; readonly found: readonly RefundPair[] },
  now: Date,
): Promise<void> {
  const keyOf = (pair: RefundPair): string => keysOf(pair).join(' ')
  const [before, after] = [new Set(former.map(keyOf)), new Set(found.map(keyOf))]
  const gone = former.filter((pair) => !after.has(keyOf(pair)))
  await writeRefundPairs(tx, publisher.id, { gone, fresh: found.filter((pair) => !before.has(keyOf(pair))) }, now)
}

/** Marks refunds that publisher and feed attach to different purchases. */
export function withRefundPairs<Event extends SourceEvent>(
  events: readonly Event[],
  pairs: readonly RefundPair[],
): readonly Event[] {
  if (pairs.length === 0) return events
  const paired = new Set(pairs.flatMap(keysOf))
  return events.map((event) =>
    isRefund(event) && paired.has(refundKey(event)) ? { ...event, isPairedRefund: true } : event,
  )
}

function keysOf({ userId, reportedRefund, feedRefund }: RefundPair): string[] {
  return [reportedRefund, feedRefund].map((externalId) => refundKey({ userId, externalId }))
}

function refundKey({ userId, externalId }: Pick<SourceEvent, 'userId' | 'externalId'>): string {
  return `${userId} ${externalId}`
}
