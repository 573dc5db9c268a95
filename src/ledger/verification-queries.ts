import type { Reader, SqlPart, Tx } from '../platform/db/database.ts'
import {
  DIFFERENCES_MAX,
  type Difference,
  listBalanceDifferences,
  listRollupDifferences,
  listUnbalancedJournals,
  selectBalanceSums,
  selectSharedSums,
  selectStoredBalances,
} from './verify.ts'

/** The progress of the verification. */
export type Verification = {
  readonly addedUpTo: string | null
  readonly step: number
  readonly nextSlice: number
  readonly found: number
}

/** A range of users by ID: `from` is inclusive, `to` exclusive. */
export type UserRange = { readonly from: string; readonly to: string }

// Uses only the database clock, because a worker whose own clock is ahead would otherwise delay all runs.
const EVERY = '1 hour'

/**
 * If a run is due and no other worker holds its state, returns the state, locked until the transaction ends. Runs are
 * never scheduled further ahead than their interval, so if one is, the database clock was set back and the run counts
 * as due.
 */
export async function lockVerification(tx: Tx): Promise<Verification | null> {
  const [state] = await tx<Verification[]>`
    select added_up_to, step, next_slice, found
    from ledger_verification
    where due_at not between clock_timestamp() and clock_timestamp() + ${EVERY}::interval
    for update skip locked`
  return state ?? null
}

export async function storeVerification(tx: Tx, { addedUpTo, step, nextSlice, found }: Verification): Promise<void> {
  await tx`
    update ledger_verification
    set added_up_to = ${addedUpTo}, step = ${step}, next_slice = ${nextSlice}, found = ${found}`
}

export async function endRun(tx: Tx): Promise<void> {
  await tx`
    update ledger_verification
    set step = 0, found = 0, differences = found, verified_at = now(), due_at = now() + ${EVERY}::interval`
}

export async function readVerification(reader: Reader): Promise<{ differences: number; ageSeconds: number }> {
  const [row] = await reader<{ differences: number; ageSeconds: number }[]>`
    select greatest(found, differences) as differences,
      greatest(extract(epoch from now() - verified_at), 0)::float8 as age_seconds
    from ledger_verification`
  return row ?? { differences: 0, ageSeconds: Number.POSITIVE_INFINITY }
}

/** Returns the first user after skipping `count` users in ID order; null if there is none. */
export async function findUserAfter(reader: Reader, from: string, count: number): Promise<string | null> {
  const [row] = await reader<{ userId: string }[]>`
    -- all publishers: all users: the whole ledger is verified
    select user_id from user_balances where user_id >= ${from} order by user_id offset ${count} limit 1`
  return row?.userId ?? null
}

// Forces an index lookup per journal, because the planner's statistics are unreliable for a table that is emptied
// hourly.
const selectPostings = (reader: Reader, journals: SqlPart): SqlPart => reader`
  select j.user_id, j.cause_id, j.kind, j.cause_version, p.publisher_id, p.journal_id, p.line, p.effective_at, p.currency,
    p.account, p.owner, p.amount
  from ${journals} as j
  left join lateral (
    select publisher_id, journal_id, line, effective_at, currency, account, owner, amount
    from postings p
    where p.user_id = j.user_id and p.cause_id = j.cause_id and p.kind = j.kind and p.cause_version = j.cause_version
    offset 0
  ) as p on true`

/** SQL for a digest of the postings of any number of journals. Equal sets have equal digests, regardless of order. */
const digest = (reader: Reader): SqlPart => reader`
  bit_xor(('x' || encode(substr(sha256(convert_to(concat_ws('|', publisher_id, journal_id, line, kind, cause_id,
    cause_version, extract(epoch from effective_at), currency, account, owner, amount), 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint) as digest`

const sumPostings = (reader: Reader, postings: SqlPart): SqlPart => reader`
  select user_id, currency, ${selectBalanceSums(reader)}, ${digest(reader)}
  from (${postings}) as postings where journal_id is not null group by user_id, currency`

/** CTEs that add postings to the verified sums. A statement must follow them in the same query. */
const added = (reader: Reader, postings: SqlPart): SqlPart => reader`
  -- all publishers: all users: the whole ledger is verified
  balances as (
    insert into verified_balances as v (user_id, currency, pending, available, held, debt, earned_total, redeemed_total, digest)
    ${sumPostings(reader, postings)}
    on conflict (user_id, currency) do update set
      pending = v.pending + excluded.pending, available = v.available + excluded.available, held = v.held + excluded.held,
      debt = v.debt + excluded.debt, earned_total = v.earned_total + excluded.earned_total,
      redeemed_total = v.redeemed_total + excluded.redeemed_total, digest = v.digest # excluded.digest
  ), rollups as (
    insert into verified_rollups as v (publisher_id, account, owner, currency, balance)
    ${selectSharedSums(reader, postings)}
    on conflict (publisher_id, account, owner, currency) do update set balance = v.balance + excluded.balance
  )`

/**
 * Removes waiting journals from the queue and adds them to the verified sums. Returns the number of journals and the
 * differences found in them.
 */
export async function verifyWaiting(tx: Tx, count: number): Promise<{ journals: number; differences: Difference[] }> {
  const posted = tx`select * from posted`
  const [row] = await tx<{ journals: number; differences: Difference[] }[]>`
    -- all publishers: all users: the whole ledger is verified
    with taken as (
      delete from unverified_journals
      where ctid = any(array(select ctid from unverified_journals limit ${count}))
      returning user_id, cause_id, kind, cause_version
    ), posted as materialized (
      ${selectPostings(tx, tx`taken`)}
    ), ${added(tx, posted)}, differences as (
      (select 'journal_is_there' as check, concat_ws(' ', 'user', user_id, kind, cause_id, cause_version) as where,
        'booked' as expected, 'missing' as found
      from posted where journal_id is null limit ${DIFFERENCES_MAX})
      union all (${listUnbalancedJournals(tx, tx`select * from posted where journal_id is not null`)})
    )
    select (select count(*)::int from taken) as journals,
      coalesce((select jsonb_agg(d) from differences d), '[]') as differences`
  return row ?? { journals: 0, differences: [] }
}

/** SQL for the postings of user journals that have been verified. The others are still in unverified_journals. */
const oldPostings = (reader: Reader, { from, to }: UserRange): SqlPart => reader`
  -- all publishers: all users: the whole ledger is verified
  select * from postings p
  where user_id >= ${from} and user_id < ${to} and not exists (
    select 1 from unverified_journals u
    where u.user_id = p.user_id and u.cause_id = p.cause_id and u.kind = p.kind and u.cause_version = p.cause_version
  )`

/** Adds user journals from before the hourly verification was introduced to the verified sums. */
export async function addOldJournals(tx: Tx, users: UserRange): Promise<void> {
  await tx`
    with old as materialized (${oldPostings(tx, users)}), ${added(tx, tx`select * from old`)}
    select 1`
}

/** Rereads the users' verified journals and compares them with the sums recorded when they were verified. */
export async function rereadJournals(reader: Reader, users: UserRange): Promise<Difference[]> {
  const [old, verified] = [
    oldPostings(reader, users),
    reader`
      -- all publishers: all users: the whole ledger is verified
      select user_id, currency, pending, available, held, debt, earned_total, redeemed_total, digest
      from verified_balances where user_id >= ${users.from} and user_id < ${users.to}`,
  ]
  return [
    ...(await listUnbalancedJournals(reader, old)),
    ...(await listBalanceDifferences(reader, 'verified_journals', sumPostings(reader, old), verified)),
  ]
}

/**
 * Compares user balances with the verified and waiting journals, in one statement so that all of them are read as of
 * the same instant.
 */
export async function compareBalances(reader: Reader, { from, to }: UserRange): Promise<Difference[]> {
  const ofSlice = (rows: SqlPart): SqlPart => reader`
    -- all publishers: all users: the whole ledger is verified
    select * from ${rows} as r where user_id >= ${from} and user_id < ${to}`
  const waiting = sumPostings(reader, selectPostings(reader, reader`(${ofSlice(reader`unverified_journals`)})`))
  const expected = reader`
    select user_id, currency, coalesce(v.pending, 0) + coalesce(w.pending, 0) as pending,
      coalesce(v.available, 0) + coalesce(w.available, 0) as available, coalesce(v.held, 0) + coalesce(w.held, 0) as held,
      coalesce(v.debt, 0) + coalesce(w.debt, 0) as debt,
      coalesce(v.earned_total, 0) + coalesce(w.earned_total, 0) as earned_total,
      coalesce(v.redeemed_total, 0) + coalesce(w.redeemed_total, 0) as redeemed_total, 0 as digest
    from (${ofSlice(reader`verified_balances`)}) as v full join (${waiting}) as w using (user_id, currency)`
  return listBalanceDifferences(reader, 'user_balance', expected, ofSlice(reader`(${selectStoredBalances(reader)})`))
}

/** Compares the shared accounts with the verified and waiting journals. */
export async function compareRollups(reader: Reader): Promise<Difference[]> {
  // all publishers: all users: the whole ledger is verified
  return listRollupDifferences(
    reader,
    reader`
      select publisher_id, account, owner, currency, sum(balance) as balance
      from (
        select publisher_id, account, owner, currency, balance from verified_rollups
        union all (${selectSharedSums(reader, selectPostings(reader, reader`unverified_journals`))})
      ) as parts
      group by publisher_id, account, owner, currency`,
  )
}
