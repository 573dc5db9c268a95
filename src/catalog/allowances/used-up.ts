import { type Day, toDay } from '../../platform/calendar.ts'
import type { Reader } from '../../platform/db/database.ts'
import type { UserId } from '../../platform/ids.ts'
import type { Environment, Publisher } from '../../tenants/publishers/index.ts'
import { type Assortment, listOffersWithPools, type Offer, type OffersOfUser, PERIODS } from '../catalog/index.ts'
import { listActivations } from './activation-queries.ts'
import { listSpentBudgets } from './budget-queries.ts'
import { type BudgetState, computeRaise } from './budgets.ts'
import { listEmptyPools } from './code-queries.ts'
import { indexHolds } from './hold-index.ts'
import { listHoldsOfUser, listOffersOfFreeCodes } from './hold-queries.ts'
import { findPeriodStart } from './periods.ts'

type Offers = { get(offerUid: string): Offer | undefined }

// A list might show an offer that was exhausted a moment ago, but purchases are always decided with fresh state.
const EXHAUSTED_FOR_MS = 1_000

/** The state that all users in an environment share on a given day. */
type ForAll = { readonly exhausted: ReadonlySet<string>; readonly emptyPools: ReadonlySet<string> }
type Asked = {
  readonly offers: Offers
  readonly days: string
  readonly askedAtMs: number
  readonly found: Promise<ForAll>
}

/**
 * Creates a lookup for the offers that a user has used up or activated. Caches the state that all users in an
 * environment share.
 */
export function createOffersOfUser(): OffersOfUser {
  const known = new Map<Environment, Asked>()
  const forAll = (reader: Reader, publisher: Publisher, assortment: Assortment, now: Date): Promise<ForAll> => {
    const { environment } = publisher
    const { offers } = assortment.catalog
    const days = `${toDay(now, 'UTC')} ${toDay(now, publisher.timeZone)}`
    const askedAtMs = now.getTime()
    const last = known.get(environment)
    const isFresh = last !== undefined && Math.abs(askedAtMs - last.askedAtMs) < EXHAUSTED_FOR_MS
    if (last !== undefined && isFresh && last.days === days && last.offers === offers) return last.found
    const asked = { offers, days, askedAtMs, found: findForAll(reader, publisher, assortment, now) }
    asked.found.catch(() => {
      if (known.get(environment) === asked) known.delete(environment)
    })
    known.set(environment, asked)
    return asked.found
  }
  return async (reader, publisher, userId, assortment, now) => {
    const [used, { exhausted, emptyPools }, activations, held] = await Promise.all([
      usedUpOffers(reader, publisher, assortment.catalog.offers, userId, now),
      forAll(reader, publisher, assortment, now),
      listActivations(reader, publisher.id, [userId]),
      listOffersOfFreeCodes(reader, publisher.id, userId, toDay(now, publisher.timeZone)),
    ])
    // A user who holds a code can use it even if the pool is empty.
    const withoutCode = emptyPools.difference(new Set(held))
    const active = activations.filter(({ until }) => until === null)
    return {
      usedUp: used.union(exhausted).union(withoutCode),
      activated: new Set(active.map(({ offerUid }) => offerUid)),
    }
  }
}

async function findForAll(
  reader: Reader,
  { environment, timeZone }: Publisher,
  assortment: Assortment,
  now: Date,
): Promise<ForAll> {
  const pools = listOffersWithPools(assortment).map((offer) => offer.offerUid)
  const [budgets, emptyPools] = await Promise.all([
    listBudgetsOnDay(reader, toDay(now, 'UTC')),
    pools.length === 0 ? [] : listEmptyPools(reader, pools, { environment, today: toDay(now, timeZone) }),
  ])
  const exhausted = budgets
    .filter((state) => state.environment === environment)
    .filter((state) => isExhausted(assortment.catalog.offers.get(state.offerUid), state))
  return { exhausted: new Set(exhausted.map(({ offerUid }) => offerUid)), emptyPools: new Set(emptyPools) }
}

/** Returns the offers whose single use or limit is used up for this user as of today. */
async function usedUpOffers(
  reader: Reader,
  publisher: Publisher,
  offers: Offers,
  userId: UserId,
  now: Date,
): Promise<Set<string>> {
  const holds = await listHoldsOfUser(reader, publisher.id, userId)
  const held = indexHolds(holds)
  const today = toDay(now, publisher.timeZone)
  const isUsedUp = (offerUid: string): boolean => {
    const offer = offers.get(offerUid)
    if (held.findUse(userId, offerUid) !== undefined) return offer?.oneTimeUse !== false
    const limits = offer?.conditions.userLimits ?? []
    return limits.some(({ period, uses, reward }) => {
      const taken = held.takenIn(userId, offerUid, period, today)
      return (uses !== null && taken.uses >= uses) || (reward !== null && taken.reward >= reward)
    })
  }
  const offerUids = new Set(holds.map(({ offerUid }) => offerUid))
  return new Set([...offerUids].filter(isUsedUp))
}

/** Lists all budgets with any spending in the periods that contain this UTC day. */
export async function listBudgetsOnDay(reader: Reader, day: Day): Promise<BudgetState[]> {
  return listSpentBudgets(
    reader,
    PERIODS.map((period) => ({ period, startsOn: findPeriodStart(period, day) })),
  )
}

/** True if the budget's remainder is too small for any reward of the offer. */
export function isExhausted(offer: Offer | undefined, state: BudgetState): boolean {
  const budget = offer?.conditions.budgets.find(({ period }) => period === state.period)
  if (offer === undefined || budget === undefined) return false
  return state.unspent + computeRaise(budget.amount, offer.version, state) < leastReward(offer)
}

/**
 * Returns the smallest possible reward. A fixed amount is paid in full or not at all, but a rate can yield as little as
 * one minor unit.
 */
function leastReward({ groups }: Offer): bigint {
  return groups.map(({ amount }) => amount ?? 1n).reduce((a, b) => (a < b ? a : b), groups[0]?.amount ?? 1n)
}
