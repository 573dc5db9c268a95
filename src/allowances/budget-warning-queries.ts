import { plainArray, type Tx } from '../platform/database.ts'
import type { BudgetState } from './budgets.ts'

export type Warning = BudgetState & { readonly percent: number }

/** Those of them that nobody has told yet; who else is about to is waited for. */
export async function insertWarnings<One extends Warning>(tx: Tx, reached: readonly One[], now: Date): Promise<One[]> {
  const rows = await tx<{ ordinal: number }[]>`
    with given as (
      select offer_uid, period, starts_on, environment, amount, percent, ordinal
      from unnest(
        ${reached.map((one) => one.offerUid)}::text[], ${plainArray(reached.map((one) => one.period))}::text::text[],
        ${plainArray(reached.map((one) => one.startsOn))}::text::date[], ${plainArray(reached.map((one) => one.environment))}::text::text[],
        ${plainArray(reached.map((one) => one.amount))}::text::int8[], ${plainArray(reached.map((one) => one.percent))}::text::int[]
      ) with ordinality as given (offer_uid, period, starts_on, environment, amount, percent, ordinal)
    ), inserted as (
      insert into budget_warnings (offer_uid, period, starts_on, environment, amount, percent, warned_at)
      select offer_uid, period, starts_on, environment, amount, percent, ${now}
      from given
      order by offer_uid, period, starts_on, environment, amount, percent
      on conflict do nothing
      returning offer_uid, period, starts_on, environment, amount, percent
    )
    select (ordinal - 1)::int as ordinal
    from inserted
    join given using (offer_uid, period, starts_on, environment, amount, percent)
    order by ordinal`
  return rows.flatMap(({ ordinal }) => reached[ordinal] ?? [])
}
