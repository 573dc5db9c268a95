import { DAY_MS, toDay } from '../../../platform/calendar.ts'
import type { Reader } from '../../../platform/db/database.ts'
import type { TransactionId } from '../../../platform/ids.ts'
import type { FindCard } from '../../../sources/cards/index.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import type { LoadedPurchase } from '../load/load.ts'
import { CARD_AFTER_SALE_MS, CARD_BEFORE_SALE_MS, normalizeOrderId, SAME_ORDER_MS } from './card-and-sale.ts'
import { findPartialClearings, ROW_AFTER_MS, SAME_DAY_MS } from './card-purchases.ts'
import {
  type CrossSourcePair,
  listOtherReports,
  listPairs,
  type PairRows,
  type ReportSearch,
  type SameSourcePair,
} from './pair-queries.ts'
import type { Report, ReportSource } from './reports.ts'
import { canBeOne, findSamePurchases, isCard, isStanding, type SamePurchase } from './same-purchases.ts'
import { getIds, pairKey } from './stored-pairs.ts'

/** A search for purchases that were reported more than once. */
export type SamePurchases = ReturnType<typeof openSamePurchases>

/**
 * Collects all reports that compete for partners, however many there are. The loaded reports, and therefore the pairs,
 * do not depend on which report changed.
 */
export function openSamePurchases(
  reader: Reader,
  publisher: Publisher,
  findCard: FindCard,
  load: (ids: readonly TransactionId[]) => Promise<LoadedPurchase[]>,
) {
  const toReport = (purchase: LoadedPurchase): Report | null => reportedBy(publisher, findCard, purchase)
  const reports = new Map<TransactionId, Report>()
  const former = new Map<string, CrossSourcePair | SameSourcePair>()
  const known = new Set<TransactionId>()
  const loaded = new Map<TransactionId, LoadedPurchase>()
  const loadMissing = async (ids: readonly TransactionId[]): Promise<void> => {
    const missing = ids.filter((id) => !known.has(id) && !loaded.has(id))
    for (const one of await load(missing)) loaded.set(toId(one), one)
  }
  const reportNamed = (id: TransactionId): Report | null => {
    const one = loaded.get(id)
    return reports.get(id) ?? (one === undefined ? null : toReport(one))
  }
  const isKept = (row: CrossSourcePair | SameSourcePair): boolean => {
    const [one, other] = getIds(row).map(reportNamed)
    return one != null && other != null && isStanding(one, other)
  }
  /** Returns purchases that may be the same as any of these, and their stored partners. */
  const nextTo = async (purchases: readonly LoadedPurchase[]): Promise<LoadedPurchase[]> => {
    const fresh = purchases.flatMap((purchase) => toReport(purchase) ?? [])
    for (const report of fresh) reports.set(report.transactionId, report)
    for (const purchase of purchases) known.add(toId(purchase))
    const { crossSource, sameSource } = await formerPairs(reader, publisher, purchases)
    for (const row of [...crossSource, ...sameSource]) former.set(pairKey(getIds(row)), row)
    const partners = new Set([...crossSource, ...sameSource].flatMap(getIds))
    await loadMissing([...partners])
    // A matured report keeps its partner if the pair is still valid, and competes for no other of that kind unless the
    // feed may show further partial clearings. The chain therefore ends there, so its length depends on pending rewards
    // and not on the customer's entire history.
    const openAmong = (rows: readonly (CrossSourcePair | SameSourcePair)[]): Report[] => {
      const kept = new Set(rows.filter(isKept).flatMap(getIds))
      return fresh.filter((one) => !one.hasMatured || !kept.has(one.transactionId) || one.partialClearings.length > 0)
    }
    const [openAcross, openWithin] = [openAmong(crossSource), openAmong(sameSource)]
    const searches = [...openAcross.flatMap(searchesAcross), ...openWithin.flatMap(searchesWithin)]
    const near = await reportsNear(reader, publisher, searches, fresh)
    const found = [...partners.union(new Set(near))].filter((id) => !known.has(id))
    await loadMissing(found)
    const isNear = nearTo(openAcross, openWithin)
    return found.flatMap((id) => loaded.get(id) ?? []).filter((one) => partners.has(toId(one)) || isNear(toReport(one)))
  }
  return {
    /**
     * Loads the other reports of these purchases, then the candidates for those reports, and so on. For users without
     * sales at their brands and without linked cards, these lookups return nothing.
     */
    loadOthers: async (purchases: readonly LoadedPurchase[]): Promise<LoadedPurchase[]> => {
      const others: LoadedPurchase[] = []
      for (let fresh = purchases; fresh.length > 0; others.push(...fresh)) fresh = await nextTo(fresh)
      return others
    },
    /** Returns the stored pairs of all purchases passed in or loaded so far. */
    former: (): PairRows => ({
      crossSource: [...former.values()].filter((row) => 'cardId' in row),
      sameSource: [...former.values()].filter((row) => 'ids' in row),
    }),
    found: (): SamePurchase[] => {
      const isStored = (a: Report, b: Report): boolean => former.has(pairKey([a.transactionId, b.transactionId]))
      const byCustomer = Map.groupBy(reports.values(), ({ userId, brandUid }) => `${userId} ${brandUid}`)
      return [...byCustomer.values()].filter(isTwoSided).flatMap((some) => findSamePurchases(some, isStored))
    },
  }
}

function toId({ group }: LoadedPurchase): TransactionId {
  return group.root.transactionId
}

function isTwoSided(reports: readonly Report[]): boolean {
  const [first] = reports
  return reports.some(({ source, isByPublisher }) => source !== first?.source || isByPublisher !== first.isByPublisher)
}

async function formerPairs(reader: Reader, publisher: Publisher, fresh: readonly LoadedPurchase[]): Promise<PairRows> {
  const stored = fresh.filter(({ group: { root, isNew } }) => !isNew && isReportSource(root.source))
  if (stored.length === 0) return { crossSource: [], sameSource: [] }
  const userIds = [...new Set(stored.map(({ group }) => group.root.userId))]
  return listPairs(reader, publisher.id, userIds, stored.map(toId))
}

/**
 * Returns a predicate for reports that may be of the same purchase as any of these.
 *
 * @param openAcross reports that may get a partner from the other source
 * @param openWithin reports that may get a partner from their own source
 */
function nearTo(openAcross: readonly Report[], openWithin: readonly Report[]): (report: Report | null) => boolean {
  const cards = openAcross.filter(isCard)
  const ofSales = openAcross.filter((report) => !isCard(report)).map(canBeOne)
  return (report) => {
    if (report === null) return false
    const matches = canBeOne(report)
    const isOfOther = isCard(report) ? ofSales.some((one) => one(report)) : cards.some(matches)
    return isOfOther || openWithin.some((one) => one.source === report.source && matches(one))
  }
}

function isReportSource(source: string): source is ReportSource {
  return source === 'CARD' || source === 'AFFILIATE'
}

/**
 * Builds the report of a purchase; null if it is not a purchase, was declined, has an unknown brand, or comes from a
 * source that never reports twice.
 */
function reportedBy(
  { timeZone }: Publisher,
  findCard: FindCard,
  { group, folded, events, rootId, isByPublisher, match: { brandUid } }: LoadedPurchase,
): Report | null {
  const { root, adjustments } = group
  const { userId, transactionId, source } = root
  if (!isReportSource(source) || !folded.isPurchase || folded.emptyReason === 'declined') return null
  if (brandUid === null) return null
  const earned = [root, ...adjustments].filter(({ status }) => status === 'EARNED')
  const report: Report = {
    userId,
    transactionId,
    source,
    isByPublisher,
    rootId,
    brandUid,
    currency: folded.currency,
    at: folded.authorizedAt,
    day: toDay(folded.authorizedAt, timeZone),
    dateOnly: folded.dateOnly,
    isPosted: folded.facts.isPosted === true,
    until: folded.authorizedAt,
    card: findCard(userId, folded.facts.accountId ?? null),
    orderId: folded.facts.orderId ?? null,
    amount: folded.amount,
    totals: folded.totals,
    partialClearings: [],
    isAlive: folded.emptyReason === null,
    hasMatured: earned.reduce((sum, { amounts }) => sum + amounts.gross, 0n) > 0n,
  }
  return { ...report, partialClearings: findPartialClearings(report, events) }
}

/** Searches for the publisher's reports of a purchase from a feed or network, or vice versa. */
function searchesWithin({ userId, brandUid, source, isByPublisher, at, orderId }: Report): ReportSearch[] {
  const isOrder = source === 'AFFILIATE'
  if (isOrder && normalizeOrderId(orderId) === '') return []
  const days = isByPublisher ? [SAME_DAY_MS, ROW_AFTER_MS] : [ROW_AFTER_MS, SAME_DAY_MS]
  const [before = 0, after = 0] = isOrder ? [SAME_ORDER_MS, SAME_ORDER_MS] : days
  const [fromAt, untilAt] = [new Date(at.getTime() - before), new Date(at.getTime() + after)]
  return [{ userId, brandUid, wanted: source, isByPublisher: !isByPublisher, isOrder, fromAt, untilAt }]
}

/**
 * Searches one day beyond the rule on either side, because a purchase without a time may have been made at any time of
 * its day.
 */
function searchesAcross({ userId, brandUid, source, at, orderId }: Report): ReportSearch[] {
  const isCard = source === 'CARD'
  const [before, after] = isCard ? [CARD_AFTER_SALE_MS, CARD_BEFORE_SALE_MS] : [CARD_BEFORE_SALE_MS, CARD_AFTER_SALE_MS]
  const search = (isOrder: boolean, beforeMs: number, afterMs: number): ReportSearch => ({
    userId,
    brandUid,
    isOrder,
    wanted: isCard ? 'AFFILIATE' : 'CARD',
    isByPublisher: null,
    fromAt: new Date(at.getTime() - beforeMs),
    untilAt: new Date(at.getTime() + afterMs),
  })
  return [
    search(false, before + DAY_MS, after + DAY_MS),
    ...(orderId === null ? [] : [search(true, SAME_ORDER_MS, SAME_ORDER_MS)]),
  ]
}

/**
 * Finds candidate reports. Returns an order only if one of these reports has its number, because a user may have many
 * orders.
 */
async function reportsNear(
  reader: Reader,
  publisher: Publisher,
  searches: readonly ReportSearch[],
  reports: readonly Report[],
): Promise<TransactionId[]> {
  const numbers = new Set(reports.map(({ orderId }) => normalizeOrderId(orderId)))
  const found = await listOtherReports(reader, publisher.id, joined(searches))
  return found
    .filter(({ isOrder, orderId }) => !isOrder || numbers.has(normalizeOrderId(orderId)))
    .map(({ transactionId }) => transactionId)
}

/** Merges searches with overlapping times, so that many competing reports are looked up once. */
function joined(searches: readonly ReportSearch[]): ReportSearch[] {
  const toKey = ({ userId, brandUid, wanted, isByPublisher, isOrder }: ReportSearch): string =>
    `${userId} ${wanted} ${isByPublisher} ${isOrder} ${brandUid}`
  return [...Map.groupBy(searches, toKey).values()].flatMap((alike) => {
    const all: ReportSearch[] = []
    for (const next of alike.toSorted((a, b) => a.fromAt.getTime() - b.fromAt.getTime())) {
      const last = all.at(-1)
      if (last === undefined || next.fromAt > last.untilAt) all.push(next)
      else if (next.untilAt > last.untilAt) all[all.length - 1] = { ...last, untilAt: next.untilAt }
    }
    return all
  })
}
