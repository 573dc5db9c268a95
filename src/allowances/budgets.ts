import type { Offer, Period } from '../catalog/index.ts'
import { type Day, dayOf } from '../platform/calendar.ts'
import type { TransactionId, UserId } from '../platform/ids.ts'
import type { Publisher } from '../publishers/index.ts'
import { periodStart } from './periods.ts'

/**
 * A budget is what an offer may cost its advertiser, in commission, in one period of the UTC calendar. A purchase holds as
 * much of each budget of its offer as it earns. What it gives back goes to the period that it was taken from. Sandboxes
 * spend a budget of their own, of the same amount: test money takes nothing from a real user.
 */
export type BudgetKey = {
  readonly offerUid: string
  readonly environment: Publisher['environment']
  readonly period: Period
  readonly startsOn: Day
}
/** A budget as stored. */
export type BudgetState = BudgetKey & {
  readonly amount: bigint
  readonly offerVersion: number
  readonly slots: number
  readonly unspent: bigint
}
/** A budget as an offer has it today, in the period in which a purchase counts. */
export type OfferBudget = BudgetKey & { readonly budget: bigint; readonly offerVersion: number }
export type Holder = { readonly userId: UserId; readonly transactionId: TransactionId }
/** What one user's purchases take of a budget, or with a minus give back. */
export type Take = OfferBudget & { readonly userId: UserId; readonly amount: bigint }

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

/** What is left of budgets while purchases are decided, less what is taken of them here. */
export type Spending = {
  /** What anybody may still take of a budget that the offer has today. Never less than nothing. */
  unspentOf(budget: OfferBudget): bigint
  /** What the user's purchases held and have given back: reserved for that user until their turn is over. */
  givenBackBy(userId: UserId, key: BudgetKey): bigint
  /** @param amount less than nothing gives back */
  take(userId: UserId, budget: OfferBudget, amount: bigint): void
  /** What the user has given back and not taken again is anybody's. */
  endTurn(userId: UserId): void
  takes(): Take[]
}

export function openSpending(states: readonly BudgetState[]): Spending {
  const known = new Map(states.map((state) => [budgetName(state), state]))
  const takes = new Map<string, Take>()
  const spent = new Map<string, bigint>()
  const givenBack = new Map<string, { readonly userId: UserId; readonly name: string; readonly amount: bigint }>()
  const spend = (name: string, amount: bigint) => spent.set(name, (spent.get(name) ?? 0n) + amount)
  return {
    unspentOf: (budget) => {
      const state = known.get(budgetName(budget))
      const changed =
        state !== undefined && budget.offerVersion > state.offerVersion ? budget.budget - state.amount : 0n
      const unspent = state === undefined ? budget.budget : state.unspent + changed
      return most(unspent - (spent.get(budgetName(budget)) ?? 0n), 0n)
    },
    givenBackBy: (userId, key) => givenBack.get(`${userId} ${budgetName(key)}`)?.amount ?? 0n,
    take: (userId, { offerUid, environment, period, startsOn, budget, offerVersion }, amount) => {
      const key = { offerUid, environment, period, startsOn }
      const name = budgetName(key)
      const own = `${userId} ${name}`
      const kept = givenBack.get(own)?.amount ?? 0n
      const fromOwn = amount < kept ? amount : kept
      if (fromOwn !== 0n) givenBack.set(own, { userId, name, amount: kept - fromOwn })
      spend(name, amount - fromOwn)
      const before = takes.get(own)
      const newest = before === undefined || offerVersion >= before.offerVersion ? { budget, offerVersion } : before
      takes.set(own, {
        ...key,
        userId,
        amount: (before?.amount ?? 0n) + amount,
        budget: newest.budget,
        offerVersion: newest.offerVersion,
      })
    },
    endTurn: (userId) => {
      for (const [own, kept] of givenBack) {
        if (kept.userId !== userId) continue
        spend(kept.name, -kept.amount)
        givenBack.delete(own)
      }
    },
    takes: () => [...takes.values()].filter(({ amount }) => amount !== 0n),
  }
}

function amountsOf({ conditions: { budgets } }: Offer): Map<Period, bigint> {
  return new Map(budgets.map(({ period, amount }) => [period, amount]))
}

function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
