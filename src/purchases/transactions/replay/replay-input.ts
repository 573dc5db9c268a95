import {
  type AllowanceState,
  type BudgetKey,
  findBound,
  listActivations,
  listBudgets,
  listCodes,
  listHolds,
  nameBudget,
  type OfferBudget,
  toBudgets,
} from '../../../catalog/allowances/index.ts'
import type { Assortment, CatalogStore, Offer } from '../../../catalog/catalog/index.ts'
import { isLimited, type Terms } from '../../../catalog/offers/index.ts'
import { awaitAll, type Reader } from '../../../platform/db/database.ts'
import type { TransactionId, UserId } from '../../../platform/ids.ts'
import { type CardSpan, type FindCard, indexCardsByAccount, listCardSpans } from '../../../sources/cards/index.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import { readStatuses } from '../../../users/users/index.ts'
import type { PurchaseFacts } from '../event.ts'
import {
  collectSpans,
  dependsOnOthers,
  openHistory,
  type PurchaseHistory,
  termsDependOnOthers,
  toSpanKey,
} from '../load/history.ts'
import { type LoadedPurchase, loadPurchases, type Restored, type Touched } from '../load/load.ts'
import { listNeighbours, type Neighbour } from '../queries.ts'
import { findStatusReason } from '../rewards/transaction.ts'
import type { PairRows } from '../same-purchase/pair-queries.ts'
import { type DecidedReports, decideReports } from '../same-purchase/policy.ts'
import type { RefundPair } from '../same-purchase/refund-pair-queries.ts'
import { findRefundedLike, findRefundPairs, readFormerRefundPairs } from '../same-purchase/refund-pairs.ts'
import { getPurchaseTime, getReports } from '../same-purchase/same-purchases.ts'
import { openSamePurchases, type SamePurchases } from '../same-purchase/search-pairs.ts'
import { moveRefunds, shareRefunds } from '../same-purchase/shared-refunds.ts'

export type SettlementCatalog = Pick<CatalogStore, 'getAssortment' | 'readFormerOffers'>

/**
 * All inputs of a replay. Loaded in rounds with a fixed number of statements each, regardless of the number of
 * purchases. Another round follows only if the previous one found more purchases.
 */
export type ReplayInput = {
  readonly publisher: Publisher
  readonly assortment: Assortment
  readonly now: Date
  /** The purchases to decide, and all purchases that depend on them. */
  readonly purchases: readonly LoadedPurchase[]
  readonly history: PurchaseHistory
  /** Purchases that were reported more than once. */
  readonly same: readonly DecidedReports[]
  readonly formerPairs: PairRows
  /** The refunds that the publisher and the feed attach to different purchases, both as stored and as found now. */
  readonly refundPairs: { readonly former: readonly RefundPair[]; readonly found: readonly RefundPair[] }
  readonly statuses: Awaited<ReturnType<typeof readStatuses>>
  readonly cards: ReadonlyMap<UserId, readonly CardSpan[]>
  /**
   * In an undo, the state that caps each purchase's reward: the former state, or the current one if the purchase is not
   * undone. Null if nothing is being undone.
   */
  findRestored(purchase: LoadedPurchase): Restored | null
  /** The offers that may reward a purchase, as they were when it became known. */
  offersFor(purchase: LoadedPurchase): readonly Offer[]
  readonly allowances: AllowanceState
  /** The current budgets of these offers. */
  readonly offered: readonly OfferBudget[]
  /** All budgets involved: those of the offers, and those of which a purchase holds a part. */
  readonly budgetKeys: readonly BudgetKey[]
}

/**
 * Loads the purchases and those that may depend on them: the user's later purchases at the same brand, earlier ones if
 * a matured purchase may give up an allowance, and other reports of the same purchases. Matured neighbors are omitted,
 * because they no longer change.
 */
export async function loadReplayInput(
  reader: Reader,
  catalog: SettlementCatalog,
  publisher: Publisher,
  userIds: readonly UserId[],
  touched: Touched,
  now: Date,
): Promise<ReplayInput> {
  const assortment = await catalog.getAssortment(publisher)
  const load = (some: Touched) => loadPurchases(reader, publisher, assortment, userIds, some, now)
  const loadMore = (ids: readonly TransactionId[]) => load(new Map(ids.map((id) => [id, []])))
  const [purchases, spans] = await awaitAll([load(touched), listCardSpans(reader, publisher.id, userIds)])
  const cards = Map.groupBy(spans, ({ userId }) => userId)
  const findCard = indexCardsByAccount(spans)
  const same = openSamePurchases(reader, publisher, findCard, loadMore)
  const findNeighbours = openNeighbours(reader, publisher)
  for (let fresh = [...purchases]; ; ) {
    const [neighbours, others] = await awaitAll([findNeighbours(purchases), same.loadOthers(fresh)])
    const known = new Set([...purchases, ...others].map(({ group }) => group.root.transactionId))
    const unknown = neighbours.filter(({ transactionId }) => !known.has(transactionId))
    const more = await awaitAll([
      dependentOn(reader, catalog, assortment, unknown),
      findRefundedLike(reader, publisher, [...fresh, ...others]),
    ])
    fresh = await loadMore([...new Set(more.flat())].filter((id) => !known.has(id)))
    if (others.length + fresh.length === 0)
      return buildReplayInput(
        reader,
        catalog,
        { publisher, assortment, now, purchases, cards, findCard },
        unknown,
        same,
      )
    purchases.push(...others, ...fresh)
  }
}

/** Reads the neighbors of purchases. A span is read again only if it now starts earlier. */
function openNeighbours(reader: Reader, publisher: Publisher) {
  const read = new Map<string, { readonly since: Date; readonly neighbours: readonly Neighbour[] }>()
  return async (purchases: readonly LoadedPurchase[]): Promise<Neighbour[]> => {
    const unread = collectSpans(purchases).filter(
      (span) => read.get(toSpanKey(span))?.since.getTime() !== span.since.getTime(),
    )
    const found = Map.groupBy(await listNeighbours(reader, publisher.id, unread), toSpanKey)
    for (const span of unread)
      read.set(toSpanKey(span), { since: span.since, neighbours: found.get(toSpanKey(span)) ?? [] })
    return [...read.values()].flatMap(({ neighbours }) => neighbours)
  }
}

/**
 * Returns the unmatured purchases whose decisions may depend on the user's other purchases, according to the offers at
 * the time or to frozen terms.
 */
async function dependentOn(
  reader: Reader,
  catalog: SettlementCatalog,
  assortment: Assortment,
  neighbours: readonly Neighbour[],
): Promise<TransactionId[]> {
  const open = neighbours
    .filter(({ isLater, hasMatured }) => isLater && !hasMatured)
    .map((one) => ({ ...one, version: one.judgedIn ?? assortment.catalog.version }))
  if (open.length === 0) return []
  const asOf = await catalog.readFormerOffers(reader, assortment.catalog, open)
  return open
    .filter((one) => termsDependOnOthers(one.terms) || asOf(one).some(dependsOnOthers))
    .map(({ transactionId }) => transactionId)
}

type LoadedInput = Pick<ReplayInput, 'publisher' | 'assortment' | 'now' | 'purchases' | 'cards'>

async function buildReplayInput(
  reader: Reader,
  catalog: SettlementCatalog,
  { purchases: loadedAlone, findCard, ...loaded }: LoadedInput & { readonly findCard: FindCard },
  neighbours: readonly Neighbour[],
  reports: SamePurchases,
): Promise<ReplayInput> {
  const { publisher, assortment, now } = loaded
  const found = reports.found()
  const refundPairs = {
    former: await readFormerRefundPairs(reader, publisher, loadedAlone),
    found: findRefundPairs(loadedAlone, found, findCard),
  }
  const moved = moveRefunds(publisher, loadedAlone, refundPairs.found, now)
  const purchases = shareRefunds(publisher, moved, found, now)
  const userIds = [...new Set(purchases.map(({ group }) => group.root.userId))]
  const asOf = await catalog.readFormerOffers(
    reader,
    assortment.catalog,
    purchases.flatMap(({ match: { brandUid }, judgedIn, isFixed }) =>
      brandUid === null || judgedIn === null || isFixed ? [] : [{ brandUid, version: judgedIn }],
    ),
  )
  const offersFor: ReplayInput['offersFor'] = (purchase) => pickOffers(assortment, purchase, asOf)
  const [statuses, limits] = await awaitAll([
    readStatuses(reader, publisher.id, userIds),
    loadAllowances(reader, { ...loaded, purchases }, offersFor),
  ])
  const isUndo = purchases.some(({ redecided }) => typeof redecided === 'object')
  const findRestored: ReplayInput['findRestored'] = (purchase) =>
    typeof purchase.redecided === 'object' ? purchase.redecided : isUndo ? storedState(purchase, limits) : null
  const formerPairs = reports.former()
  const same = decideReports(publisher, found, formerPairs, purchases, findRestored)
  const samePurchases = new Map(
    same.flatMap((one) => {
      const purchase = {
        reports: new Set(getReports(one).map(({ transactionId }) => transactionId)),
        madeAt: getPurchaseTime(one),
      }
      return [...purchase.reports].map((id) => [id, purchase] as const)
    }),
  )
  const history = openHistory(purchases, neighbours, samePurchases)
  const pairs = { same, formerPairs, refundPairs }
  return { ...loaded, purchases, findRestored, history, ...pairs, statuses, offersFor, ...limits }
}

function storedState({ group: { root, adjustments } }: LoadedPurchase, { allowances }: Limits): Restored {
  const rows = [root, ...adjustments]
  return {
    terms: root.terms,
    reason: findStatusReason(rows),
    gross: rows.reduce((sum, { amounts }) => sum + amounts.gross, 0n),
    bound: findBound(allowances.holds.filter(({ transactionId }) => transactionId === root.transactionId)),
  }
}

/** Returns the brand's offers, including the promised offer even if it is retired. */
function pickOffers(
  { catalog }: Assortment,
  { match: { brandUid }, group, folded, judgedIn, redecided }: LoadedPurchase,
  asOf: (wanted: { brandUid: string; version: number }) => readonly Offer[],
): readonly Offer[] {
  if (brandUid === null) return []
  const offers = asOf({ brandUid, version: judgedIn ?? catalog.version })
  const promisedUid = redecided === 'rematch' ? null : findPromisedOffer(group.root, folded.facts)
  const promised = promisedUid === null ? undefined : catalog.offers.get(promisedUid)
  const isListed = offers.some(({ offerUid }) => offerUid === promisedUid)
  return promised === undefined || promised.brandUid !== brandUid || isListed ? offers : [...offers, promised]
}

/**
 * Returns the offer that rewards a purchase even if the publisher no longer carries it: the offer of the frozen terms,
 * or of the tracking link that the user followed.
 */
export function findPromisedOffer(root: { readonly terms: Terms | null }, facts: PurchaseFacts): string | null {
  return root.terms?.offerUid ?? (facts.isFromClick === true ? (facts.offerUid ?? null) : null)
}

type Limits = Pick<ReplayInput, 'allowances' | 'offered' | 'budgetKeys'>

/** Loads the allowances of these offers. Reads nothing for new purchases and offers without allowances. */
async function loadAllowances(
  reader: Reader,
  { publisher, assortment, purchases }: LoadedInput,
  offersFor: ReplayInput['offersFor'],
): Promise<Limits> {
  const { offers } = assortment.catalog
  const limited = purchases.flatMap((purchase) => {
    const { group, folded } = purchase
    if (!folded.isPurchase) return []
    const frozen = offers.get(group.root.terms?.offerUid ?? '')
    return [...new Set([...offersFor(purchase), ...(frozen === undefined ? [] : [frozen])])]
      .filter((offer) => offer.oneTimeUse || isLimited(offer))
      .map((offer) => ({ userId: group.root.userId, offerUid: offer.offerUid, offer, at: folded.authorizedAt }))
  })
  const holders = purchases.filter(({ group }) => !group.isNew).map(({ group }) => group.root)
  const codeIds = [...new Set(purchases.flatMap(({ folded }) => folded.facts.voucherCodeId ?? []))]
  const activated = limited.filter(({ offer }) => offer.conditions.activationRequired)
  const [holds, codes, activations] = await awaitAll([
    listHolds(
      reader,
      publisher.id,
      holders,
      uniqueBy(limited, ({ userId, offerUid }) => `${userId} ${offerUid}`),
    ),
    listCodes(reader, codeIds),
    activated.length === 0
      ? Promise.resolve([])
      : listActivations(reader, publisher.id, [...new Set(activated.map(({ userId }) => userId))]),
  ])
  // The current budgets of the offers apply, not those of the version that a purchase is judged against.
  const offered = uniqueBy(
    limited.flatMap(({ offer, at }) => toBudgets(publisher, offers.get(offer.offerUid) ?? offer, at)),
    nameBudget,
  )
  const { environment } = publisher
  const held = holds
    .filter(({ kind }) => kind === 'budget')
    .map(({ offerUid, period, startsOn }) => ({ offerUid, environment, period, startsOn }))
  const budgetKeys = uniqueBy<BudgetKey>([...offered, ...held], nameBudget)
  const budgets = budgetKeys.length === 0 ? [] : await listBudgets(reader, budgetKeys)
  return { allowances: { publisher, holds, budgets, codes, activations, offers }, offered, budgetKeys }
}

function uniqueBy<T>(all: readonly T[], toKey: (one: T) => string): T[] {
  return [...new Map(all.map((one) => [toKey(one), one])).values()]
}
