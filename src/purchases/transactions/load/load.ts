import type { Assortment } from '../../../catalog/catalog/index.ts'
import { type BrandMatch, type MatchMethod, noMatch } from '../../../catalog/merchants/index.ts'
import { type Bound, noAmounts, type Terms } from '../../../catalog/offers/index.ts'
import { toDay } from '../../../platform/calendar.ts'
import type { Reader } from '../../../platform/db/database.ts'
import type { TransactionId } from '../../../platform/ids.ts'
import { mapYielding, runInSlices } from '../../../platform/slices.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import { isByPublisher, type SourceEvent } from '../event.ts'
import { type Folded, foldEvents } from '../fold/fold.ts'
import { listPurchaseEvents } from '../queries.ts'
import { listGroups } from '../rewards/queries.ts'
import type { Group } from '../rewards/settle.ts'
import type { StatusReason } from '../rewards/statuses.ts'
import type { Transaction } from '../rewards/transaction.ts'
import { matchPurchase, preferPostedFacts } from './match.ts'

/** A purchase with its folded events, before it is decided. */
export type LoadedPurchase = {
  readonly group: Group
  readonly folded: Folded
  readonly events: readonly SourceEvent[]
  /** False if any of its events came from the feed of a linked card or is a network's report for a click. */
  readonly isByPublisher: boolean
  /** The lowest id of its first events, regardless of arrival order. */
  readonly rootId: string
  /** Its brand match, which determines the offers it is judged against. */
  readonly match: BrandMatch
  /**
   * True if its terms cannot change: it has matured, was decided before versions were stored, its user was erased, or
   * it is not a purchase.
   */
  readonly isFixed: boolean
  /** The catalog version it is judged against; null if decided before versions were stored. */
  readonly judgedIn: number | null
  readonly redecided: Redecision | undefined
}

/** A re-match judges against the current catalog. An undo restores the former state. */
type Redecision = 'rematch' | Former
export type Former = Restored & {
  readonly brandUid: string | null
  readonly matchMethod: string
  readonly judgedIn: number | null
}
/** The former state of a purchase, which is the most that an undo can restore. */
export type Restored = {
  readonly terms: Terms | null
  readonly reason: StatusReason | null
  /** The commission in minor units, including adjustments. */
  readonly gross: bigint
  readonly bound: Bound | null
}

/** Maps the ids of purchases to their new events or to the way they are decided again. */
export type Touched = ReadonlyMap<TransactionId, readonly SourceEvent[] | Redecision>

/** Loads stored and new purchases with all their events. */
export async function loadPurchases(
  reader: Reader,
  publisher: Publisher,
  assortment: Assortment,
  userIds: readonly Transaction['userId'][],
  touched: Touched,
  now: Date,
): Promise<LoadedPurchase[]> {
  const ids = [...touched.keys()]
  if (ids.length === 0) return []
  const rows = await listGroups(reader, publisher.id, userIds, ids)
  const roots = new Map(rows.filter((row) => row.adjusts === null).map((row) => [row.transactionId, row]))
  const adjustments = Map.groupBy(
    rows.filter((row) => row.adjusts !== null),
    (row) => row.adjusts as TransactionId,
  )
  // If all purchases are new, the fresh events are their only ones.
  const stored = roots.size === 0 ? [] : await listPurchaseEvents(reader, publisher.id, userIds, ids)
  const events = Map.groupBy(stored, (event) => event.transactionId)
  const buildLoaded = (transactionId: TransactionId): LoadedPurchase[] => {
    const reason = touched.get(transactionId) ?? []
    const [fresh, redecided] = isEvents(reason) ? [reason, undefined] : [[], reason]
    const all = roots.size === 0 ? fresh : (events.get(transactionId) ?? [])
    const [first] = all
    const known = first === undefined ? null : preferPostedFacts(assortment, foldEvents(all, publisher.timeZone, now))
    const kept = roots.get(transactionId)
    const root = kept ?? (first && known && newTransaction(transactionId, first, known, now))
    // Created within this batch and then merged into another purchase.
    if (root == null) return []
    const folded = known ?? mergedAway(root)
    const loaded = { events: all, folded, isNew: kept === undefined, adjustments: adjustments.get(transactionId) ?? [] }
    return [preparePurchase(assortment, root, loaded, fresh.length > 0, redecided)]
  }
  return (await runInSlices(mapYielding(ids, buildLoaded))).flat()
}

function isEvents(reason: readonly SourceEvent[] | Redecision): reason is readonly SourceEvent[] {
  return Array.isArray(reason)
}

type KnownState = Pick<LoadedPurchase, 'folded' | 'events'> & Pick<Group, 'isNew' | 'adjustments'>

/** Chooses the brand and the catalog version that a purchase is judged against. */
function preparePurchase(
  assortment: Assortment,
  stored: Transaction,
  { events, folded, isNew, adjustments }: KnownState,
  hasNewEvents: boolean,
  redecided: Redecision | undefined,
): LoadedPurchase {
  const root = redecidedRoot(stored, redecided)
  const isFixed =
    !folded.isPurchase ||
    (stored.status === 'EARNED' && redecided !== 'rematch') ||
    (redecided !== 'rematch' && events.some(({ facts }) => facts.isErased === true)) ||
    (root.terms !== null && root.judgedIn === null)
  // A purchase without terms is judged against today's offers when a new event of it arrives.
  const isJudgedToday = isNew || redecided === 'rematch' || (root.terms === null && hasNewEvents)
  const isEarlier = folded.authorizedAt.getTime() < root.authorizedAt.getTime()
  const isMatchedToday = isJudgedToday || (isEarlier && stored.status !== 'EARNED')
  return {
    group: { root, isNew, adjustments, ...(redecided === undefined ? {} : { former: stored }) },
    folded,
    events,
    isByPublisher: events.every(isByPublisher),
    rootId: findRootId(events, stored),
    match:
      events.length === 0
        ? noMatch
        : isMatchedToday
          ? matchPurchase(assortment, folded)
          : keptMatch(assortment, root, folded),
    isFixed,
    judgedIn: isJudgedToday
      ? assortment.catalog.version
      : (root.judgedIn ?? (isFixed ? null : assortment.catalog.version)),
    redecided,
  }
}

function redecidedRoot(root: Transaction, redecided: Redecision | undefined): Transaction {
  if (redecided === undefined) return root
  if (redecided === 'rematch') return { ...root, terms: null, judgedIn: null }
  const { terms, brandUid, matchMethod, judgedIn } = redecided
  return { ...root, terms, brandUid, matchMethod, judgedIn }
}

/** Keeps the former brand, regardless of which brand the catalog now matches to the merchant. */
function keptMatch(assortment: Assortment, root: Transaction, folded: Folded): BrandMatch {
  const brandUid = root.terms?.brandUid ?? root.brandUid
  const match = matchPurchase(assortment, folded)
  return match.brandUid === brandUid ? match : { ...match, brandUid, method: root.matchMethod as MatchMethod }
}

function findRootId(events: readonly SourceEvent[], { externalId }: Transaction): string {
  const first = events.filter(({ originalExternalId }) => originalExternalId === null).map((event) => event.externalId)
  const named = events.map((event) => event.originalExternalId ?? event.externalId)
  return (first.length > 0 ? first : named).reduce((a, b) => (b < a ? b : a), first[0] ?? named[0] ?? externalId)
}

/** Returns the state of a transaction whose events have all moved to another purchase. Its reward is clawed back. */
function mergedAway(root: Transaction): Folded {
  return {
    amount: 0n,
    reported: 0n,
    refunded: 0n,
    items: [],
    authorizedAt: root.authorizedAt,
    clearedOn: root.clearedOn,
    clearsOn: root.clearedOn ?? toDay(root.authorizedAt, 'UTC'),
    lapsesAt: null,
    changedAt: root.updatedAt,
    emptyReason: 'merged',
    isPurchase: false,
    wasMade: false,
    dateOnly: false,
    isHistory: false,
    facts: {},
    firstFacts: null,
    postedFacts: null,
    currency: root.currency,
    totals: [],
    givenBack: { byPublisher: 0n, byOthers: 0n },
    lowered: { from: 0n, to: 0n },
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
    lapsesAt: null,
    earnedAt: null,
    adjusts: null,
    judgedIn: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}
