import { type Day, toDay } from '../../platform/calendar.ts'
import type { TransactionId, UserId } from '../../platform/ids.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import type { Offer, Period } from '../catalog/index.ts'
import { findPeriodStart } from './periods.ts'

/**
 * A budget caps the commission that an offer may cost its advertiser in a period of the UTC calendar. A purchase holds
 * its commission in every budget of its offer, and anything it gives back returns to the period it was taken from.
 * Sandboxes share a separate budget of the same amount.
 */
export type BudgetKey = {
  readonly offerUid: string
  readonly environment: Publisher['environment']
  readonly period: Period
  readonly startsOn: Day
}
/** A stored budget. Amounts are in minor units. */
export type BudgetState = BudgetKey & {
  readonly amount: bigint
  readonly offerVersion: number
  readonly slots: number
  readonly unspent: bigint
}
/** An offer's current budget for the period of a purchase. */
export type OfferBudget = BudgetKey & { readonly budget: bigint; readonly offerVersion: number }
export type Holder = { readonly userId: UserId; readonly transactionId: TransactionId }
/** The amount a user's purchases take from a budget; negative if they give some back. */
export type Take = OfferBudget & { readonly userId: UserId; readonly amount: bigint }

export function nameBudget({ offerUid, environment, period, startsOn }: BudgetKey): string {
  return `${offerUid} ${period} ${startsOn} ${environment}`
}

/** Returns an offer's budgets for a purchase at this time. */
export function toBudgets({ environment }: Pick<Publisher, 'environment'>, offer: Offer, at: Date): OfferBudget[] {
  const { offerUid, version } = offer
  const day = toDay(at, 'UTC')
  return offer.conditions.budgets.map(({ period, amount: budget }) => ({
    offerUid,
    environment,
    period,
    startsOn: findPeriodStart(period, day),
    budget,
    offerVersion: version,
  }))
}

/** Returns how much a newer version of the offer raises a stored budget; negative if it lowers it. */
export function computeRaise(budget: bigint, offerVersion: number, state: Omit<BudgetState, 'unspent'>): bigint {
  return offerVersion > state.offerVersion ? budget - state.amount : 0n
}

/** The state of the budgets during a replay. */
export type Spending = {
  /** Returns how much any user may still take. Never negative. */
  getUnspent(budget: OfferBudget): bigint
  /** Returns the amount that the user's purchases have given back. It stays reserved for the user until `endTurn`. */
  givenBackBy(userId: UserId, key: BudgetKey): bigint
  /** @param amount negative to give back */
  take(userId: UserId, budget: OfferBudget, amount: bigint): void
  /** Releases to everyone the amounts that the user gave back and did not take again. */
  endTurn(userId: UserId): void
  takes(): Take[]
}

export function openSpending(states: readonly BudgetState[]): Spending {
  const known = new Map(states.map((state) => [nameBudget(state), state]))
  const takes = new Map<string, Take>()
  const spent = new Map<string, bigint>()
  const givenBack = new Map<string, { readonly userId: UserId; readonly name: string; readonly amount: bigint }>()
  const spend = (name: string, amount: bigint) => spent.set(name, (spent.get(name) ?? 0n) + amount)
  return {
    getUnspent: (budget) => {
      const name = nameBudget(budget)
      const state = known.get(name)
      const unspent =
        state === undefined ? budget.budget : state.unspent + computeRaise(budget.budget, budget.offerVersion, state)
      const left = unspent - (spent.get(name) ?? 0n)
      return left > 0n ? left : 0n
    },
    givenBackBy: (userId, key) => givenBack.get(`${userId} ${nameBudget(key)}`)?.amount ?? 0n,
    take: (userId, budget, amount) => {
      const name = nameBudget(budget)
      const own = `${userId} ${name}`
      const kept = givenBack.get(own)?.amount ?? 0n
      const fromOwn = amount < kept ? amount : kept
      if (fromOwn !== 0n) givenBack.set(own, { userId, name, amount: kept - fromOwn })
      spend(name, amount - fromOwn)
      const before = takes.get(own)
      const newest = before === undefined || budget.offerVersion >= before.offerVersion ? budget : before
      takes.set(own, { ...newest, userId, amount: (before?.amount ?? 0n) + amount })
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
