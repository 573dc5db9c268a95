import { type Assortment, type Offer, offersWithPools, PERIODS } from '../catalog/index.ts'
import { type Day, dayOf } from '../platform/calendar.ts'
import type { Reader } from '../platform/database.ts'
import type { UserId } from '../platform/ids.ts'
import type { Publisher } from '../publishers/index.ts'
import { listActivations } from './activation-queries.ts'
import { listSpentBudgets } from './budget-queries.ts'
import type { BudgetState } from './budgets.ts'
import { listEmptyPools } from './code-queries.ts'
import type { Hold } from './hold-index.ts'
import { listHoldsOfUser, listOffersOfFreeCodes } from './hold-queries.ts'
import { periodStart } from './periods.ts'

type Offers = { get(offerUid: string): Offer | undefined }

/** What a list of offers needs to know about a user. */
export type UserOffers = { readonly usedUp: ReadonlySet<string>; readonly activated: ReadonlySet<string> }

// A list may show an offer that was just exhausted; purchases are decided by fresh state.
const EXHAUSTED_FOR_MS = 1_000

type Environment = Publisher['environment']
/** The same for all users of an environment on a day. */
type ForAll = { readonly exhausted: ReadonlySet<string>; readonly emptyPools: ReadonlySet<string> }
type Asked = {
  readonly offers: Offers
  readonly days: string
  readonly askedAtMs: number
  readonly found: Promise<ForAll>
}

/** Looks up what a user has used up and activated. Caches what is the same for all users of an environment. */
export function createOffersOfUser() {
  const known = new Map<Environment, Asked>()
  const forAll = (reader: Reader, publisher: Publisher, assortment: Assortment, now: Date): Promise<ForAll> => {
    const { environment } = publisher
    const { offers } = assortment.catalog
    const days = `${dayOf(now, 'UTC')} ${dayOf(now, publisher.timeZone)}`
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
  return async (
    reader: Reader,
    publisher: Publisher,
    userId: UserId,
    assortment: Assortment,
    now: Date,
  ): Promise<UserOffers> => {
    const [used, { exhausted, emptyPools }, activations, held] = await Promise.all([
      usedUpOffers(reader, publisher, assortment.catalog.offers, userId, now),
      forAll(reader, publisher, assortment, now),
      listActivations(reader, publisher.id, [userId]),
      listOffersOfFreeCodes(reader, publisher.id, userId, dayOf(now, publisher.timeZone)),
    ])
    // A user with a code can use it even if the pool is empty.
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
  const pools = offersWithPools(assortment).map((offer) => offer.offerUid)
  const today = dayOf(now, timeZone)
  const [exhausted, emptyPools] = await Promise.all([
    exhaustedOffers(reader, environment, assortment.catalog.offers, now),
    pools.length === 0 ? [] : listEmptyPools(reader, pools, { environment, today }),
  ])
  return { exhausted, emptyPools: new Set(emptyPools) }
}

/** The offers whose one use or limit this user has used up today. */
async function usedUpOffers(
  reader: Reader,
  publisher: Publisher,
  offers: Offers,
  userId: UserId,
  now: Date,
): Promise<Set<string>> {
  const holds = await listHoldsOfUser(reader, publisher.id, userId)
  const today = dayOf(now, publisher.timeZone)
  const byOffer = [...Map.groupBy(holds, ({ offerUid }) => offerUid)]
  return new Set(byOffer.filter(([uid, held]) => isUsedUp(offers.get(uid), held, today)).map(([offerUid]) => offerUid))
}

function isUsedUp(offer: Offer | undefined, held: readonly Hold[], today: Day): boolean {
  if (held.some(({ kind }) => kind === 'use')) return offer?.oneTimeUse !== false
  if (offer === undefined) return false
  return offer.conditions.userLimits.some(({ period, uses, reward }) => {
    const within = held.filter(
      ({ kind, startsOn }) => kind === 'user_limit' && periodStart(period, startsOn) === periodStart(period, today),
    )
    const sum = within.reduce((all, { amount }) => all + amount, 0n)
    return (uses !== null && within.length >= uses) || (reward !== null && sum >= reward)
  })
}

/** All budgets of the periods of this UTC day that were spent from. */
export async function budgetsOfDay(reader: Reader, day: Day): Promise<BudgetState[]> {
  return listSpentBudgets(
    reader,
    PERIODS.map((period) => ({ period, startsOn: periodStart(period, day) })),
  )
}

/** The offers of this environment whose budget is exhausted today. */
async function exhaustedOffers(
  reader: Reader,
  environment: Environment,
  offers: Offers,
  now: Date,
): Promise<Set<string>> {
  const states = (await budgetsOfDay(reader, dayOf(now, 'UTC'))).filter((state) => state.environment === environment)
  return new Set(states.filter((state) => isExhausted(offers.get(state.offerUid), state)).map((one) => one.offerUid))
}

/** Whether the rest is too little for any reward of the offer. */
export function isExhausted(offer: Offer | undefined, state: BudgetState): boolean {
  const budget = offer?.conditions.budgets.find(({ period }) => period === state.period)
  if (offer === undefined || budget === undefined) return false
  const changed = offer.version > state.offerVersion ? budget.amount - state.amount : 0n
  return state.unspent + changed < leastReward(offer)
}

/** A fixed amount is paid whole or not at all; a rate can be as little as a cent. */
function leastReward({ groups }: Offer): bigint {
  return groups.map(({ amount }) => amount ?? 1n).reduce((a, b) => (a < b ? a : b), groups[0]?.amount ?? 1n)
}
