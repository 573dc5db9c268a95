import { type Offer, PERIODS, type Period } from '../catalog/index.ts'
import { type Day, dayOf } from '../platform/calendar.ts'
import type { TransactionId, UserId } from '../platform/ids.ts'
import type { Publisher } from '../publishers/index.ts'
import { periodStart } from './periods.ts'

/**
 * A budget is what an offer may cost its advertiser, in commission, in one period of the UTC calendar. Each purchase holds
 * a reservation in each budget of its offer: as much as it earns. What is taken back is given back to the period that
 * it was taken from. Sandboxes spend one of their own, as large: play money takes nothing from a real user.
 */
export type BudgetKey = {
  readonly offerUid: string
  readonly environment: Publisher['environment']
  readonly period: Period
  readonly startsOn: Day
}
/** A budget as it stands in the database. */
export type BudgetState = BudgetKey & {
  readonly amount: bigint
  readonly offerVersion: number
  readonly slots: number
  readonly unspent: bigint
}
/** A budget as an offer has it today, in the period in which a purchase counts. */
export type OfferBudget = BudgetKey & { readonly budget: bigint; readonly offerVersion: number }
export type Holder = { readonly userId: UserId; readonly transactionId: TransactionId }
export type Reservation = BudgetKey & Holder & { readonly amount: bigint }
/** What one user's purchases take of a budget, or with a minus give back. */
export type Take = OfferBudget & { readonly userId: UserId; readonly amount: bigint }

/** The budgets of the purchases at hand, as they stand while a batch is worked through. */
export type Budgets = {
  /**
   * The most commission that a purchase may earn of an offer; null: it has no budgets. Never less than what it earns of
   * it already.
   */
  leftFor(holder: Holder, offer: Offer, at: Date, posted: bigint): bigint | null
  /** Makes the purchase hold what it earns now; without an offer, nothing. */
  hold(holder: Holder, offer: Offer | null, at: Date, earns: { readonly posted: bigint; readonly gross: bigint }): void
  takes(): Take[]
  reservations(): { readonly freed: readonly Reservation[]; readonly held: readonly Reservation[] }
}

export function budgetName({ offerUid, environment, period, startsOn }: BudgetKey): string {
  return `${offerUid} ${period} ${startsOn} ${environment}`
}

/** The budgets of an offer that a purchase at this moment counts in. */
export function budgetsOf({ environment }: Pick<Publisher, 'environment'>, offer: Offer, at: Date): OfferBudget[] {
  const { offerUid, version } = offer
  const day = dayOf(at, 'UTC')
  return [...amountsOf(offer)].map(([period, budget]) => ({
    ...{ offerUid, environment, period, startsOn: periodStart(period, day) },
    ...{ budget, offerVersion: version },
  }))
}

export function openBudgets(
  { environment }: Pick<Publisher, 'environment'>,
  states: readonly BudgetState[],
  reservations: readonly Reservation[],
): Budgets {
  const before = new Map(reservations.map((one) => [reservationName(one), one]))
  const held = new Map(before)
  const spending = openSpending(states)
  /** What the purchase holds of this offer in a period, and of which budget more would be taken. */
  const placeOf = (holder: Holder, offer: Offer, period: Period, at: Date): Reservation => {
    const kept = held.get(reservationName({ ...holder, period }))
    if (kept?.offerUid === offer.offerUid) return kept
    const startsOn = periodStart(period, dayOf(at, 'UTC'))
    return { ...holder, offerUid: offer.offerUid, environment, period, startsOn, amount: 0n }
  }

  return {
    leftFor: (holder, offer, at, posted) => {
      const bounds = [...amountsOf(offer)].map(([period, amount]) => {
        const place = placeOf(holder, offer, period, at)
        return most(posted, place.amount) + most(spending.unspentOf(place, amount, offer.version), 0n)
      })
      return bounds.length === 0 ? null : bounds.reduce((a, b) => (a < b ? a : b))
    },
    hold: (holder, offer, at, { posted, gross }) => {
      const amounts = offer === null ? new Map<Period, bigint>() : amountsOf(offer)
      for (const period of PERIODS) {
        const name = reservationName({ ...holder, period })
        const kept = held.get(name)
        const place = offer === null ? null : placeOf(holder, offer, period, at)
        // What was earned before the budget was there is not the budget's.
        const wanted = place === null ? 0n : most(gross - most(posted - place.amount, 0n), 0n)
        const amount = place === null || amounts.has(period) || wanted < place.amount ? wanted : place.amount
        const next = place === null || amount === 0n ? undefined : { ...place, amount }
        if (kept?.amount === next?.amount && kept?.offerUid === next?.offerUid) continue
        if (kept !== undefined) spending.take(kept, -kept.amount, null)
        if (next !== undefined) spending.take(next, next.amount, offer)
        if (next === undefined) held.delete(name)
        else held.set(name, next)
      }
    },
    takes: spending.takes,
    reservations: () => {
      const differs = (a: Reservation, b: Reservation | undefined): boolean =>
        a.amount !== b?.amount || budgetName(a) !== budgetName(b)
      return {
        freed: [...before].filter(([name, one]) => differs(one, held.get(name))).map(([, one]) => one),
        held: [...held].filter(([name, one]) => differs(one, before.get(name))).map(([, one]) => one),
      }
    },
  }
}

/** What is left of budgets, less what was taken from them here. */
function openSpending(states: readonly BudgetState[]) {
  const known = new Map(states.map((state) => [budgetName(state), state]))
  const takes = new Map<string, Take>()
  const spent = new Map<string, bigint>()
  return {
    unspentOf: (key: BudgetKey, budget: bigint, version: number): bigint => {
      const state = known.get(budgetName(key))
      const changed = state !== undefined && version > state.offerVersion ? budget - state.amount : 0n
      return (state === undefined ? budget : state.unspent + changed) - (spent.get(budgetName(key)) ?? 0n)
    },
    /** @param offer whose budgets of today are meant; null where something is given back. */
    take: (
      { userId, offerUid, environment, period, startsOn }: Reservation,
      amount: bigint,
      offer: Offer | null,
    ): void => {
      const name = budgetName({ offerUid, environment, period, startsOn })
      const sum = takes.get(`${userId} ${name}`)
      const budget = offer === null ? undefined : amountsOf(offer).get(period)
      takes.set(`${userId} ${name}`, {
        offerUid,
        environment,
        period,
        startsOn,
        userId,
        amount: (sum?.amount ?? 0n) + amount,
        budget: budget ?? sum?.budget ?? known.get(name)?.amount ?? 0n,
        offerVersion: budget === undefined ? (sum?.offerVersion ?? 0) : (offer?.version ?? 0),
      })
      spent.set(name, (spent.get(name) ?? 0n) + amount)
    },
    takes: (): Take[] => [...takes.values()].filter((one) => one.amount !== 0n),
  }
}

function amountsOf({ conditions: { budgets } }: Offer): Map<Period, bigint> {
  return new Map(budgets.map(({ period, amount }) => [period, amount]))
}

function reservationName({ userId, transactionId, period }: Holder & { readonly period: Period }): string {
  return `${userId} ${transactionId} ${period}`
}

function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
