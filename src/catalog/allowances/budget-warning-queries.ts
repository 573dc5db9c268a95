import { asTable, type Tx } from '../../platform/db/database.ts'
import { BUDGET_KEY } from './budget-queries.ts'
import { type BudgetState, nameBudget } from './budgets.ts'

export type Warning = BudgetState & { readonly percent: number }

/** Inserts the warnings and returns the new ones. Waits for other processes inserting the same warnings. */
export async function insertWarnings(tx: Tx, reached: readonly Warning[], now: Date): Promise<Warning[]> {
  const rows = await tx<Warning[]>`
    insert into budget_warnings (offer_uid, period, starts_on, environment, amount, percent, warned_at)
    select offer_uid, period, starts_on, environment, amount, percent, ${now}
    from ${asTable(tx, reached, { ...BUDGET_KEY, amount: 'int8', percent: 'int4' })}
    order by offer_uid, period, starts_on, environment, amount, percent
    on conflict do nothing
    returning offer_uid, period, starts_on, environment, amount, percent`
  const toName = (one: Warning): string => `${nameBudget(one)} ${one.percent}`
  const inserted = new Set(rows.map(toName))
  return reached.filter((one) => inserted.has(toName(one)))
}
