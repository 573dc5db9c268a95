import type { Assortment } from '../../../catalog/catalog/index.ts'
import { deriveTemplate } from '../../../catalog/merchants/index.ts'
import { addDays, DAY_MS, startOfDay, toDay } from '../../../platform/calendar.ts'
import { awaitAll, type Tx } from '../../../platform/db/database.ts'
import type { TransactionId, UserId } from '../../../platform/ids.ts'
import { mapYielding, runInSlices } from '../../../platform/slices.ts'
import { indexCardsByAccount, listCardSpans } from '../../../sources/cards/index.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import type { SourceEvent } from '../event.ts'
import { findMerchantBrand } from '../load/match.ts'
import { listPurchaseEvents } from '../queries.ts'
import { listOpenRefunds, listRefundable, type PurchaseRow } from './refund-queries.ts'
import {
  findRefundedPurchase,
  namesNoPurchase,
  type RefundablePurchase,
  type UnreferencedRefund,
} from './refund-rules.ts'

// Older purchases are not considered for a refund.
const REFUNDED_WITHIN_MS = 400 * DAY_MS

type FoundRefunds = {
  /** Maps new refunds to their purchases. */
  readonly joined: ReadonlyMap<SourceEvent, TransactionId>
  /** Unmatched refunds for which a purchase has now been found. */
  readonly adopted: readonly { readonly userId: UserId; readonly from: TransactionId; readonly into: TransactionId }[]
}

/**
 * Finds the purchases of unreferenced refunds, both new and still unmatched. For users without such refunds, this costs
 * a single query that returns no rows.
 */
export async function findRefunded(
  tx: Tx,
  publisher: Publisher,
  assortment: Assortment,
  userIds: readonly UserId[],
  fresh: readonly SourceEvent[],
): Promise<FoundRefunds> {
  const open = await waitingRefunds(tx, publisher, userIds)
  const refunds = [...open, ...fresh.map((event) => ({ event, waitsAs: null }))].toSorted(asTheyHappened)
  if (refunds.length === 0) return { joined: new Map(), adopted: [] }
  // Each user's purchases are read from long enough before their first refund.
  const since = [...Map.groupBy(refunds, ({ event }) => event.userId)].map(([userId, [first]]) => ({
    userId,
    since: new Date((first?.event.occurredAt.getTime() ?? 0) - REFUNDED_WITHIN_MS),
  }))
  const users = since.map(({ userId }) => userId)
  const [refundable, spans] = await awaitAll([
    listRefundable(tx, publisher.id, since),
    listCardSpans(tx, publisher.id, users),
  ])
  const findCard = indexCardsByAccount(spans)
  // An account might have had other ids before.
  const byCard = <T extends UnreferencedRefund>(one: T): T => ({
    ...one,
    accountId: findCard(one.userId, one.accountId),
  })
  const ids = new Set(refundable.map(({ transactionId }) => transactionId))
  // A purchase reported by both publisher and feed is considered only once, as the publisher's report.
  const rows = refundable.filter(({ reportedAs }) => reportedAs === null || !ids.has(reportedAs))
  const candidates = await runInSlices(mapYielding(rows, (row) => byCard(toPurchase(assortment, row))))
  const purchases = Map.groupBy(candidates, ({ userId }) => userId)
  const joined = new Map<SourceEvent, TransactionId>()
  const adopted: FoundRefunds['adopted'][number][] = []
  for (const { event, waitsAs } of refunds) {
    const refund = byCard(toRefund(publisher, assortment, event))
    const purchase = findRefundedPurchase(refund, purchases.get(event.userId) ?? [])
    if (purchase === null) continue
    purchase.left -= event.amount
    const into = purchase.transactionId
    if (waitsAs === null) joined.set(event, into)
    else adopted.push({ userId: event.userId, from: waitsAs, into })
  }
  return { joined, adopted }
}

type Refund = {
  readonly event: SourceEvent
  /** Its own transaction, if it was recorded without a purchase; null for a new refund. */
  readonly waitsAs: TransactionId | null
}

async function waitingRefunds(tx: Tx, publisher: Publisher, userIds: readonly UserId[]): Promise<Refund[]> {
  const open = await listOpenRefunds(tx, publisher.id, userIds)
  if (open.length === 0) return []
  const ids = open.map(({ transactionId }) => transactionId)
  const events = await listPurchaseEvents(tx, publisher.id, userIds, ids)
  return events.filter(namesNoPurchase).map((event) => ({ event, waitsAs: event.transactionId }))
}

function asTheyHappened({ event: a }: Refund, { event: b }: Refund): number {
  return a.occurredAt.getTime() - b.occurredAt.getTime() || (a.externalId < b.externalId ? -1 : 1)
}

function toRefund({ timeZone }: Publisher, assortment: Assortment, event: SourceEvent): UnreferencedRefund {
  const { userId, source, currency, amount, occurredAt, dateOnly, facts } = event
  const nextDay = startOfDay(addDays(toDay(occurredAt, timeZone), 1), timeZone)
  return {
    userId,
    source,
    currency,
    amount,
    accountId: facts.accountId ?? null,
    orderId: facts.orderId ?? null,
    at: dateOnly ? new Date(nextDay.getTime() - 1) : occurredAt,
    merchant: {
      brandUid: findMerchantBrand(assortment, facts),
      names: extractWords(facts.merchantDescriptor, facts.merchantName),
    },
  }
}

function toPurchase(assortment: Assortment, row: PurchaseRow): RefundablePurchase {
  const { merchantDescriptor, merchantName, authorizedAt, brandUid, reportedAs: _, ...rest } = row
  const [descriptor, name] = [merchantDescriptor ?? undefined, merchantName ?? undefined]
  const known = {
    ...(descriptor === undefined ? {} : { merchantDescriptor: descriptor }),
    ...(name === undefined ? {} : { merchantName: name }),
  }
  return {
    ...rest,
    at: authorizedAt,
    merchant: { brandUid: brandUid ?? findMerchantBrand(assortment, known), names: extractWords(descriptor, name) },
  }
}

/** Returns the words of a merchant's names, without digits, store numbers or places. */
function extractWords(merchantDescriptor: string | undefined, merchantName: string | undefined): string[] {
  const texts = [merchantDescriptor, merchantName].filter((text) => text !== undefined)
  return [...new Set(texts.flatMap((text) => deriveTemplate({ merchantDescriptor: text }) ?? []))]
}
