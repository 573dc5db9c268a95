import type { Offer, Period } from '../catalog/index.ts'
import { type Day, dayOf } from '../platform/calendar.ts'
import { type Reader, together } from '../platform/database.ts'
import type { UserId } from '../platform/ids.ts'
import type { Publisher } from '../publishers/index.ts'
import { activationsOf } from './activation-queries.ts'
import { type Earning, listEarningsOfUser } from './bound-queries.ts'
import { listSpentBudgets } from './budget-queries.ts'
import type { BudgetState } from './budgets.ts'
import { periodStart } from './periods.ts'
import { listOfferUses } from './queries.ts'

type Offers = { get(offerUid: string): Offer | undefined }

/** What decides for one user which offers are listed, and how. */
export type OffersOfUser = { readonly usedUp: ReadonlySet<string>; readonly activated: ReadonlySet<string> }

// What was exhausted a moment ago may still be listed; what a purchase is decided by is always read anew.
const EXHAUSTED_FOR_MS = 1_000

/** Looks up what users have used up and activated; which budgets are exhausted is remembered for a moment, for it is the same for all. */
export function createOffersOfUser() {
  let known: { offers: Offers; day: Day; askedAtMs: number; exhausted: Promise<Set<string>> } | null = null
  const exhaustedNow = (reader: Reader, offers: Offers, now: Date): Promise<Set<string>> => {
    const day = dayOf(now, 'UTC')
    const askedAtMs = now.getTime()
    const isFresh = known !== null && Math.abs(askedAtMs - known.askedAtMs) < EXHAUSTED_FOR_MS
    if (known === null || !isFresh || known.day !== day || known.offers !== offers) {
      const asked = { offers, day, askedAtMs, exhausted: exhaustedOffers(reader, offers, now) }
      asked.exhausted.catch(() => {
        if (known === asked) known = null
      })
      known = asked
    }
    return known.exhausted
  }
  return async (
    reader: Reader,
    publisher: Publisher,
    userId: UserId,
    { catalog }: { readonly catalog: { readonly offers: Offers } },
    now: Date,
  ): Promise<OffersOfUser> => {
    const [used, exhausted, activations] = await Promise.all([
      usedUpOffers(reader, publisher, catalog.offers, userId, now),
      exhaustedNow(reader, catalog.offers, now),
      activationsOf(reader, publisher.id, userId),
    ])
    return { usedUp: used.union(exhausted), activated: new Set(activations.keys()) }
  }
}

/**
 * The offers that this user cannot earn on any more today: the one use was made, or a limit of the user's is reached. What
 * nobody can earn on is asked for with `exhaustedOffers`.
 */
export async function usedUpOffers(
  reader: Reader,
  publisher: Publisher,
  offers: Offers,
  userId: UserId,
  now: Date,
): Promise<Set<string>> {
  const [uses, earnings] = await together([
    listOfferUses(reader, publisher.id, [userId]),
    listEarningsOfUser(reader, publisher.id, userId),
  ])
  const used = new Set(uses.map((use) => use.offerUid).filter((uid) => offers.get(uid)?.oneTimeUse !== false))
  const today = dayOf(now, publisher.timeZone)
  for (const [offerUid, of] of Map.groupBy(earnings, (earning) => earning.offerUid)) {
    const offer = offers.get(offerUid)
    if (offer !== undefined && isUsedUp(offer, of, today, publisher.timeZone)) used.add(offerUid)
  }
  return used
}

function isUsedUp(offer: Offer, earnings: readonly Earning[], today: Day, timeZone: string): boolean {
  return offer.conditions.userLimits.some(({ period, uses, reward }) => {
    const within = earnings.filter(
      (one) => one.reward > 0n && periodStart(period, dayOf(one.at, timeZone)) === periodStart(period, today),
    )
    const sum = within.reduce((all, one) => all + one.reward, 0n)
    return (uses !== null && within.length >= uses) || (reward !== null && sum >= reward)
  })
}

const PERIODS = ['DAY', 'WEEK', 'MONTH', 'LIFETIME'] as const satisfies readonly Period[]

/** The budgets of today that have been spent from at all; one look for all offers, publishers and users. */
export async function budgetsOfToday(reader: Reader, now: Date): Promise<BudgetState[]> {
  const today = dayOf(now, 'UTC')
  return listSpentBudgets(
    reader,
    PERIODS.map((period) => ({ period, startsOn: periodStart(period, today) })),
  )
}

/** The offers whose budget carries no purchase any more today, for anybody. */
export async function exhaustedOffers(reader: Reader, offers: Offers, now: Date): Promise<Set<string>> {
  const states = await budgetsOfToday(reader, now)
  return new Set(states.filter((state) => isExhausted(offers.get(state.offerUid), state)).map((one) => one.offerUid))
}

function isExhausted(offer: Offer | undefined, state: BudgetState): boolean {
  const budget = offer?.conditions.budgets.find(({ period }) => period === state.period)
  if (offer === undefined || budget === undefined) return false
  const changed = offer.version > state.offerVersion ? budget.amount - state.amount : 0n
  return state.unspent + changed < leastReward(offer)
}

/** A fixed reward is paid whole or not at all; a rate can always come to a cent. */
function leastReward({ groups }: Offer): bigint {
  return groups.map(({ amount }) => amount ?? 1n).reduce((a, b) => (a < b ? a : b), groups[0]?.amount ?? 1n)
}
