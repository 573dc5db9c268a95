import type { Reader, SqlPart, Tx } from '../platform/db/database.ts'
import type { PublisherId } from '../platform/ids.ts'
import type { Account, JournalKind } from './rules.ts'

// A transaction sums at most one day of journals, because many may be waiting if no worker has run for a while.
const STEP = '1 day'

/**
 * Locks the progress of the sums. Returns the instant up to which journals are summed and the end of the next step,
 * both as text with microseconds; null if another worker holds the lock.
 */
export async function lockAddedUp(tx: Tx): Promise<{ from: string; stepUntil: string } | null> {
  const [row] = await tx<{ from: string; stepUntil: string }[]>`
    select booked_until::text as from, (booked_until + ${STEP}::interval)::text as step_until
    from ledger_added_up
    for update skip locked`
  return row ?? null
}

/**
 * Sums the journals booked after one instant and up to another.
 * @returns true if later journals may remain to be summed
 */
export async function addUpBooked(
  tx: Tx,
  { from, until, cut }: { readonly from: string; readonly until: string; readonly cut: string },
): Promise<boolean> {
  await tx`
    -- all publishers: all users: the sums of all are kept
    with booked as materialized (
      select publisher_id, (effective_at at time zone 'UTC')::date as day, postings.currency, kind, account, ${sides(tx)}
      from postings join publishers using (publisher_id)
      where postings.created_at > ${from}::text::timestamptz
        and postings.created_at <= least(${until}::text::timestamptz, ${cut}::text::timestamptz)
        -- Journals imported with a publisher are added up during the import.
        and postings.created_at > coalesce(imported_at, '-infinity')
      group by 1, 2, 3, 4, 5
    ), ${added(tx)}
    select 1`
  const [row] = await tx<{ more: boolean }[]>`
    update ledger_added_up
    set booked_until = greatest(booked_until, least(${until}::text::timestamptz, ${cut}::text::timestamptz))
    returning booked_until < ${cut}::text::timestamptz as more`
  return row?.more === true
}

/** Sums the journals that were imported with a publisher. */
export async function addUpImported(tx: Tx, publisherId: PublisherId): Promise<void> {
  await tx`
    -- all users: the sums of a publisher
    with booked as materialized (
      select publisher_id, (effective_at at time zone 'UTC')::date as day, currency, kind, account, ${sides(tx)}
      from postings
      where publisher_id = ${publisherId}
      group by 1, 2, 3, 4, 5
    ), ${added(tx)}
    select 1`
}

const sides = (reader: Reader): SqlPart => reader`
  coalesce(sum(amount) filter (where amount > 0), 0)::int8 as debits,
  coalesce(-sum(amount) filter (where amount < 0), 0)::int8 as credits,
  count(*) filter (where amount > 0) as debited, count(*) filter (where amount < 0) as credited`

const added = (tx: Tx): SqlPart => tx`
  days as (
    insert into ledger_days as d (publisher_id, day, currency, kind, account, debits, credits, debited, credited)
    select publisher_id, day, currency, kind, account, debits, credits, debited, credited from booked
    on conflict (publisher_id, day, currency, kind, account) do update set
      debits = d.debits + excluded.debits, credits = d.credits + excluded.credits,
      debited = d.debited + excluded.debited, credited = d.credited + excluded.credited
  ), totals as (
    insert into ledger_totals as t (publisher_id, currency, kind, account, debits, credits, debited, credited)
    select publisher_id, currency, kind, account, sum(debits)::int8, sum(credits)::int8, sum(debited), sum(credited)
    from booked
    group by publisher_id, currency, kind, account
    on conflict (publisher_id, currency, kind, account) do update set
      debits = t.debits + excluded.debits, credits = t.credits + excluded.credits,
      debited = t.debited + excluded.debited, credited = t.credited + excluded.credited
  )`

/** Finds the instant up to which journals are summed. */
export async function findAddedUp(reader: Reader): Promise<Date> {
  const [row] = await reader<{ bookedUntil: Date }[]>`select booked_until from ledger_added_up`
  if (row === undefined) throw new Error('ledger_added_up has no row')
  return row.bookedUntil
}

/** The money of one publisher's users in one currency, by state, in minor units. */
export type MoneyByState = {
  readonly publisherId: PublisherId
  readonly currency: string
  readonly pending: bigint
  readonly available: bigint
  readonly held: bigint
  readonly debt: bigint
  /** The amount paid out and not returned. */
  readonly paid: bigint
}

/** @param publisherId null for all publishers */
export async function listMoney(reader: Reader, publisherId: PublisherId | null): Promise<MoneyByState[]> {
  return reader<MoneyByState[]>`
    -- all publishers: the operators' overview
    select publisher_id, currency,
      coalesce(sum(credits - debits) filter (where account = 'user_pending'), 0)::int8 as pending,
      coalesce(sum(credits - debits) filter (where account = 'user_available'), 0)::int8 as available,
      coalesce(sum(credits - debits) filter (where account = 'user_held'), 0)::int8 as held,
      coalesce(sum(debits - credits) filter (where account = 'user_debt'), 0)::int8 as debt,
      coalesce(sum(credits - debits) filter (
        where account = 'payout_clearing' and kind in ('redemption_paid', 'redemption_returned')), 0)::int8 as paid
    from ledger_totals
    where true ${ofPublisher(reader, publisherId)}
    group by publisher_id, currency
    order by publisher_id, currency`
}

/** The total debits and credits of an account from journals of one kind, in minor units. */
export type AccountSum = {
  readonly account: Account
  readonly currency: string
  readonly kind: JournalKind
  readonly debits: bigint
  readonly credits: bigint
}

/** @param publisherId null for the total of all publishers */
export async function listAccountSums(reader: Reader, publisherId: PublisherId | null): Promise<AccountSum[]> {
  return reader<AccountSum[]>`
    -- all publishers: the operators' list of accounts
    select account, currency, kind, sum(debits)::int8 as debits, sum(credits)::int8 as credits
    from ledger_totals
    where true ${ofPublisher(reader, publisherId)}
    group by account, currency, kind
    order by account, currency, kind`
}

/** One kind of change to users' rewards on one day: the amount in minor units and the number of postings. */
export type RewardDay = {
  readonly day: string
  readonly currency: string
  readonly what: 'began' | 'matured' | 'reversed' | 'paid_out'
  readonly amount: bigint
  readonly count: bigint
}

/** Lists the days with changes to rewards. Both bounds are inclusive. */
export async function listRewardDays(
  reader: Reader,
  publisherId: PublisherId | null,
  { from, until }: { readonly from: string; readonly until: string },
): Promise<RewardDay[]> {
  return reader<RewardDay[]>`
    -- all publishers: the operators' overview
    select to_char(day, 'YYYY-MM-DD') as day, currency, what, sum(amount)::int8 as amount, sum(count)::int8 as count
    from (
      select day, currency, 'began' as what, credits as amount, credited as count
      from ledger_days where kind = 'accrual' and account = 'user_pending' ${span(reader, publisherId, from, until)}
      union all
      select day, currency, case kind when 'redemption_paid' then 'paid_out' when 'maturity' then 'matured' else 'reversed' end,
        debits, debited
      from ledger_days
      where (kind, account) in (
          ('accrual', 'user_pending'), ('clawback', 'user_available'), ('clawback', 'user_debt'), ('maturity', 'user_pending'),
          ('redemption_paid', 'user_held'))
        ${span(reader, publisherId, from, until)}
    ) as happened
    where count > 0
    group by day, currency, what
    order by day, currency, what`
}

const span = (reader: Reader, publisherId: PublisherId | null, from: string, until: string): SqlPart => reader`
  and day between ${from} and ${until} ${ofPublisher(reader, publisherId)}`

const ofPublisher = (reader: Reader, publisherId: PublisherId | null): SqlPart =>
  publisherId === null ? reader`` : reader`and publisher_id = ${publisherId}`
