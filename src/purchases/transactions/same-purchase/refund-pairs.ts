import { DAY_MS } from '../../../platform/calendar.ts'
import type { Reader, Tx } from '../../../platform/db/database.ts'
import type { TransactionId, UserId } from '../../../platform/ids.ts'
import type { FindCard } from '../../../sources/cards/index.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import type { SourceEvent } from '../event.ts'
import { buildTree, subtractReversals } from '../fold/event-tree.ts'
import type { LoadedPurchase } from '../load/load.ts'
import { computeSquaredMinutes, findPairs, type PairRules, type Side } from './pairs.ts'
import { listRefundPairs, listRefundsLike, type RefundPair, writeRefundPairs } from './refund-pair-queries.ts'
import type { SamePurchase } from './same-purchases.ts'

// A publisher dates a refund by the day it was granted, but a bank by the day the money arrived.
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

/** Pairs refunds of the same purchase first, so that only the remaining refunds are compared across purchases. */
const SAME_REFUNDS: PairRules<Refund, Refund> = {
  createMatcher: (reported) => (feed) =>
    (feed.card === null || reported.card === null || feed.card === reported.card) &&
    Math.abs(feed.at.getTime() - reported.at.getTime()) <= SAME_REFUND_MS,
  isSurer: (feed, reported) => feed.purchase === reported.purchase,
  computeCost: computeSquaredMinutes,
}

/**
 * Finds refunds that the publisher and the feed attach to different purchases. A feed row does not reference its
 * purchase, so if several purchases are equal, the feed's choice is a guess. Refunds of the same purchase need no
 * pairs, because the larger of the two sums is used.
 */
export function findRefundPairs(
  purchases: readonly LoadedPurchase[],
  found: readonly SamePurchase[],
  findCard: FindCard,
): RefundPair[] {
  const firstReports = new Map(
    found.flatMap(({ cards: [first, ...others] }) =>
      first === undefined ? [] : others.map(({ transactionId }) => [transactionId, first.transactionId] as const),
    ),
  )
  const refunds = purchases.flatMap((one) => toRefunds(one, firstReports, findCard))
  return [...Map.groupBy(refunds, ({ key }) => key).values()].flatMap((alike) => {
    const [feed, reported] = [alike.filter(({ isFeed }) => isFeed), alike.filter(({ isFeed }) => !isFeed)]
    return findPairs(feed, reported, SAME_REFUNDS, () => false)
      .filter(([ofFeed, ofPublisher]) => ofFeed.purchase !== ofPublisher.purchase)
      .map(([{ userId, externalId: feedRefund }, { externalId }]) => ({
        userId,
        reportedRefund: externalId,
        feedRefund,
      }))
  })
}

function toRefunds(
  { group: { root }, folded, match, events }: LoadedPurchase,
  firstReports: ReadonlyMap<TransactionId, TransactionId>,
  findCard: FindCard,
): Refund[] {
  const { userId, transactionId, source } = root
  const { isPurchase, currency, facts } = folded
  if (source !== 'CARD' || !isPurchase || match.brandUid === null || !events.some(isRefund)) return []
  return buildTree(events)
    .filter((node) => isRefund(node.event) && node.event.currency === currency && subtractReversals(node).amount > 0n)
    .map(({ event: { externalId, isFeed = false, amount, occurredAt } }) => ({
      userId,
      externalId,
      isFeed,
      at: occurredAt,
      rootId: externalId,
      isAlive: true,
      card: findCard(userId, facts.accountId ?? null),
      purchase: firstReports.get(transactionId) ?? transactionId,
      key: `${userId} ${match.brandUid} ${currency} ${amount}`,
    }))
}

function isRefund({ kind, source }: SourceEvent): boolean {
  return kind === 'REFUND' && source === 'CARD'
}

/** Returns the purchases with refunds that may be the same as refunds of these purchases. */
export async function findRefundedLike(
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
export async function readFormerRefundPairs(
  reader: Reader,
  publisher: Publisher,
  purchases: readonly LoadedPurchase[],
): Promise<RefundPair[]> {
  const refunds = purchases.flatMap(({ events }) => events.filter(isRefund))
  if (refunds.length === 0) return []
  const known = new Set(refunds.map(refundKey))
  const pairs = await listRefundPairs(reader, publisher.id, [...new Set(refunds.map(({ userId }) => userId))])
  return pairs.filter((pair) => toKeys(pair).some((key) => known.has(key)))
}

export async function storeRefundPairs(
  tx: Tx,
  publisher: Publisher,
  { former, found }: { readonly former: readonly RefundPair[]; readonly found: readonly RefundPair[] },
  now: Date,
): Promise<void> {
  const toKey = (pair: RefundPair): string => toKeys(pair).join(' ')
  const [before, after] = [new Set(former.map(toKey)), new Set(found.map(toKey))]
  const gone = former.filter((pair) => !after.has(toKey(pair)))
  await writeRefundPairs(tx, publisher.id, { gone, fresh: found.filter((pair) => !before.has(toKey(pair))) }, now)
}

/** Marks refunds that the publisher and the feed attach to different purchases. */
export function markRefundPairs<Event extends SourceEvent>(
  events: readonly Event[],
  pairs: readonly RefundPair[],
): readonly Event[] {
  if (pairs.length === 0) return events
  const paired = new Set(pairs.flatMap(toKeys))
  return events.map((event) =>
    isRefund(event) && paired.has(refundKey(event)) ? { ...event, isPairedRefund: true } : event,
  )
}

function toKeys({ userId, reportedRefund, feedRefund }: RefundPair): string[] {
  return [reportedRefund, feedRefund].map((externalId) => refundKey({ userId, externalId }))
}

function refundKey({ userId, externalId }: Pick<SourceEvent, 'userId' | 'externalId'>): string {
  return `${userId} ${externalId}`
}
