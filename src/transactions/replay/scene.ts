import {
  type AllowanceState,
  boundOf,
  budgetName,
  budgetsOf,
  type Hold,
  listActivations,
  listBudgets,
  listCodes,
  listHolds,
  type OfferBudget,
} from '../../allowances/index.ts'
import { type CardSpan, listCardSpans } from '../../cards/index.ts'
import type { Assortment, CatalogStore, Offer } from '../../catalog/index.ts'
import { isLimited, type Terms } from '../../offers/index.ts'
import { awaitAll, type Reader } from '../../platform/database.ts'
import type { TransactionId, UserId } from '../../platform/ids.ts'
import type { Publisher } from '../../publishers/index.ts'
import { statusesOf } from '../../users/index.ts'
import type { PurchaseFacts } from '../intake/event.ts'
import { listNeighbours, type Neighbour } from '../queries.ts'
import type { PairRow } from '../same-purchase/pair-queries.ts'
import { madeAt } from '../same-purchase/pairs.ts'
import { type DecidedPair, decidedPairs } from '../same-purchase/policy.ts'
import { findSamePurchases } from '../same-purchase/search.ts'
import { dependsOnOthers, type History, openHistory, spanKey, spansOf, termsDependOnOthers } from './history.ts'
import { type LoadedPurchase, loadPurchases, type Redecisions, type Restored, type Touched } from './load.ts'

export type SettlementCatalog = Pick<CatalogStore, 'assortmentOf' | 'offersAsOf'>

/** All that decides a set of purchases, loaded in a number of statements that does not depend on how many they are. */
export type Scene = {
  readonly publisher: Publisher
  readonly assortment: Assortment
  readonly now: Date
  /** Those that are decided, with every other that depends on them. */
  readonly purchases: readonly LoadedPurchase[]
  readonly history: History
  readonly pairs: readonly DecidedPair[]
  readonly formerPairs: readonly PairRow[]
  readonly statuses: Awaited<ReturnType<typeof statusesOf>>
  readonly cards: ReadonlyMap<UserId, readonly CardSpan[]>
  /** Of an undo: what each purchase had, or has if the undo does not name it. Nobody gets more than that by it. */
  restoredOf(purchase: LoadedPurchase): Restored | null
  /** The offers by which a purchase is judged, as they were when it became known. */
  offersFor(purchase: LoadedPurchase): readonly Offer[]
  readonly allowances: AllowanceState
  /** The budgets that any of these offers has today. */
  readonly offered: readonly OfferBudget[]
}

/**
 * Loads the purchases, those of the same user at the same brand that were made later, and other reports of the same
 * purchases. What was made earlier does not depend on them, and what has matured is a fact.
 */
export async function loadScene(
  reader: Reader,
  catalog: SettlementCatalog,
  publisher: Publisher,
  userIds: readonly UserId[],
  touched: Touched,
  now: Date,
  redecisions: Redecisions = new Map(),
): Promise<Scene> {
  const assortment = await catalog.assortmentOf(publisher)
  const purchases = await loadPurchases(reader, publisher, assortment, userIds, touched, now, redecisions)
  const loadMore = (ids: readonly TransactionId[]) =>
    loadPurchases(reader, publisher, assortment, userIds, new Map(ids.map((id) => [id, []])), now)
  for (;;) {
    const spans = spansOf(purchases)
    const [neighbours, same] = await awaitAll([
      listNeighbours(reader, publisher.id, spans),
      findSamePurchases(reader, publisher, purchases, loadMore),
    ])
    const known = new Set([...purchases, ...same.others].map(({ group }) => group.root.transactionId))
    const dependent = dependentOn(assortment, purchases, neighbours).filter((id) => !known.has(id))
    const more = [...same.others, ...(await loadMore(dependent))]
    if (more.length === 0) {
      const others = neighbours.filter(({ transactionId }) => !known.has(transactionId))
      return sceneOf(reader, catalog, { publisher, assortment, now, purchases }, others, same)
    }
    purchases.push(...more)
  }
}

/** The later purchases whose decision can change with that of the loaded ones. */
function dependentOn(
  { catalog }: Assortment,
  purchases: readonly LoadedPurchase[],
  neighbours: readonly Neighbour[],
): TransactionId[] {
  const later = neighbours.filter(({ isLater, hasMatured }) => isLater && !hasMatured)
  if (later.length === 0) return []
  const isContested = new Map<string, boolean>()
  for (const { group, match } of purchases) {
    const { root, former = root } = group
    const isOwn = [root.terms, former.terms].some(termsDependOnOthers)
    for (const brandUid of [match.brandUid, former.terms?.brandUid ?? former.brandUid]) {
      if (brandUid === null) continue
      const key = spanKey({ userId: root.userId, brandUid })
      isContested.set(key, isContested.get(key) || isOwn || catalog.offersOf(brandUid).some(dependsOnOthers))
    }
  }
  return later
    .filter((one) => one.dependsOnOthers || isContested.get(spanKey(one)) === true)
    .map(({ transactionId }) => transactionId)
}

type Loaded = Pick<Scene, 'publisher' | 'assortment' | 'now' | 'purchases'>

async function sceneOf(
  reader: Reader,
  catalog: SettlementCatalog,
  loaded: Loaded,
  neighbours: readonly Neighbour[],
  same: Awaited<ReturnType<typeof findSamePurchases>>,
): Promise<Scene> {
  const { publisher, assortment, purchases } = loaded
  const userIds = [...new Set(purchases.map(({ group }) => group.root.userId))]
  const asOf = await catalog.offersAsOf(
    reader,
    assortment.catalog,
    purchases.flatMap(({ match: { brandUid }, judgedIn, isFixed }) =>
      brandUid === null || judgedIn === null || isFixed ? [] : [{ brandUid, version: judgedIn }],
    ),
  )
  const offersFor: Scene['offersFor'] = (purchase) => offersOf(assortment, purchase, asOf)
  const [statuses, spans, limits] = await awaitAll([
    statusesOf(reader, publisher.id, userIds),
    purchases.some(({ group }) => group.root.source === 'CARD')
      ? listCardSpans(reader, publisher.id, userIds)
      : Promise.resolve([]),
    loadAllowances(reader, loaded, offersFor),
  ])
  const pairs = decidedPairs(publisher, same, purchases)
  const twins = new Map(
    pairs.flatMap((pair) => {
      const [one, other] = [pair.card.transactionId, pair.affiliate.transactionId]
      const at = madeAt(pair)
      return [
        [one, { other, madeAt: at }],
        [other, { other: one, madeAt: at }],
      ] as const
    }),
  )
  const cards = Map.groupBy(spans, ({ userId }) => userId)
  const history = openHistory(purchases, neighbours, twins)
  const isUndo = purchases.some(({ redecided }) => typeof redecided === 'object')
  const restoredOf: Scene['restoredOf'] = (purchase) =>
    typeof purchase.redecided === 'object' ? purchase.redecided : isUndo ? storedState(purchase, limits) : null
  return { ...loaded, restoredOf, history, pairs, formerPairs: same.former, statuses, cards, offersFor, ...limits }
}

function storedState({ group: { root, adjustments } }: LoadedPurchase, { allowances }: Limits): Restored {
  return {
    terms: root.terms,
    reason: root.statusReason,
    gross: [root, ...adjustments].reduce((sum, { amounts }) => sum + amounts.gross, 0n),
    bound: boundOf(allowances.holds.filter(({ transactionId }) => transactionId === root.transactionId)),
  }
}

/** The offers of the brand, and the one that was promised, though it is retired or another brand's. */
function offersOf(
  { catalog }: Assortment,
  { match: { brandUid }, group, folded, judgedIn, redecided }: LoadedPurchase,
  asOf: (wanted: { brandUid: string; version: number }) => readonly Offer[],
): readonly Offer[] {
  if (brandUid === null) return []
  const offers = asOf({ brandUid, version: judgedIn ?? catalog.version })
  const promisedUid = redecided === 'anew' ? null : promisedOffer(group.root, folded?.facts ?? {})
  const promised = promisedUid === null ? undefined : catalog.offers.get(promisedUid)
  const isListed = offers.some(({ offerUid }) => offerUid === promisedUid)
  return promised === undefined || promised.brandUid !== brandUid || isListed ? offers : [...offers, promised]
}

/**
 * The offer that a purchase has a claim to even if the publisher no longer carries it: the one whose terms are frozen, or
 * the one whose link the user followed while it was carried.
 */
export function promisedOffer(root: { readonly terms: Terms | null }, facts: PurchaseFacts): string | null {
  return root.terms?.offerUid ?? (facts.isFromClick === true ? (facts.offerUid ?? null) : null)
}

type Limits = Pick<Scene, 'allowances' | 'offered'>

/** What is left of what these offers limit. Reads nothing for new purchases by offers that limit nothing. */
async function loadAllowances(
  reader: Reader,
  { publisher, assortment, purchases }: Loaded,
  offersFor: Scene['offersFor'],
): Promise<Limits> {
  const { offers } = assortment.catalog
  const asked = purchases.flatMap((purchase) => {
    const { group, folded } = purchase
    if (folded === null || !folded.isPurchase) return []
    const frozen = offers.get(group.root.terms?.offerUid ?? '')
    return [...new Set([...offersFor(purchase), ...(frozen === undefined ? [] : [frozen])])]
      .filter((offer) => offer.oneTimeUse || isLimited(offer))
      .map((offer) => ({ userId: group.root.userId, offerUid: offer.offerUid, offer, at: folded.authorizedAt }))
  })
  const holders = purchases.filter(({ group }) => !group.isNew).map(({ group }) => group.root)
  const codeIds = [...new Set(purchases.flatMap(({ folded }) => folded?.facts.voucherCodeId ?? []))]
  const activated = asked.filter(({ offer }) => offer.conditions.activationRequired)
  const [holds, codes, activations] = await awaitAll([
    listHolds(
      reader,
      publisher.id,
      holders,
      uniqueBy(asked, ({ userId, offerUid }) => `${userId} ${offerUid}`),
    ),
    listCodes(reader, codeIds),
    activated.length === 0
      ? Promise.resolve([])
      : listActivations(reader, publisher.id, [...new Set(activated.map(({ userId }) => userId))]),
  ])
  // Budgets are the offer's of today, whatever it said when a purchase was judged.
  const offered = uniqueBy(
    asked.flatMap(({ offer, at }) => budgetsOf(publisher, offers.get(offer.offerUid) ?? offer, at)),
    budgetName,
  )
  const heldOf = holds.filter(({ kind }) => kind === 'budget').map((hold) => budgetKeyOf(publisher, hold))
  const keys = uniqueBy([...offered, ...heldOf], budgetName)
  const budgets = keys.length === 0 ? [] : await listBudgets(reader, keys)
  return { allowances: { publisher, holds, budgets, codes, activations, offers }, offered }
}

export function budgetKeyOf({ environment }: Pick<Publisher, 'environment'>, { offerUid, period, startsOn }: Hold) {
  return { offerUid, environment, period, startsOn }
}

function uniqueBy<T>(all: readonly T[], keyOf: (one: T) => string): T[] {
  return [...new Map(all.map((one) => [keyOf(one), one])).values()]
}
