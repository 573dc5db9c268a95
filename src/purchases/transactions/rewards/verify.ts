import { listBudgetDifferences } from '../../../catalog/allowances/index.ts'
import { DIFFERENCES_MAX, type Difference, selectBookedRewards, selectPendingBalances } from '../../../ledger/index.ts'
import type { Reader, SqlPart } from '../../../platform/db/database.ts'
import { listStoredCounts, listTrueCounts } from './count-queries.ts'

/**
 * Selects the rewards that should be booked for each transaction. Its counterpart `selectBookedRewards` selects those
 * that were booked.
 */
export const selectRewardsToBook = (reader: Reader): SqlPart => reader`
  -- all publishers: all users: the operator's proof over all rewards
  select publisher_id, user_id, transaction_id, currency, user_amount, publisher_amount, fee_amount,
    case status when 'PENDING' then user_amount + publisher_amount + fee_amount else 0 end as pending
  from transactions`

/**
 * Compares each transaction's amounts and currency with its postings, pending rewards with user balances, budgets with
 * their holds (no purchase may hold more budget than it earns), and stored transaction counts with the transactions.
 */
export async function verifyRewards(reader: Reader): Promise<Difference[]> {
  const posted = await reader<Difference[]>`
    -- all publishers: the operator's proof over all rewards
    select 'reward_posted' as check, 'transaction ' || t.transaction_id || ' ' || c.name as where, coalesce(c.booked, '0') as expected, c.shown as found
    from (${selectRewardsToBook(reader)}) as t left join (${selectBookedRewards(reader)}) as b on b.user_id = t.user_id and b.cause_id = t.transaction_id
    cross join lateral (values
      ('user', b.user_amount::text, t.user_amount::text), ('publisher', b.publisher_amount::text, t.publisher_amount::text),
      ('fee', b.fee_amount::text, t.fee_amount::text), ('pending', b.pending::text, t.pending::text),
      ('currency', coalesce(b.currency, t.currency), t.currency)
    ) as c (name, booked, shown)
    where (coalesce(b.user_amount, 0), coalesce(b.publisher_amount, 0), coalesce(b.fee_amount, 0), coalesce(b.pending, 0),
        coalesce(b.currency, t.currency)) <> (t.user_amount, t.publisher_amount, t.fee_amount, t.pending, t.currency)
      and coalesce(c.booked, '0') <> c.shown
    limit ${DIFFERENCES_MAX}`
  const pending = await reader<Difference[]>`
    -- all publishers: the operator's proof over all rewards
    select 'pending_rewards' as check, 'user ' || b.user_id as where, coalesce(sum(t.user_amount), 0)::text as expected, b.pending::text as found
    from (${selectPendingBalances(reader)}) as b left join transactions t on t.user_id = b.user_id and t.currency = b.currency and t.status = 'PENDING'
    group by b.user_id, b.currency, b.pending
    having coalesce(sum(t.user_amount), 0) <> b.pending
    limit ${DIFFERENCES_MAX}`
  const reserved = await reader<Difference[]>`
    -- all publishers: the operator's proof over all budgets
    select 'budget_reserved' as check, 'transaction ' || r.transaction_id || ' ' || r.period as where,
      'at most ' || coalesce(sum(t.gross), 0)::text as expected, r.amount::text as found
    from allowance_holds r
    left join transactions t on t.user_id = r.user_id and coalesce(t.adjusts, t.transaction_id) = r.transaction_id
    where r.kind = 'budget'
    group by r.user_id, r.transaction_id, r.period, r.amount
    having r.amount > coalesce(sum(t.gross), 0)
    limit ${DIFFERENCES_MAX}`
  return [...posted, ...pending, ...reserved, ...(await listBudgetDifferences(reader)), ...(await countsOff(reader))]
}

/** Checks the stored counts that lists display. */
async function countsOff(reader: Reader): Promise<Difference[]> {
  const [stored, counted] = [await listStoredCounts(reader), await listTrueCounts(reader)]
  const differences: Difference[] = []
  for (const where of new Set([...stored.keys(), ...counted.keys()])) {
    const [expected, found] = [counted.get(where) ?? 0n, stored.get(where) ?? 0n]
    if (expected !== found)
      differences.push({ check: 'transaction_counts', where, expected: `${expected}`, found: `${found}` })
  }
  return differences.slice(0, DIFFERENCES_MAX)
}
