import type { Reader } from '../platform/database.ts'

/** A value that differs from what the postings add up to. Amounts are decimal texts of minor units. */
export type Difference = {
  readonly check: string
  readonly where: string
  readonly expected: string
  readonly found: string
}

// A broken ledger could list millions of rows; a hundred of each kind show what is wrong.
export const DIFFERENCES_MAX = 100

/** Recomputes every journal, balance and rollup from the postings and returns each difference. Run it on a snapshot. */
export async function verifyLedger(reader: Reader): Promise<Difference[]> {
  // all publishers: the operator's proof over the whole ledger
  const unbalanced = await reader<Difference[]>`
    select 'journal_sums_to_zero' as check, 'journal ' || journal_id as where, '0' as expected, sum(amount)::text as found
    from postings group by user_id, journal_id having sum(amount) <> 0 limit ${DIFFERENCES_MAX}`
  return [...unbalanced, ...(await wrongBalances(reader)), ...(await wrongRollups(reader))]
}

async function wrongBalances(reader: Reader): Promise<Difference[]> {
  return reader<Difference[]>`
    -- all publishers: the operator's proof over the whole ledger
    with booked as (
      select user_id, currency,
        coalesce(-sum(amount) filter (where account = 'user_pending'), 0)::text as pending,
        coalesce(-sum(amount) filter (where account = 'user_available'), 0)::text as available,
        coalesce(-sum(amount) filter (where account = 'user_held'), 0)::text as held,
        coalesce(sum(amount) filter (where account = 'user_debt'), 0)::text as debt,
        coalesce(-sum(amount) filter (where account in ('user_pending', 'user_available', 'user_debt') and kind in ('accrual', 'clawback')), 0)::text as earned_total,
        coalesce(-sum(amount) filter (where account = 'payout_clearing'), 0)::text as redeemed_total
      from postings
      group by user_id, currency
    )
    select 'user_balance' as check, 'user ' || coalesce(s.user_id, b.user_id) || ' ' || c.name as where,
      coalesce(c.expected, '0') as expected, coalesce(c.found, '0') as found
    from user_balances s full join booked b on b.user_id = s.user_id and b.currency = s.currency
    cross join lateral (values
      ('pending', b.pending, s.pending::text), ('available', b.available, s.available::text), ('held', b.held, s.held::text),
      ('debt', b.debt, s.debt::text), ('earned_total', b.earned_total, s.earned_total::text), ('redeemed_total', b.redeemed_total, s.redeemed_total::text)
    ) as c (name, expected, found)
    where coalesce(c.expected, '0') <> coalesce(c.found, '0')
    limit ${DIFFERENCES_MAX}`
}

async function wrongRollups(reader: Reader): Promise<Difference[]> {
  return reader<Difference[]>`
    -- all publishers: the operator's proof over the whole ledger
    with booked as (
      select publisher_id, account, owner, currency, sum(amount) as total
      from postings where account not in ('user_pending', 'user_available', 'user_held', 'user_debt')
      group by publisher_id, account, owner, currency
    ), kept as (
      select publisher_id, account, owner, currency, sum(amount) as total
      from (
        select publisher_id, account, owner, currency, balance as amount from ledger_rollups
        union all
        select publisher_id, account, owner, currency, amount from ledger_deltas
      ) as parts
      group by publisher_id, account, owner, currency
    )
    select 'rollup' as check, concat_ws(' ', 'publisher', publisher_id, account, owner, currency) as where,
      coalesce(booked.total, 0)::text as expected, coalesce(kept.total, 0)::text as found
    from booked full join kept using (publisher_id, account, owner, currency)
    where coalesce(booked.total, 0) <> coalesce(kept.total, 0)
    limit ${DIFFERENCES_MAX}`
}

/** A query of the reward that is booked for each cause: user_id, cause_id, user_amount, publisher_amount, fee_amount. */
export const bookedRewards = (reader: Reader) => reader`
  -- all publishers: the operator's proof over all rewards
  select user_id, cause_id,
    coalesce(-sum(amount) filter (where account in ('user_pending', 'user_available', 'user_debt')), 0) as user_amount,
    coalesce(-sum(amount) filter (where account in ('publisher_pending', 'publisher_payable')), 0) as publisher_amount,
    coalesce(-sum(amount) filter (where account in ('fee_pending', 'fee_earned')), 0) as fee_amount
  from postings
  where kind in ('accrual', 'clawback')
  group by user_id, cause_id`

/** A query of the pending balance of each user: user_id, currency, pending. */
export const pendingBalances = (reader: Reader) => reader`
  -- all publishers: all users: the operator's proof over all rewards
  select user_id, currency, pending from user_balances`
