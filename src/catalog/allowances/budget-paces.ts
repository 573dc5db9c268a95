import { addDays, type Day, startOfDay, toDay } from '../../platform/calendar.ts'
import type { Reader } from '../../platform/db/database.ts'
import type { WaitingCount } from '../../platform/queue/waiting.ts'
import { type OfferOfCatalog, PERIODS, type Period } from '../catalog/index.ts'
import { listBudgets, selectNearlySpent } from './budget-queries.ts'
import { type BudgetKey, type BudgetState, nameBudget } from './budgets.ts'
import { ENVIRONMENTS, type OfferBudgetRow } from './operator-schema.ts'
import { findPeriodStart } from './periods.ts'

type OfferWithPaces = OfferOfCatalog & { readonly paces: readonly OfferBudgetRow[] }

/** Adds the budgets of each offer: all production budgets, and the sandbox budgets with any spending. */
export async function addPaces(
  reader: Reader,
  offers: readonly OfferOfCatalog[],
  now: Date,
): Promise<OfferWithPaces[]> {
  const today = toDay(now, 'UTC')
  const listKeys = ({ offerUid, budgets }: OfferOfCatalog) =>
    budgets.flatMap(({ period, amount }) =>
      ENVIRONMENTS.map((environment) => ({
        offerUid,
        period,
        startsOn: findPeriodStart(period, today),
        environment,
        catalogAmount: BigInt(amount),
      })),
    )
  const states = await listBudgets(reader, offers.flatMap(listKeys))
  const known = new Map(states.map((state) => [nameBudget(state), state]))
  return offers.map((offer) => ({
    ...offer,
    paces: listKeys(offer).flatMap((key) => {
      const state = known.get(nameBudget(key))
      return state === undefined && key.environment === 'sandbox' ? [] : toPace(offer, key, state, now)
    }),
  }))
}

function toPace(
  offer: OfferOfCatalog,
  { environment, period, catalogAmount }: BudgetKey & { readonly catalogAmount: bigint },
  state: BudgetState | undefined,
  now: Date,
): OfferBudgetRow {
  const amount = state === undefined || offer.version > state.offerVersion ? catalogAmount : state.amount
  const spent = state === undefined ? 0n : state.amount - state.unspent
  const [startsOn, endsOn] = toDays(period, offer, toDay(now, 'UTC'))
  return {
    environment,
    period,
    startsOn,
    endsOn,
    currency: offer.currency,
    amount,
    spent,
    left: spent < amount ? amount - spent : 0n,
    spentPercent: amount === 0n ? 100 : Number((spent * 100n) / amount),
    elapsedPercent: elapsedPercent(startsOn, endsOn, now),
  }
}

function toDays(period: Period, { startDate, endDate }: OfferOfCatalog, today: Day): [Day | null, Day | null] {
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
