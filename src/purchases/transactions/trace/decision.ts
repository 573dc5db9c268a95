import { findBound, listHolds } from '../../../catalog/allowances/index.ts'
import { type Amounts, noAmounts, plus } from '../../../catalog/offers/index.ts'
import type { Reader } from '../../../platform/db/database.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import { listPurchaseEvents } from '../queries.ts'
import { listGroups, listTraces } from '../rewards/queries.ts'
import { findStatusReason, type Transaction } from '../rewards/transaction.ts'
import { listPairs } from '../same-purchase/pair-queries.ts'
import { listRefundPairs } from '../same-purchase/refund-pair-queries.ts'
import { markRefundPairs } from '../same-purchase/refund-pairs.ts'
import { foldWithOthers, groupReportsBySource } from '../same-purchase/shared-refunds.ts'
import { addOtherReports } from '../same-purchase/trace.ts'
import { asItStands, type Judgement, restoreJudgement } from './trace.ts'
import type { Explained } from './user-view.ts'

/**
 * Explains the reward of a transaction: the stored judgment, with the purchase's current arithmetic. An adjustment
 * shares the decision of the transaction it adjusts.
 */
export async function getDecision(
  reader: Reader,
  publisher: Publisher,
  shown: Transaction,
  now: Date,
): Promise<Explained> {
  const ids = [shown.adjusts ?? shown.transactionId]
  const [group, events, pairs, refundPairs] = await Promise.all([
    listGroups(reader, publisher.id, [shown.userId], ids),
    listPurchaseEvents(reader, publisher.id, [shown.userId], ids),
    listPairs(reader, publisher.id, [shown.userId], ids),
    listRefundPairs(reader, publisher.id, [shown.userId]),
  ])
  const root = group.find(({ adjusts }) => adjusts === null) ?? shown
  const partners = pairs.sameSource.flatMap((row) => row.ids)
  const { crossSource, sameSource } =
    partners.length === 0 ? pairs : await listPairs(reader, publisher.id, [shown.userId], [...ids, ...partners])
  const reportIds = groupReportsBySource(sameSource).get(root.transactionId) ?? []
  const [traces, holds, reported] = await Promise.all([
    listTraces(reader, publisher.id, root),
    listHolds(reader, publisher.id, [root], []),
    reportIds.length === 0 ? [] : listPurchaseEvents(reader, publisher.id, [shown.userId], reportIds),
  ])
  const byReport = Map.groupBy(markRefundPairs(reported, refundPairs), (event) => event.transactionId)
  const own = byReport.get(root.transactionId) ?? markRefundPairs(events, refundPairs)
  const reports = reportIds.map((id) => byReport.get(id) ?? [])
  const judgement = judgementFor(root, traces.map(restoreJudgement))
  const paid = group.reduce<Amounts>((sum, { amounts }) => plus(sum, amounts), noAmounts)
  const standing = {
    terms: root.terms,
    goods: events.length === 0 ? null : foldWithOthers(own, reports, publisher.timeZone, now),
    bound: findBound(holds),
    paid,
    currency: shown.currency,
    reason: shown.statusReason ?? findStatusReason(group),
  }
  const complete = addOtherReports(asItStands(judgement, standing), { ...pairs, crossSource }, root.transactionId)
  return { trace: complete, paid, currency: shown.currency }
}

/**
 * Returns the latest judgment for the current offer and brand, because later ones may have been undone. Falls back to
 * the latest for the offer, then for the brand, then overall.
 */
function judgementFor({ offerUid, brandUid }: Transaction, newestFirst: readonly Judgement[]): Judgement {
  const fits = ({ chosen, matching }: Judgement): number =>
    (chosen === offerUid ? 2 : 0) + (matching.brand_uid === brandUid ? 1 : 0)
  const [best = restoreJudgement({})] = newestFirst.toSorted((a, b) => fits(b) - fits(a))
  return best
}
