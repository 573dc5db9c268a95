import type { Assortment } from '../catalog/index.ts'
import { type Amounts, type Bound, noAmounts } from '../offers/index.ts'
import type { Reader } from '../platform/database.ts'
import type { TransactionId, UserId } from '../platform/ids.ts'
import type { Publisher } from '../publishers/index.ts'
import { type Group, listGroups, type Ruling, type Transaction } from '../rewards/index.ts'
import type { SourceEvent } from './event.ts'
import { type Folded, foldEvents } from './fold.ts'
import { withKnownFacts } from './match.ts'
import { listEventsOf } from './queries.ts'

/** One purchase that is being worked on: its rows, and what all its events say. Nothing left of it after a merge: folded is null. */
export type Work = {
  readonly group: Group
  readonly folded: Folded | null
  readonly events: readonly SourceEvent[]
  readonly redecided?: Redecision | undefined
}

/** What a person has decided about a purchase: that it is decided anew, by the catalog as it is now, or outright. */
export type Redecision = 'anew' | Former
export type Former = {
  readonly ruling: Ruling
  readonly brandUid: string | null
  readonly matchMethod: string
  /** It gave way to another sight of the same purchase. */
  readonly wasStacked: boolean
  /** What it earned, with all that adjusts it. */
  readonly had: Amounts
  /** What kept it below its terms, or null. */
  readonly bound: Bound | null
}

/** These purchases as they are kept, and new ones, with what all their events say. */
export async function loadWorks(
  reader: Reader,
  { publisher, userIds }: { readonly publisher: Publisher; readonly userIds: readonly UserId[] },
  assortment: Assortment,
  touched: ReadonlyMap<TransactionId, readonly SourceEvent[]>,
  now: Date,
): Promise<Work[]> {
  const ids = [...touched.keys()]
  if (ids.length === 0) return []
  const rows = await listGroups(reader, publisher.id, userIds, ids)
  const roots = new Map(rows.filter((row) => row.adjusts === null).map((row) => [row.transactionId, row]))
  const adjustments = Map.groupBy(
    rows.filter((row) => row.adjusts !== null),
    (row) => row.adjusts as TransactionId,
  )
  // A purchase without a row yet has only its fresh events; the others' earlier ones are read back.
  const kept = roots.size === 0 ? [] : await listEventsOf(reader, publisher.id, userIds, ids)
  const events = Map.groupBy(kept, (event) => event.transactionId)
  return ids.flatMap((transactionId) => {
    const all = roots.size === 0 ? (touched.get(transactionId) ?? []) : (events.get(transactionId) ?? [])
    const folded = all.length === 0 ? null : withKnownFacts(assortment, foldEvents(all, publisher.timeZone, now))
    const kept = roots.get(transactionId)
    const fresh = touched.get(transactionId)?.[0]
    const root =
      kept ?? (fresh === undefined || folded === null ? null : newTransaction(transactionId, fresh, folded, now))
    // A purchase that was begun and merged away within this batch leaves nothing behind.
    if (root === null) return []
    const group = { root, isNew: kept === undefined, adjustments: adjustments.get(transactionId) ?? [] }
    return [{ group, folded, events: all }]
  })
}

/** Purchases of which nothing new is told. */
export function withoutEvents(purchases: ReadonlyMap<TransactionId, unknown>): Map<TransactionId, []> {
  return new Map([...purchases.keys()].map((transactionId) => [transactionId, []]))
}

/** All events of this transaction turned out to belong to another purchase: what it earned is taken back. */
export function mergedAway(root: Transaction): Folded {
  return {
    amount: 0n,
    refunded: 0n,
    items: [],
    authorizedAt: root.authorizedAt,
    clearedOn: root.clearedOn,
    changedAt: root.updatedAt,
    emptyReason: 'merged',
    isPurchase: false,
    wasMade: false,
    dateOnly: false,
    isHistory: false,
    facts: {},
    postedFacts: null,
    currency: root.currency,
    totals: [],
  }
}

function newTransaction(transactionId: TransactionId, event: SourceEvent, folded: Folded, now: Date): Transaction {
  return {
    userId: event.userId,
    transactionId,
    source: event.source,
    externalId: event.originalExternalId ?? event.externalId,
    brandUid: null,
    matchMethod: 'none',
    merchantName: null,
    merchantDescriptor: null,
    orderId: null,
    accountId: null,
    currency: folded.currency,
    amount: 0n,
    refunded: 0n,
    authorizedAt: folded.authorizedAt,
    clearedOn: null,
    status: 'CANCELLED',
    statusReason: null,
    offerUid: null,
    offerType: null,
    rewardType: null,
    terms: null,
    amounts: noAmounts,
    availableOn: null,
    maturesAt: null,
    earnedAt: null,
    adjusts: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}
