import type { Assortment, Offer } from '../catalog/index.ts'
import { isLimited } from '../offers/index.ts'
import { dayOf, startOfDay } from '../platform/calendar.ts'
import { type Reader, together } from '../platform/database.ts'
import type { UserId } from '../platform/ids.ts'
import type { Publisher } from '../publishers/index.ts'
import {
  type Activation,
  type BoundOf,
  type BudgetKey,
  type BudgetState,
  budgetName,
  budgetsOf,
  type Code,
  type Earning,
  listActivations,
  listBounds,
  listBudgets,
  listCodes,
  listEarnings,
  listReservations,
  type OfferBudget,
  periodStart,
  type Reservation,
} from '../rewards/index.ts'
import type { AtHand } from './history.ts'
import { matchOf } from './match.ts'

/** All that offers count, hand out or ask to be activated, as far as the purchases at hand depend on it. */
export type LimitState = {
  readonly publisher: Publisher
  readonly offers: { get(offerUid: string): Offer | undefined }
  readonly activations: readonly Activation[]
  readonly codes: readonly Code[]
  readonly earnings: readonly Earning[]
  readonly bounds: readonly BoundOf[]
  readonly reservations: readonly Reservation[]
  /** The budgets of the offers that are asked, and with them those that something is held of. */
  readonly offered: readonly OfferBudget[]
  readonly budgetKeys: readonly BudgetKey[]
  readonly budgets: readonly BudgetState[]
}

/** Reads nothing for purchases whose offers have no limits. What users hold is locked with them; budgets are not. */
export async function readLimits(
  reader: Reader,
  publisher: Publisher,
  assortment: Assortment,
  works: readonly AtHand[],
): Promise<LimitState> {
  const asked = works.flatMap((work) => questionsOf(assortment, work))
  const about = (wanted: (offer: Offer['conditions']) => boolean) =>
    asked.filter(({ offer }) => wanted(offer.conditions))
  // Whoever has frozen terms may hold something, also of an offer that has no limits any more.
  const holders = works.flatMap(({ root }) => (root.terms == null ? [] : [root]))
  const usedUp = holders.filter(({ terms }) => terms?.offerType === 'VOUCHER_CODE')
  const codeIds = works.flatMap(({ folded }) => folded?.facts.voucherCodeId ?? [])
  const [activations, codes, earnings, bounds, reservations] = await together([
    ifAny(
      about(({ activationRequired }) => activationRequired),
      (some) => listActivations(reader, publisher.id, [...new Set(some.map((one) => one.userId))]),
    ),
    ifAny([...codeIds, ...usedUp], () => listCodes(reader, codeIds, usedUp)),
    ifAny(
      about(({ userLimits }) => userLimits.length > 0),
      (some) => earningsOf(reader, publisher, some),
    ),
    ifAny(holders, (some) => listBounds(reader, publisher.id, some)),
    ifAny(holders, (some) => listReservations(reader, publisher.id, some)),
  ])
  const offered = asked.flatMap(({ offer, at }) => budgetsOf(publisher, offer, at))
  const budgetKeys = [...new Map([...offered, ...reservations].map((key) => [budgetName(key), key])).values()]
  const budgets = await ifAny(budgetKeys, (some) => listBudgets(reader, some))
  const { offers } = assortment.catalog
  return { publisher, offers, activations, codes, earnings, bounds, reservations, offered, budgetKeys, budgets }
}

async function ifAny<T, R>(some: readonly T[], read: (some: readonly T[]) => Promise<R[]>): Promise<R[]> {
  return some.length === 0 ? [] : read(some)
}

type Question = { readonly userId: UserId; readonly brandUid: string; readonly offer: Offer; readonly at: Date }

/** The offers with limits that a purchase may be rewarded by, or is. */
function questionsOf(assortment: Assortment, { root, folded, restored }: AtHand): Question[] {
  if (folded === null || !folded.isPurchase) return []
  const { catalog } = assortment
  const { brandUid } = matchOf(assortment, folded.facts)
  // One that is named, frozen or put back can be another brand's, or over.
  const named = [root.terms?.offerUid, restored?.offerUid, folded.facts.offerUid].flatMap((uid) => uid ?? [])
  const offers = new Set<Offer>([
    ...(brandUid === null ? [] : catalog.offersOf(brandUid)),
    ...named.flatMap((uid) => catalog.offers.get(uid) ?? []),
  ])
  return [...offers].filter(isLimited).map((offer) => ({
    userId: root.userId,
    brandUid: offer.brandUid,
    offer,
    at: folded.authorizedAt,
  }))
}

function earningsOf(reader: Reader, publisher: Publisher, asked: readonly Question[]): Promise<Earning[]> {
  const since = asked.flatMap(({ offer, at }) =>
    offer.conditions.userLimits.map(({ period }) => periodStart(period, dayOf(at, publisher.timeZone))),
  )
  const first = since.reduce((a, b) => (a < b ? a : b))
  const pairs = new Map(asked.map((one) => [`${one.userId} ${one.brandUid}`, one]))
  return listEarnings(reader, publisher.id, [...pairs.values()], startOfDay(first, publisher.timeZone))
}
