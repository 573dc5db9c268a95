import { given, type Tx } from '../platform/database.ts'
import type { BudgetState } from './budgets.ts'

export type Warning = BudgetState & { readonly percent: number }

/** Inserts the warnings and returns the new ones. Waits for other processes that insert the same. */
export async function insertWarnings<One extends Warning>(tx: Tx, reached: readonly One[], now: Date): Promise<One[]> {
  const rows = reached.map((one, ordinal) => ({ ...one, ordinal }))
  const inserted = await tx<{ ordinal: number }[]>`
    with given as (
      select offer_uid, period, starts_on, environment, amount, percent, ordinal
      from ${given(tx, rows, {
        ...{ offerUid: 'text', period: 'plain', startsOn: 'date', environment: 'plain', amount: 'int8' },
        ...{ percent: 'int4', ordinal: 'int4' },
      })}
    ), inserted as (
      insert into budget_warnings (offer_uid, period, starts_on, environment, amount, percent, warned_at)
      select offer_uid, period, starts_on, environment, amount, percent, ${now}
      from given
      order by offer_uid, period, starts_on, environment, amount, percent
      on conflict do nothing
      returning offer_uid, period, starts_on, environment, amount, percent
    )
    select ordinal
    from inserted
    join given using (offer_uid, period, starts_on, environment, amount, percent)
    order by ordinal`
  return inserted.flatMap(({ ordinal }) => reached[ordinal] ?? [])
}
