import type { Assortment } from '../../catalog/index.ts'
import type { BrandMatch, MatchMethod } from '../../merchants/index.ts'
import { type Bound, noAmounts, type Terms } from '../../offers/index.ts'
import { dayOf } from '../../platform/calendar.ts'
import type { Reader } from '../../platform/database.ts'
import type { TransactionId } from '../../platform/ids.ts'
import type { Publisher } from '../../publishers/index.ts'
import { type Group, listGroups, type StatusReason, type Transaction } from '../../rewards/index.ts'
import { type Folded, foldEvents } from '../fold/fold.ts'
import type { SourceEvent } from '../intake/event.ts'
import { matchOf, unmatched, withKnownFacts } from '../intake/match.ts'
import { listEventsOf } from '../queries.ts'

/** One purchase with all that its events say, before anything is decided about it. */
export type LoadedPurchase = {
  /** `former` where an operator changes what was decided: the transaction as it was. */
  readonly group: Group
  /** Null: all its events turned out to belong to another purchase. */
  readonly folded: Folded | null
  /** The least of the ids that its events begin with: the same in whatever order they came. */
  readonly rootId: string
  /** The brand it is judged as, with what matching found. */
  readonly match: BrandMatch
  /** Its terms stay, whatever else becomes known: it has matured, or was decided before versions were kept. */
  readonly isFixed: boolean
  /** The version of the catalog by which it is judged. */
  readonly judgedIn: number | null
  readonly redecided: Redecision | undefined
}

/** What an operator has decided about a purchase: to judge it by the catalog as it is now, or to restore what it was. */
export type Redecision = 'anew' | Former
export type Former = Restored & {
  readonly brandUid: string | null
  readonly matchMethod: string
  readonly judgedIn: number | null
}
/** What a purchase had, which is the most that an undo gives it. */
export type Restored = {
  readonly terms: Terms | null
  readonly reason: StatusReason | null
  /** Commission in minor units, with all that adjusts it. */
  readonly gross: bigint
  /** What kept it below its terms, or null. */
  readonly bound: Bound | null
}

export type Redecisions = ReadonlyMap<TransactionId, Redecision>
/** Purchases by id, each with the events that are new. */
export type Touched = ReadonlyMap<TransactionId, readonly SourceEvent[]>

/** These purchases as they are stored, and new ones, with what all their events say. */
export async function loadPurchases(
  reader: Reader,
  publisher: Publisher,
  assortment: Assortment,
  userIds: readonly Transaction['userId'][],
  touched: Touched,
  now: Date,
  redecisions: Redecisions = new Map(),
): Promise<LoadedPurchase[]> {
  const ids = [...touched.keys()]
  if (ids.length === 0) return []
  const rows = await listGroups(reader, publisher.id, userIds, ids)
  const roots = new Map(rows.filter((row) => row.adjusts === null).map((row) => [row.transactionId, row]))
  const adjustments = Map.groupBy(
    rows.filter((row) => row.adjusts !== null),
    (row) => row.adjusts as TransactionId,
  )
  // A new purchase has only its fresh events; of the others the earlier ones are read.
  const stored = roots.size === 0 ? [] : await listEventsOf(reader, publisher.id, userIds, ids)
  const events = Map.groupBy(stored, (event) => event.transactionId)
  return ids.flatMap((transactionId) => {
    const fresh = touched.get(transactionId) ?? []
    const all = roots.size === 0 ? fresh : (events.get(transactionId) ?? [])
    const folded = all.length === 0 ? null : withKnownFacts(assortment, foldEvents(all, publisher.timeZone, now))
    const kept = roots.get(transactionId)
    const root = kept ?? newTransaction(transactionId, all, folded, now)
    // A purchase that was begun and merged away within this batch leaves nothing behind.
    if (root === null) return []
    const loaded = { events: all, folded, isNew: kept === undefined, adjustments: adjustments.get(transactionId) ?? [] }
    return [preparedFor(assortment, root, loaded, fresh.length > 0, redecisions.get(transactionId))]
  })
}

type Loaded = Pick<LoadedPurchase, 'folded'> &
  Pick<Group, 'isNew' | 'adjustments'> & { readonly events: readonly SourceEvent[] }

/** Which brand and which version of the catalog a purchase is judged by. */
function preparedFor(
  assortment: Assortment,
  stored: Transaction,
  { events, folded, isNew, adjustments }: Loaded,
  isTold: boolean,
  redecided: Redecision | undefined,
): LoadedPurchase {
  const root = redecidedRoot(stored, redecided)
  const isFixed =
    folded === null ||
    !folded.isPurchase ||
    (stored.status === 'EARNED' && redecided !== 'anew') ||
    (root.terms !== null && root.judgedIn === null)
  // What was refused is judged by the offers of today as soon as one of its own events comes.
  const isJudgedToday = isNew || redecided === 'anew' || (root.terms === null && isTold)
  const isEarlier = folded !== null && folded.authorizedAt.getTime() < root.authorizedAt.getTime()
  const isMatchedToday = isJudgedToday || (isEarlier && stored.status !== 'EARNED')
  return {
    group: { root, isNew, adjustments, ...(redecided === undefined ? {} : { former: stored }) },
    folded,
    rootId: rootIdOf(events, stored),
    match:
      folded === null
        ? unmatched
        : isMatchedToday
          ? matchOf(assortment, folded.facts)
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
  if (redecided === 'anew') return { ...root, terms: null, judgedIn: null }
  const { terms, brandUid, matchMethod, judgedIn } = redecided
  return { ...root, terms, brandUid, matchMethod, judgedIn }
}

/** The match that was found before, which stays whatever the catalog says of the merchant since. */
function keptMatch(assortment: Assortment, root: Transaction, folded: Folded): BrandMatch {
  const brandUid = root.terms?.brandUid ?? root.brandUid
  const match = matchOf(assortment, folded.facts)
  return match.brandUid === brandUid ? match : { ...match, brandUid, method: root.matchMethod as MatchMethod }
}

function rootIdOf(events: readonly SourceEvent[], { externalId }: Transaction): string {
  const first = events.filter(({ originalExternalId }) => originalExternalId === null).map((event) => event.externalId)
  const named = events.map((event) => event.originalExternalId ?? event.externalId)
  return (first.length > 0 ? first : named).reduce((a, b) => (b < a ? b : a), first[0] ?? named[0] ?? externalId)
}

/** The state of a transaction whose events all turned out to belong to another purchase: what it earned is taken back. */
export function mergedAway(root: Transaction): Folded {
  return {
    amount: 0n,
    refunded: 0n,
    items: [],
    authorizedAt: root.authorizedAt,
    clearedOn: root.clearedOn,
    clearsOn: root.clearedOn ?? dayOf(root.authorizedAt, 'UTC'),
    lapsesAt: null,
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

function newTransaction(
  transactionId: TransactionId,
  events: readonly SourceEvent[],
  folded: Folded | null,
  now: Date,
): Transaction | null {
  const [event] = events
  if (event === undefined || folded === null) return null
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
