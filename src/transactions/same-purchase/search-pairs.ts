import { DAY_MS } from '../../platform/calendar.ts'
import type { Reader } from '../../platform/database.ts'
import type { TransactionId } from '../../platform/ids.ts'
import type { Publisher } from '../../publishers/index.ts'
import type { LoadedPurchase } from '../replay/load.ts'
import { listOtherReports, listPairs, type PairRow, type ReportSearch } from './pair-queries.ts'
import {
  CARD_AFTER_SALE_MS,
  CARD_BEFORE_SALE_MS,
  isStanding,
  matcherOf,
  type Pair,
  pairsOf,
  type Report,
  type ReportSource,
  SAME_ORDER_MS,
} from './pairs.ts'

/** The pairs of a card purchase and an affiliate sale that are one purchase, among the purchases of a scene. */
export type SamePurchases = ReturnType<typeof openSamePurchases>

/**
 * Collects all reports that compete for partners, however many. What is loaded, and so each pair, does not depend on
 * which of them has changed.
 */
export function openSamePurchases(
  reader: Reader,
  publisher: Publisher,
  load: (ids: readonly TransactionId[]) => Promise<LoadedPurchase[]>,
) {
  const reports = new Map<TransactionId, Report>()
  const former = new Map<TransactionId, PairRow>()
  const known = new Set<TransactionId>()
  const loaded = new Map<TransactionId, LoadedPurchase>()
  const loadMissing = async (ids: readonly TransactionId[]): Promise<void> => {
    const missing = ids.filter((id) => !known.has(id) && !loaded.has(id))
    for (const one of await load(missing)) loaded.set(idOf(one), one)
  }
  const reportNamed = (id: TransactionId): Report | null => {
    const one = loaded.get(id)
    return reports.get(id) ?? (one === undefined ? null : reportOf(one))
  }
  const isKept = ({ cardId, affiliateId }: PairRow): boolean => {
    const [card, affiliate] = [reportNamed(cardId), reportNamed(affiliateId)]
    return card !== null && affiliate !== null && isStanding({ card, affiliate })
  }
  /** Purchases that may be one purchase with any of these, and their stored partners. */
  const nextTo = async (purchases: readonly LoadedPurchase[]): Promise<LoadedPurchase[]> => {
    const fresh = purchases.flatMap((purchase) => reportOf(purchase) ?? [])
    for (const report of fresh) reports.set(report.transactionId, report)
    for (const purchase of purchases) known.add(idOf(purchase))
    const rows = await formerPairs(reader, publisher, purchases)
    for (const row of rows) former.set(row.cardId, row)
    const partners = new Set(rows.flatMap(pairedIds))
    await loadMissing([...partners])
    // A matured report keeps a partner that stands and competes for no other, so a chain ends there: it is as long as
    // rewards are pending, not as a customer's history.
    const kept = new Set(rows.filter(isKept).flatMap(pairedIds))
    const open = fresh.filter((one) => !(one.hasMatured && kept.has(one.transactionId)))
    const near = await listOtherReports(reader, publisher.id, joined(open.flatMap(searchesFor)))
    const found = [...partners.union(new Set(near))].filter((id) => !known.has(id))
    await loadMissing(found)
    const isNear = nearTo(open)
    return found.flatMap((id) => loaded.get(id) ?? []).filter((one) => partners.has(idOf(one)) || isNear(reportOf(one)))
  }
  return {
    /**
     * Loads the other reports of these purchases, further candidates for those, and so on. For users without sales at
     * their brands this is one statement without a result.
     */
    othersOf: async (purchases: readonly LoadedPurchase[]): Promise<LoadedPurchase[]> => {
      const others: LoadedPurchase[] = []
      for (let fresh = purchases; fresh.length > 0; others.push(...fresh)) fresh = await nextTo(fresh)
      return others
    },
    /** The stored pairs of all purchases given or loaded so far. */
    former: (): PairRow[] => [...former.values()],
    pairs: (): Pair[] => {
      const stored = new Set([...former.values()].map(pairKey))
      const isSettled = ({ card, affiliate }: Pair): boolean =>
        (card.hasMatured || affiliate.hasMatured) &&
        stored.has(pairKey({ cardId: card.transactionId, affiliateId: affiliate.transactionId }))
      const byCustomer = Map.groupBy(reports.values(), ({ userId, brandUid }) => `${userId} ${brandUid}`)
      return [...byCustomer.values()].filter(isTwoSided).flatMap((some) => pairsOf(some, isSettled))
    },
  }
}

function idOf({ group }: LoadedPurchase): TransactionId {
  return group.root.transactionId
}

function pairedIds({ cardId, affiliateId }: PairRow): TransactionId[] {
  return [cardId, affiliateId]
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
  if (!isReportSource(source) || !folded.isPurchase || folded.emptyReason === 'declined') return null
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
function searchesFor({ userId, brandUid, source, at, orderId }: Report): ReportSearch[] {
  const isCard = source === 'CARD'
  const [before, after] = isCard ? [CARD_AFTER_SALE_MS, CARD_BEFORE_SALE_MS] : [CARD_BEFORE_SALE_MS, CARD_AFTER_SALE_MS]
  const search = (isOrder: boolean, beforeMs: number, afterMs: number): ReportSearch => ({
    ...{ userId, brandUid, isOrder, wanted: isCard ? 'AFFILIATE' : 'CARD' },
    fromAt: new Date(at.getTime() - beforeMs),
    untilAt: new Date(at.getTime() + afterMs),
  })
  return [
    search(false, before + DAY_MS, after + DAY_MS),
    ...(orderId === null ? [] : [search(true, SAME_ORDER_MS, SAME_ORDER_MS)]),
  ]
}

/** Joins searches whose times overlap, so that many competing reports are looked up once. */
function joined(searches: readonly ReportSearch[]): ReportSearch[] {
  const keyOf = ({ userId, brandUid, wanted, isOrder }: ReportSearch): string =>
    `${userId} ${wanted} ${isOrder} ${brandUid}`
  return [...Map.groupBy(searches, keyOf).values()].flatMap((alike) => {
    const all: ReportSearch[] = []
    for (const next of alike.toSorted((a, b) => a.fromAt.getTime() - b.fromAt.getTime())) {
      const last = all.at(-1)
      if (last === undefined || next.fromAt > last.untilAt) all.push(next)
      else if (next.untilAt > last.untilAt) all[all.length - 1] = { ...last, untilAt: next.untilAt }
    }
    return all
  })
}
