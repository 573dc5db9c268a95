import { addDays, type Day, startOfDay, toDay } from '../../platform/calendar.ts'
import type { Reader } from '../../platform/db/database.ts'
import type { WaitingCount } from '../../platform/queue/waiting.ts'
import type { Environment } from '../../tenants/publishers/index.ts'
import { PERIODS, type Period } from '../catalog/index.ts'
import { listBudgets, selectNearlySpent } from './budget-queries.ts'
import { type BudgetState, nameBudget } from './budgets.ts'
import { findPeriodStart } from './periods.ts'

/** An offer and its budgets according to the catalog, in minor units. */
export type BudgetedOffer = {
  readonly offerUid: string
  readonly version: number
  readonly startDate: Day | null
  readonly endDate: Day | null
  readonly budgets: readonly { readonly period: Period; readonly amount: bigint }[]
}

/** A budget in its current period and its spending rate, in minor units. */
export type BudgetPace = {
  readonly environment: Environment
  readonly period: Period
  /** Inclusive, as is `endsOn`; null if unknown. */
  readonly startsOn: Day | null
  readonly endsOn: Day | null
  readonly amount: bigint
  /** Commission on pending and earned purchases. May exceed the amount if the budget was lowered. */
  readonly spent: bigint
  readonly spentPercent: number
  /** The percentage of the period that has elapsed; null if unknown. */
  readonly elapsedPercent: number | null
}

const ENVIRONMENTS = ['production', 'sandbox'] as const

/** Returns the budgets of each offer: all production budgets, and the sandbox budgets with any spending. */
export async function readPaces(
  reader: Reader,
  offers: readonly BudgetedOffer[],
  now: Date,
): Promise<ReadonlyMap<string, readonly BudgetPace[]>> {
  const today = toDay(now, 'UTC')
  const wanted = offers.flatMap((offer) =>
    offer.budgets.flatMap((budget) =>
      ENVIRONMENTS.map((environment) => ({
        offer,
        budget,
        environment,
        key: {
          offerUid: offer.offerUid,
          period: budget.period,
          startsOn: findPeriodStart(budget.period, today),
          environment,
        },
      })),
    ),
  )
  const states = await listBudgets(
    reader,
    wanted.map(({ key }) => key),
  )
  const known = new Map(states.map((state) => [nameBudget(state), state]))
  const paces = wanted.flatMap(({ offer, budget, environment, key }) => {
    const state = known.get(nameBudget(key))
    if (state === undefined && environment === 'sandbox') return []
    return { offerUid: offer.offerUid, pace: toPace(offer, budget, { environment, state, now }) }
  })
  const byOffer = Map.groupBy(paces, ({ offerUid }) => offerUid)
  return new Map([...byOffer].map(([offerUid, of]) => [offerUid, of.map(({ pace }) => pace)]))
}

type Spent = { readonly environment: Environment; readonly state: BudgetState | undefined; readonly now: Date }

function toPace(
  offer: BudgetedOffer,
  { period, amount: present }: BudgetedOffer['budgets'][number],
  { environment, state, now }: Spent,
): BudgetPace {
  const amount = state === undefined || offer.version > state.offerVersion ? present : state.amount
  const spent = state === undefined ? 0n : state.amount - state.unspent
  const [startsOn, endsOn] = toDays(period, offer, toDay(now, 'UTC'))
  return {
    environment,
    period,
    startsOn,
    endsOn,
    amount,
    spent,
    spentPercent: amount === 0n ? 100 : Number((spent * 100n) / amount),
    elapsedPercent: elapsedPercent(startsOn, endsOn, now),
  }
}

function toDays(period: Period, { startDate, endDate }: BudgetedOffer, today: Day): [Day | null, Day | null] {
  const start = findPeriodStart(period, today)
  switch (period) {
    case 'DAY':
      return [start, start]
    case 'WEEK':
      return [start, addDays(start, 6)]
    case 'MONTH':
      return [start, addDays(findPeriodStart('MONTH', addDays(start, 31)), -1)]
    case 'LIFETIME':
      return [startDate, endDate]
  }
}

function elapsedPercent(startsOn: Day | null, endsOn: Day | null, now: Date): number | null {
  if (startsOn === null || endsOn === null) return null
  const [startMs, endMs] = [startOfDay(startsOn, 'UTC').getTime(), startOfDay(addDays(endsOn, 1), 'UTC').getTime()]
  const elapsed = Math.floor(((now.getTime() - startMs) * 100) / (endMs - startMs))
  return Math.min(100, Math.max(0, elapsed))
}

// Higher than the log's first warning threshold, because at this level a person has to decide.
const DECIDED_FROM_PERCENT = 90

/** Selects the offers with a nearly spent budget, with the time of each offer's first warning. */
export function selectOffersNearlySpent(reader: Reader, now: Date) {
  const today = toDay(now, 'UTC')
  const periods = PERIODS.map((period) => ({ period, startsOn: findPeriodStart(period, today) }))
  return selectNearlySpent(reader, periods, DECIDED_FROM_PERCENT, now)
}

/** Counts the offers that have spent 90% of a budget and will soon be delisted unless it is raised. */
export async function countNearlySpentBudgets(reader: Reader, now: Date): Promise<WaitingCount> {
  const offers = await selectOffersNearlySpent(reader, now)
  const oldest = Math.min(...offers.map(({ since }) => since.getTime()))
  return { count: offers.length, oldestAt: offers.length === 0 ? null : new Date(oldest) }
}
