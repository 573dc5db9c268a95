import type { Reader, SqlPart } from '../platform/db/database.ts'

/** A value that differs from the postings. Amounts are decimal strings of minor units. */
export type Difference = {
  readonly check: string
  readonly where: string
  readonly expected: string
  readonly found: string
}

// A broken ledger could yield millions of differences. A hundred of each kind are enough to show what is wrong.
export const DIFFERENCES_MAX = 100

/**
 * Recomputes every journal, balance and rollup from the postings and returns the differences, at most `DIFFERENCES_MAX`
 * of each kind. Must run on a snapshot.
 * @param begin called with the name of each step before it starts
 */
export async function verifyLedger(
  reader: Reader,
  begin: (step: string) => void = () => undefined,
): Promise<Difference[]> {
  const postings = reader`select * from postings`
  begin('journals')
  const unbalanced = await listUnbalancedJournals(reader, postings)
  begin('user balances')
  const booked = reader`
    -- all publishers: all users: the operator's proof over the whole ledger
    select user_id, currency, ${selectBalanceSums(reader)}, 0 as digest from postings group by user_id, currency`
  const wrong = await listBalanceDifferences(reader, 'user_balance', booked, selectStoredBalances(reader))
  begin('shared accounts')
  return [...unbalanced, ...wrong, ...(await listRollupDifferences(reader, selectSharedSums(reader, postings)))]
}

export const listUnbalancedJournals = (reader: Reader, postings: SqlPart) => reader<Difference[]>`
  select 'journal_sums_to_zero' as check, 'journal ' || journal_id as where, '0' as expected, sum(amount)::text as found
  from (${postings}) as postings group by user_id, journal_id having sum(amount) <> 0 limit ${DIFFERENCES_MAX}`

/** The six balances of a user, as columns of a query that groups postings by user and currency. */
export const selectBalanceSums = (reader: Reader): SqlPart => reader`
  coalesce(-sum(amount) filter (where account = 'user_pending'), 0) as pending,
  coalesce(-sum(amount) filter (where account = 'user_available'), 0) as available,
  coalesce(-sum(amount) filter (where account = 'user_held'), 0) as held,
  coalesce(sum(amount) filter (where account = 'user_debt'), 0) as debt,
  coalesce(-sum(amount) filter (where account in ('user_pending', 'user_available', 'user_debt') and kind in ('accrual', 'clawback')), 0) as earned_total,
  coalesce(-sum(amount) filter (where account = 'payout_clearing' and kind <> 'payment'), 0) as redeemed_total`

export const selectStoredBalances = (reader: Reader): SqlPart => reader`
  -- all publishers: all users: the operator's proof over the whole ledger
  select user_id, currency, pending, available, held, debt, earned_total, redeemed_total, 0 as digest from user_balances`

/** SQL query for the sum of each shared account. */
export const selectSharedSums = (reader: Reader, postings: SqlPart): SqlPart => reader`
  -- all publishers: all users: the operator's proof over the whole ledger
  select publisher_id, account, owner, currency, sum(amount) as balance
  from (${postings}) as postings
  where account not in ('user_pending', 'user_available', 'user_held', 'user_debt')
  group by publisher_id, account, owner, currency`

/**
 * Compares the results of two queries for user_id, currency, the six balances and a digest. Compares entire rows first,
 * which is twice as fast as expanding the values of every row.
 */
export const listBalanceDifferences = (reader: Reader, check: string, expected: SqlPart, found: SqlPart) => reader<
  Difference[]
>`
  -- all publishers: all users: the operator's proof over the whole ledger
  select ${check} as check, 'user ' || user_id || ' ' || c.name as where,
    coalesce(c.expected, 0)::text as expected, coalesce(c.found, 0)::text as found
  from (${expected}) as e full join (${found}) as f using (user_id, currency)
  cross join lateral (values
    ('pending', e.pending, f.pending), ('available', e.available, f.available), ('held', e.held, f.held),
    ('debt', e.debt, f.debt), ('earned_total', e.earned_total, f.earned_total),
    ('redeemed_total', e.redeemed_total, f.redeemed_total), ('digest', e.digest, f.digest)
  ) as c (name, expected, found)
  where (e.pending, e.available, e.held, e.debt, e.earned_total, e.redeemed_total, e.digest)
      is distinct from (f.pending, f.available, f.held, f.debt, f.earned_total, f.redeemed_total, f.digest)
    and coalesce(c.expected, 0) <> coalesce(c.found, 0)
  limit ${DIFFERENCES_MAX}`

/** Compares the expected balances of shared accounts with their rollups plus the deltas still to be folded. */
export const listRollupDifferences = (reader: Reader, expected: SqlPart) => reader<Difference[]>`
  -- all publishers: all users: the operator's proof over the whole ledger
  with booked as (${expected}), kept as (
    select publisher_id, account, owner, currency, sum(amount) as balance
    from (
      select publisher_id, account, owner, currency, balance as amount from ledger_rollups
      union all
      select publisher_id, account, owner, currency, amount from ledger_deltas
    ) as parts
    group by publisher_id, account, owner, currency
  )
  select 'rollup' as check, concat_ws(' ', 'publisher', publisher_id, account, owner, currency) as where,
    coalesce(booked.balance, 0)::text as expected, coalesce(kept.balance, 0)::text as found
  from booked full join kept using (publisher_id, account, owner, currency)
  where coalesce(booked.balance, 0) <> coalesce(kept.balance, 0)
  limit ${DIFFERENCES_MAX}`

const allPostings = (reader: Reader): SqlPart => reader`
  -- all publishers: all users: the operator's proof over the whole ledger
  select * from postings`

/**
 * SQL query for the postings of the given causes.
 * @param causes a query for user_id and cause_id; for payments, user_id is the publisher's ID
 */
export const selectPostings = (reader: Reader, causes: SqlPart): SqlPart => reader`
  -- all publishers: the causes are those of one
  select p.*
  from (${causes}) as c
  -- Forces an index lookup per cause, no matter how many causes the planner expects.
  cross join lateral (
    select * from postings where postings.user_id = c.user_id and postings.cause_id = c.cause_id offset 0
  ) as p`

/**
 * SQL for the currency of all postings for a cause. If there are several currencies, the result is ZZZ, which is not a
 * currency, because a sum would be meaningless.
 */
const oneCurrency = (reader: Reader): SqlPart => reader`
  case when min(currency) = max(currency) then min(currency) else 'ZZZ' end`

/**
 * SQL query for the reward booked for each cause: user_id, cause_id, currency, user_amount, publisher_amount,
 * fee_amount, and pending, which is the part of all three that has not matured.
 */
export const selectBookedRewards = (reader: Reader, postings = allPostings(reader)): SqlPart => reader`
  -- all publishers: the operator's proof over all rewards
  select user_id, cause_id, ${oneCurrency(reader)} as currency,
    coalesce(-sum(amount) filter (where account in ('user_pending', 'user_available', 'user_debt')), 0) as user_amount,
    coalesce(-sum(amount) filter (where account in ('publisher_pending', 'publisher_payable')), 0) as publisher_amount,
    coalesce(-sum(amount) filter (where account in ('fee_pending', 'fee_earned')), 0) as fee_amount,
    coalesce(-sum(amount) filter (where account in ('user_pending', 'publisher_pending', 'fee_pending')), 0) as pending
  from (${postings}) as postings
  where kind in ('accrual', 'maturity', 'clawback')
  group by user_id, cause_id`

/** SQL query for the amounts booked for each redemption: user_id, cause_id, currency, method, held, paid. */
export const selectRedemptionPostings = (reader: Reader, postings = allPostings(reader)): SqlPart => reader`
  -- all publishers: the operator's proof over all redemptions
  select user_id, cause_id, ${oneCurrency(reader)} as currency, max(owner) filter (where account = 'payout_clearing') as method,
    coalesce(-sum(amount) filter (where account = 'user_held'), 0) as held,
    coalesce(-sum(amount) filter (where account = 'payout_clearing'), 0) as paid
  from (${postings}) as postings
  where kind in ('redemption_hold', 'redemption_paid', 'redemption_released', 'redemption_returned')
  group by user_id, cause_id`

/** SQL query for each booked adjustment: user_id, cause_id, kind, the paying account, amount, currency. */
export const selectBookedAdjustments = (reader: Reader, postings = allPostings(reader)): SqlPart => reader`
  -- all publishers: the operator's proof over all adjustments
  select user_id, cause_id, min(kind) as kind,
    min(account) filter (where account not in ('user_available', 'user_debt')) as account,
    -sum(amount) filter (where account in ('user_available', 'user_debt')) as amount, ${oneCurrency(reader)} as currency
  from (${postings}) as postings
  where kind in ('adjustment', 'write_off')
  group by user_id, cause_id`

/**
 * SQL query for each booked payment: publisher_id, cause_id, the settled account, the amount received in the bank
 * account, currency.
 */
export const selectBookedPayments = (reader: Reader, postings = allPostings(reader)): SqlPart => reader`
  -- all publishers: the operator's proof over all payments
  select publisher_id, cause_id, min(account || ' ' || owner) filter (where account <> 'bank') as account,
    sum(amount) filter (where account = 'bank') as amount, ${oneCurrency(reader)} as currency
  from (${postings}) as postings
  where kind = 'payment'
  group by publisher_id, cause_id`

/** SQL query for each user's pending balance: user_id, currency, pending. */
export const selectPendingBalances = (reader: Reader) => reader`
  -- all publishers: all users: the operator's proof over all rewards
  select user_id, currency, pending from user_balances`
