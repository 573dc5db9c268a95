import { addDays, type Day, toDay } from '../../platform/calendar.ts'
import type { Database, Reader } from '../../platform/db/database.ts'
import { formatDecimal } from '../../platform/money.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { type CatalogStore, type Offer, PERIODS } from '../catalog/index.ts'
import { listSpentBudgets } from './budget-queries.ts'
import { insertWarnings, type Warning } from './budget-warning-queries.ts'
import type { BudgetState } from './budgets.ts'
import { findPeriodStart } from './periods.ts'
import { isExhausted } from './used-up.ts'

type Deps = { readonly db: Database; readonly catalog: Pick<CatalogStore, 'current'>; readonly log: Log }

// Leaves the advertiser time to raise the budget before it is spent and the offer is delisted.
export const NEARLY_SPENT_PERCENT = 80
const PERCENTS = [NEARLY_SPENT_PERCENT, 100] as const
// Banks report most purchases within a few days.
const LOOK_BACK_DAYS = 7

/**
 * Logs a warning for each nearly spent and each spent budget, once per period and amount across all processes. A
 * warning may be logged again after a crash. Ignores the budgets of sandboxes with moved clocks.
 */
export async function warnAboutBudgets({ db, catalog, log }: Deps, now: Date): Promise<void> {
  const states = await listSpentLately(db.reader, toDay(now, 'UTC'))
  const { offers } = await catalog.current()
  const reached = states.flatMap((state) => findWarnings(state, offers.get(state.offerUid)))
  if (reached.length === 0) return
  await db.transaction(async (tx) => {
    for (const one of await insertWarnings(tx, reached, now)) {
      const currency = offers.get(one.offerUid)?.currency ?? 'USD'
      log.warn(
        {
          offer_uid: one.offerUid,
          environment: one.environment,
          period: one.period,
          from: one.startsOn,
          amount: formatDecimal(one.amount, currency),
          spent: formatDecimal(one.amount - one.unspent, currency),
          currency,
          percent: one.percent,
        },
        one.percent === 100 ? "an offer's budget is spent" : "an offer's budget is nearly spent",
      )
    }
  })
}

async function listSpentLately(reader: Reader, today: Day): Promise<BudgetState[]> {
  const days = Array.from({ length: LOOK_BACK_DAYS }, (_, back) => addDays(today, -back))
  return listSpentBudgets(
    reader,
    PERIODS.flatMap((period) =>
      [...new Set(days.map((day) => findPeriodStart(period, day)))].map((startsOn) => ({ period, startsOn })),
    ),
  )
}

/** Returns the warnings due for a budget. A budget whose remainder is too small for any reward is treated as spent. */
function findWarnings(state: BudgetState, offer: Offer | undefined): Warning[] {
  const spent = state.amount - state.unspent
  const isSpent = isExhausted(offer, state)
  return PERCENTS.filter((percent) => isSpent || spent * 100n >= state.amount * BigInt(percent)).map((percent) => ({
    ...state,
    percent,
  }))
}
