import type { Reader } from '../../platform/database.ts'
import type { TransactionId } from '../../platform/ids.ts'
import type { Publisher } from '../../publishers/index.ts'
import type { LoadedPurchase } from '../replay/load.ts'
import { listOtherReports, listPairs, type PairRow, type Search } from './pair-queries.ts'
import {
  CARD_AFTER_SALE_MS,
  CARD_BEFORE_SALE_MS,
  matcherOf,
  type Pair,
  pairsOf,
  type Report,
  type ReportSource,
  SAME_ORDER_MS,
} from './pairs.ts'

/** Pairs of a card purchase and an affiliate sale that are one purchase. */
export type SamePurchases = {
  /** Further purchases that must be decided together with the given ones. */
  readonly others: readonly LoadedPurchase[]
  readonly pairs: readonly Pair[]
  readonly former: readonly PairRow[]
}

// Each purchase of a customer may be the other report of the next one. Such a chain is followed this far, to bound the
// work. Stored pairs are always loaded whole, so none is split.
const CHAIN_MAX = 200
const DAY_MS = 86_400_000

/**
 * Finds the other reports of these purchases, other candidates for those, and so on. For users without sales at their
 * brands this is one statement without a result.
 */
export async function findSamePurchases(
  reader: Reader,
  publisher: Publisher,
  purchases: readonly LoadedPurchase[],
  load: (ids: readonly TransactionId[]) => Promise<LoadedPurchase[]>,
): Promise<SamePurchases> {
  const known = new Set(purchases.map(idOf))
  const chain = new Map<TransactionId, Report>()
  const former = new Map<TransactionId, PairRow>()
  const others: LoadedPurchase[] = []
  let fresh = purchases
  while (fresh.length > 0) {
    const reports = fresh.flatMap((purchase) => reportOf(purchase) ?? [])
    for (const report of reports) chain.set(report.transactionId, report)
    const rows = await formerPairs(reader, publisher, fresh)
    for (const row of rows) former.set(row.cardId, row)
    const partners = new Set(rows.flatMap(({ cardId, affiliateId }) => [cardId, affiliateId]))
    const lengths = Map.groupBy(chain.values(), customerOf)
    const searches = reports
      .filter((report) => fresh === purchases || (lengths.get(customerOf(report))?.length ?? 0) <= CHAIN_MAX)
      .map(searchFor)
    const near = await listOtherReports(reader, publisher.id, searches)
    const unknown = [...partners.union(new Set(near))].filter((id) => !known.has(id))
    const loaded = unknown.length === 0 ? [] : await load(unknown)
    const isNear = nearTo(reports)
    fresh = loaded.filter((one) => partners.has(idOf(one)) || isNear(reportOf(one)))
    for (const one of fresh) known.add(idOf(one))
    others.push(...fresh)
  }
  const paired = new Set([...former.values()].map(pairKey))
  const isSettled = ({ card, affiliate }: Pair): boolean =>
    (card.hasMatured || affiliate.hasMatured) &&
    paired.has(pairKey({ cardId: card.transactionId, affiliateId: affiliate.transactionId }))
  const byCustomer = Map.groupBy(chain.values(), customerOf)
  const pairs = [...byCustomer.values()].filter(isTwoSided).flatMap((reports) => pairsOf(reports, isSettled))
  return { others, pairs, former: [...former.values()] }
}

function idOf({ group }: LoadedPurchase): TransactionId {
  return group.root.transactionId
}

function customerOf({ userId, brandUid }: Report): string {
  return `${userId} ${brandUid}`
}

function isTwoSided(reports: readonly Report[]): boolean {
  return reports.some(({ source }) => source !== reports[0]?.source)
}

export function pairKey({ cardId, affiliateId }: Pick<PairRow, 'cardId' | 'affiliateId'>): string {
  return `${cardId} ${affiliateId}`
}

async function formerPairs(reader: Reader, publisher: Publisher, fresh: readonly LoadedPurchase[]): Promise<PairRow[]> {
  const stored = fresh.filter(({ group: { root, isNew } }) => !isNew && isReportSource(root.source))
  if (stored.length === 0) return []
  const userIds = [...new Set(stored.map(({ group }) => group.root.userId))]
  return listPairs(reader, publisher.id, userIds, stored.map(idOf))
}

/** Tells whether a report can be one purchase with any of these. */
function nearTo(reports: readonly Report[]): (report: Report | null) => boolean {
  const cards = reports.filter(({ source }) => source === 'CARD')
  const matchers = reports.filter(({ source }) => source === 'AFFILIATE').map(matcherOf)
  return (report) => {
    if (report === null) return false
    return report.source === 'CARD' ? matchers.some((matches) => matches(report)) : cards.some(matcherOf(report))
  }
}

function isReportSource(source: string): source is ReportSource {
  return source === 'CARD' || source === 'AFFILIATE'
}

/** Null: its source has no other reports, or it was declined and is no purchase. */
function reportOf({ group, folded, rootId, match: { brandUid } }: LoadedPurchase): Report | null {
  const { root, adjustments } = group
  const { userId, transactionId, source } = root
  if (!isReportSource(source) || folded === null || !folded.isPurchase || folded.emptyReason === 'declined') return null
  if (brandUid === null) return null
  const earned = [root, ...adjustments].filter(({ status }) => status === 'EARNED')
  return {
    ...{ userId, transactionId, source, rootId, brandUid },
    currency: folded.currency,
    at: folded.authorizedAt,
    dateOnly: folded.dateOnly,
    orderId: folded.facts.orderId ?? null,
    totals: folded.totals,
    isAlive: folded.emptyReason === null,
    hasMatured: earned.reduce((sum, { amounts }) => sum + amounts.gross, 0n) > 0n,
  }
}

/** A day more than the rule on either side, because a purchase with only a day is somewhere within that day. */
function searchFor({ userId, brandUid, source, at, orderId }: Report): Search {
  const [before, after] =
    source === 'CARD' ? [CARD_AFTER_SALE_MS, CARD_BEFORE_SALE_MS] : [CARD_BEFORE_SALE_MS, CARD_AFTER_SALE_MS]
  const fromAt = new Date(at.getTime() - before - DAY_MS)
  const untilAt = new Date(at.getTime() + after + DAY_MS)
  return {
    ...{ userId, brandUid, fromAt, untilAt },
    wanted: source === 'CARD' ? 'AFFILIATE' : 'CARD',
    ordersFrom: orderId === null ? fromAt : new Date(at.getTime() - SAME_ORDER_MS),
    ordersUntil: orderId === null ? untilAt : new Date(at.getTime() + SAME_ORDER_MS),
  }
}
