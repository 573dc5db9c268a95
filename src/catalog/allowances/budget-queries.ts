import { DIFFERENCES_MAX, type Difference } from '../../ledger/index.ts'
import { asTable, type Reader, type Tx } from '../../platform/db/database.ts'
import type { BudgetKey, BudgetState } from './budgets.ts'

// A budget is shared by the users of all publishers in an environment, so these tables have an environment but no
// publisher.

export type Slot = BudgetKey & { readonly slot: number; readonly unspent: bigint; readonly isOverspent: boolean }

export const BUDGET_KEY = { offerUid: 'text', period: 'plain', startsOn: 'date', environment: 'plain' } as const

/** Builds a budget's key as a row value, for comparisons. */
const buildKey = (reader: Reader, table: 'b' | 's' | 'given') => {
  const of = reader(table)
  return reader`(${of}.offer_uid, ${of}.period, ${of}.starts_on, ${of}.environment)`
}

const columns = (reader: Reader) => reader`
  b.offer_uid, b.period, b.starts_on, b.environment, b.amount, b.offer_version, b.slots`
const unspent = (reader: Reader) => reader`
  (select sum(s.unspent) from offer_budget_slots s where ${buildKey(reader, 's')} = ${buildKey(reader, 'b')})::int8 as unspent`

/** Reads budgets without locking them. Other transactions may be spending from them concurrently. */
export async function listBudgets(reader: Reader, keys: readonly BudgetKey[]): Promise<BudgetState[]> {
  return reader<BudgetState[]>`
    select ${columns(reader)}, ${unspent(reader)}
    from ${asTable(reader, keys, BUDGET_KEY)}
    join offer_budgets b on ${buildKey(reader, 'b')} = ${buildKey(reader, 'given')}`
}

/** Lists all budgets with any spending in these periods, ordered by offer. */
export async function listSpentBudgets(
  reader: Reader,
  periods: readonly Pick<BudgetKey, 'period' | 'startsOn'>[],
): Promise<BudgetState[]> {
  return reader<BudgetState[]>`
    select ${columns(reader)}, ${unspent(reader)}
    from ${asTable(reader, periods, { period: 'plain', startsOn: 'date' })}
    join offer_budgets b on b.period = given.period and b.starts_on = given.starts_on
    order by b.offer_uid, b.period, b.environment`
}

/**
 * Selects the offers that have spent at least the given percentage of a budget in these periods, measured against the
 * catalog's current amount. `since` is when the log first warned about the budget, or now.
 */
export function selectNearlySpent(
  reader: Reader,
  periods: readonly Pick<BudgetKey, 'period' | 'startsOn'>[],
  percent: number,
  now: Date,
) {
  return reader<{ offerUid: string; since: Date }[]>`
    select b.offer_uid, min(coalesce(b.warned_at, ${now})) as since
    from (
      select ${columns(reader)}, ${unspent(reader)}, (
          select min(w.warned_at) from budget_warnings w
          where (w.offer_uid, w.period, w.starts_on, w.environment, w.amount) = (b.offer_uid, b.period, b.starts_on, b.environment, b.amount)
        ) as warned_at
      from ${asTable(reader, periods, { period: 'plain', startsOn: 'date' })}
      join offer_budgets b on b.period = given.period and b.starts_on = given.starts_on
    ) as b
    join offers o on o.offer_uid = b.offer_uid and o.retired_at is null
    cross join lateral jsonb_to_recordset(o.conditions -> 'budgets') as present (period text, amount bigint)
    where present.period = b.period
      and (b.amount - b.unspent) * 100 >= ${percent} * case when o.version > b.offer_version then present.amount else b.amount end
    group by b.offer_uid`
}

/**
 * Opens budgets along with their slots. A concurrent call waits for the first one to finish and then finds the budgets
 * open.
 */
export async function openBudgetSlots(
  tx: Tx,
  budgets: readonly Omit<BudgetState, 'unspent'>[],
  slots: readonly Slot[],
): Promise<void> {
  await tx`
    with opened as (
      insert into offer_budgets (offer_uid, period, starts_on, environment, amount, offer_version, slots)
      select offer_uid, period, starts_on, environment, amount, offer_version, slots
      from ${asTable(tx, budgets, { ...BUDGET_KEY, amount: 'int8', offerVersion: 'int4', slots: 'int4' })}
      order by offer_uid, period, starts_on, environment
      on conflict do nothing
      returning offer_uid, period, starts_on, environment
    )
    insert into offer_budget_slots (offer_uid, period, starts_on, environment, slot, unspent)
    select offer_uid, period, starts_on, environment, slot, unspent
    from ${asTable(tx, slots, { ...BUDGET_KEY, slot: 'int2', unspent: 'int8' })}
    join opened using (offer_uid, period, starts_on, environment)`
}

/** Locks these slots, or all slots of these budgets, always in the same order. */
export async function lockSlots(tx: Tx, wanted: readonly (BudgetKey & { readonly slot?: number })[]): Promise<Slot[]> {
  return tx<Slot[]>`
    select s.offer_uid, s.period, s.starts_on, s.environment, s.slot, s.unspent, s.is_overspent
    from ${asTable(tx, wanted, { ...BUDGET_KEY, slot: 'int2' })}
    join offer_budget_slots s on ${buildKey(tx, 's')} = ${buildKey(tx, 'given')} and s.slot = coalesce(given.slot, s.slot)
    order by s.offer_uid, s.period, s.starts_on, s.environment, s.slot
    for update of s`
}

/** Locks budgets; call it before locking slots. Does not block inserts whose foreign keys reference a budget. */
export async function lockBudgets(tx: Tx, keys: readonly BudgetKey[]): Promise<Omit<BudgetState, 'unspent'>[]> {
  return tx<Omit<BudgetState, 'unspent'>[]>`
    select ${columns(tx)}
    from ${asTable(tx, keys, BUDGET_KEY)}
    join offer_budgets b on ${buildKey(tx, 'b')} = ${buildKey(tx, 'given')}
    order by b.offer_uid, b.period, b.starts_on, b.environment
    for no key update of b`
}

/** Writes slots that the caller has locked. */
export async function writeSlots(tx: Tx, slots: readonly Slot[]): Promise<void> {
  await tx`
    insert into offer_budget_slots as s (offer_uid, period, starts_on, environment, slot, unspent, is_overspent)
    select offer_uid, period, starts_on, environment, slot, unspent, is_overspent
    from ${asTable(tx, slots, { ...BUDGET_KEY, slot: 'int2', unspent: 'int8', isOverspent: 'bool' })}
    on conflict (offer_uid, period, starts_on, environment, slot) do update set unspent = excluded.unspent, is_overspent = excluded.is_overspent
    where s.unspent <> excluded.unspent or s.is_overspent <> excluded.is_overspent`
}

/** Writes budgets that the caller has locked. */
export async function writeBudgets(tx: Tx, budgets: readonly Omit<BudgetState, 'unspent'>[]): Promise<void> {
  await tx`
    update offer_budgets b set amount = given.amount, offer_version = given.offer_version, slots = given.slots
    from ${asTable(tx, budgets, { ...BUDGET_KEY, amount: 'int8', offerVersion: 'int4', slots: 'int4' })}
    where ${buildKey(tx, 'b')} = ${buildKey(tx, 'given')}
      and (b.amount, b.offer_version, b.slots) <> (given.amount, given.offer_version, given.slots)`
}

/** Lists budgets whose spent amount differs from the sum of their holds. */
export async function listBudgetDifferences(reader: Reader): Promise<Difference[]> {
  return reader<Difference[]>`
    -- all publishers: a budget is spent by the users of all of them
    with reserved as (
      select offer_uid, period, starts_on, environment, sum(amount) as total
      from allowance_holds join publishers using (publisher_id)
      where kind = 'budget'
      group by offer_uid, period, starts_on, environment
    ), spent as (
      select b.offer_uid, b.period, b.starts_on, b.environment, b.amount - coalesce(sum(s.unspent), 0) as total
      from offer_budgets b left join offer_budget_slots s using (offer_uid, period, starts_on, environment)
      group by b.offer_uid, b.period, b.starts_on, b.environment
    )
    select 'budget_spent' as check, concat_ws(' ', 'offer', offer_uid, period, starts_on, environment) as where,
      coalesce(reserved.total, 0)::text as expected, coalesce(spent.total, 0)::text as found
    from spent full join reserved using (offer_uid, period, starts_on, environment)
    where coalesce(reserved.total, 0) <> coalesce(spent.total, 0)
    limit ${DIFFERENCES_MAX}`
}
