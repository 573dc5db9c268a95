import {
  selectBalanceSums,
  selectBookedAdjustments,
  selectBookedPayments,
  selectBookedRewards,
  selectPostings,
  selectRedemptionPostings,
} from '../../ledger/index.ts'
import { selectRedemptionsToBook } from '../../payouts/redemptions/index.ts'
import type { Reader, SqlPart } from '../../platform/db/database.ts'
import { selectRewardsToBook } from '../../purchases/transactions/index.ts'
import { selectAdjustmentsToBook } from '../../users/adjustments/index.ts'
import { selectPaymentsToBook } from '../statements/index.ts'
import type { ComparedSpan } from './span.ts'

/** The queries for the two sides of a comparison. */
export type SideQueries = { readonly left: SqlPart; readonly right: SqlPart }

/** Matches instants in the period. The column name is always a constant in our code. */
const within = (reader: Reader, column: string, { from, until }: ComparedSpan): SqlPart => reader`
  (${reader.unsafe(column)} >= ${from} and ${reader.unsafe(column)} < ${until})`

/** Selects the user_id and cause_id of journals of these kinds that took effect in the period. */
const selectCauses = (reader: Reader, span: ComparedSpan, kinds: readonly string[]): SqlPart => reader`
  -- all users: those of one publisher
  select user_id, cause_id from journals
  where publisher_id = ${span.publisher.id} and kind = any(${kinds as string[]}::text[]) and ${within(reader, 'effective_at', span)}`

const REWARDS = ['accrual', 'reassignment', 'maturity', 'clawback']
const REDEMPTIONS = ['redemption_hold', 'redemption_paid', 'redemption_released', 'redemption_returned']
const ADJUSTMENTS = ['adjustment', 'write_off']

const touchedTransactions = (reader: Reader, span: ComparedSpan): SqlPart => reader`
  -- all users: those of one publisher
  select user_id, transaction_id as cause_id from transactions
  where publisher_id = ${span.publisher.id} and (${within(reader, 'created_at', span)} or ${within(reader, 'updated_at', span)})
  union ${selectCauses(reader, span, REWARDS)}`

/**
 * Compares transactions with the ledger. A reward booked for something other than a transaction appears only on the
 * ledger's side.
 */
export function compareTransactionsWithLedger(reader: Reader, span: ComparedSpan): SideQueries {
  const touched = touchedTransactions(reader, span)
  return {
    left: reader`
      -- all users: those of one publisher
      select t.transaction_id as key, t.currency, t.user_amount as user_cashback, t.publisher_amount as publisher_share,
        t.fee_amount as fee, t.pending as still_pending
      from (${touched}) as c
      join (${selectRewardsToBook(reader)}) as t on t.user_id = c.user_id and t.transaction_id = c.cause_id
      where t.publisher_id = ${span.publisher.id}
      order by 1`,
    right: reader`
      -- all users: those of one publisher
      select c.cause_id as key, b.currency, coalesce(b.user_amount, 0)::bigint as user_cashback,
        coalesce(b.publisher_amount, 0)::bigint as publisher_share, coalesce(b.fee_amount, 0)::bigint as fee,
        coalesce(b.pending, 0)::bigint as still_pending
      from (${touched}) as c
      left join (${selectBookedRewards(reader, selectPostings(reader, touched))}) as b
        on b.user_id = c.user_id and b.cause_id = c.cause_id
      order by 1`,
  }
}

const touchedRedemptions = (reader: Reader, span: ComparedSpan): SqlPart => reader`
  -- all users: those of one publisher
  select user_id, redemption_id as cause_id from redemptions
  where publisher_id = ${span.publisher.id} and (${within(reader, 'created_at', span)} or ${within(reader, 'updated_at', span)})
  union
  select user_id, redemption_id from redemption_steps
  where publisher_id = ${span.publisher.id} and ${within(reader, 'at', span)}
  union ${selectCauses(reader, span, REDEMPTIONS)}`

/**
 * Compares redemptions with the ledger. Every redemption is compared, even if nothing is booked for it, because all of
 * them should at least have held money.
 */
export function compareRedemptionsWithLedger(reader: Reader, span: ComparedSpan): SideQueries {
  const touched = touchedRedemptions(reader, span)
  return {
    left: reader`
      -- all users: those of one publisher
      select r.redemption_id as key, r.currency, r.held, r.paid as paid_out, r.method,
        r.status in ('requested', 'approved', 'sent') as waits
      from (${touched}) as c
      join (${selectRedemptionsToBook(reader)}) as r on r.user_id = c.user_id and r.redemption_id = c.cause_id
      where r.publisher_id = ${span.publisher.id}
      order by 1`,
    right: reader`
      -- all users: those of one publisher
      select c.cause_id as key, b.currency, coalesce(b.held, 0)::bigint as held, coalesce(b.paid, 0)::bigint as paid_out,
        b.method
      from (${touched}) as c
      left join (${selectRedemptionPostings(reader, selectPostings(reader, touched))}) as b
        on b.user_id = c.user_id and b.cause_id = c.cause_id
      order by 1`,
  }
}

/** Compares each redemption's status with its last step. */
export function compareRedemptionsWithSteps(reader: Reader, span: ComparedSpan): SideQueries {
  const touched = touchedRedemptions(reader, span)
  return {
    left: reader`
      -- all users: those of one publisher
      select r.redemption_id as key, r.status, r.version
      from (${touched}) as c
      join redemptions r on r.user_id = c.user_id and r.redemption_id = c.cause_id
      where r.publisher_id = ${span.publisher.id}
      order by 1`,
    right: reader`
      -- all users: those of one publisher
      select distinct on (s.redemption_id) s.redemption_id as key, s.status, s.version
      from (${touched}) as c
      join redemption_steps s on s.user_id = c.user_id and s.redemption_id = c.cause_id
      where s.publisher_id = ${span.publisher.id}
      order by 1, s.version desc`,
  }
}

/** Compares payout files created in the period with the redemptions that reference them, in the file's currency. */
export function compareFilesWithRedemptions(reader: Reader, span: ComparedSpan): SideQueries {
  const made = within(reader, 'f.created_at', span)
  return {
    left: reader`select f.file_id as key, f.currency, f.entries, f.total from payout_files f
      where f.publisher_id = ${span.publisher.id} and ${made} order by 1`,
    right: reader`
      -- all users: a file pays users of one publisher
      select f.file_id as key, f.currency, (count(*) filter (where r.currency = f.currency))::int as entries,
        coalesce(sum(r.amount) filter (where r.currency = f.currency), 0)::bigint as total
      from payout_files f join redemptions r on r.file_id = f.file_id and r.publisher_id = f.publisher_id
      where f.publisher_id = ${span.publisher.id} and ${made}
      group by f.file_id
      order by 1`,
  }
}

export function compareAdjustmentsWithLedger(reader: Reader, span: ComparedSpan): SideQueries {
  const touched = reader`
    -- all users: those of one publisher
    select user_id, adjustment_id as cause_id from adjustments
    where publisher_id = ${span.publisher.id} and (${within(reader, 'created_at', span)} or ${within(reader, 'decided_at', span)})
    union ${selectCauses(reader, span, ADJUSTMENTS)}`
  return {
    left: reader`
      -- all users: those of one publisher
      select a.adjustment_id as key, a.currency, a.kind, a.account, a.amount, a.status = 'proposed' as waits
      from (${touched}) as c
      join (${selectAdjustmentsToBook(reader)}) as a on a.user_id = c.user_id and a.adjustment_id = c.cause_id
      where a.publisher_id = ${span.publisher.id} and a.status <> 'declined'
      order by 1`,
    right: reader`
      select b.cause_id as key, b.currency, b.kind, b.account, b.amount::bigint as amount
      from (${selectBookedAdjustments(reader, selectPostings(reader, touched))}) as b
      order by 1`,
  }
}

/**
 * Compares payments with the ledger. Payments are recorded in real time but take effect on their value dates, so both
 * times are matched against the period.
 */
export function comparePaymentsWithLedger(reader: Reader, span: ComparedSpan): SideQueries {
  const { publisher } = span
  const touched = reader`
    select publisher_id as user_id, payment_id as cause_id from payments
    where publisher_id = ${publisher.id} and ${within(reader, 'created_at', span)}
    union
    select publisher_id, cause_id from payment_journals
    where publisher_id = ${publisher.id} and (${within(reader, 'effective_at', span)} or ${within(reader, 'created_at', span)})`
  return {
    left: reader`
      select p.payment_id as key, p.currency, p.account, p.amount
      from (${touched}) as c join (${selectPaymentsToBook(reader)}) as p on p.payment_id = c.cause_id
      where p.publisher_id = ${publisher.id}
      order by 1`,
    right: reader`
      select b.cause_id as key, b.currency, b.account, b.amount::bigint as amount
      from (${selectBookedPayments(reader, selectPostings(reader, touched))}) as b
      order by 1`,
  }
}

/** Compares granted claims with the adjustments and transactions through which they were granted. */
export function compareClaimsWithGrants(reader: Reader, span: ComparedSpan): SideQueries {
  const granted = reader`
    c.status = 'granted' and ${within(reader, 'c.decided_at', span)}`
  return {
    left: reader`
      -- all users: those of one publisher
      select c.claim_id as key, c.adjustment_id as adjustment, c.granted_transaction_id as transaction
      from claims c where c.publisher_id = ${span.publisher.id} and ${granted} order by 1`,
    right: reader`
      -- all users: those of one publisher
      select c.claim_id as key, a.adjustment_id as adjustment, t.transaction_id as transaction
      from claims c
      left join adjustments a on a.user_id = c.user_id and a.adjustment_id = c.adjustment_id and a.status = 'booked'
      left join transactions t on t.user_id = c.user_id and t.transaction_id = c.granted_transaction_id
      where c.publisher_id = ${span.publisher.id} and ${granted} and coalesce(a.adjustment_id, t.transaction_id) is not null
      order by 1`,
  }
}

/** Compares the balances of users who have journals in the period with the ledger. */
export function compareBalancesWithLedger(reader: Reader, span: ComparedSpan): SideQueries {
  const touched = reader`
    -- all users: those of one publisher
    select distinct user_id, currency from journals
    where publisher_id = ${span.publisher.id} and ${within(reader, 'effective_at', span)}`
  const names = ['pending', 'available', 'held', 'debt', 'earned_total', 'redeemed_total']
  const columns = (cast: string) => reader.unsafe(names.map((name) => `b.${name}${cast} as ${name}`).join(', '))
  return {
    left: reader`
      -- all users: those of one publisher
      select b.user_id || ' ' || b.currency as key, b.currency, ${columns('')}
      from (${touched}) as u join user_balances b on b.user_id = u.user_id and b.currency = u.currency
      where b.publisher_id = ${span.publisher.id}
      order by b.user_id, b.currency collate "C"`,
    right: reader`
      -- all users: those of one publisher
      select b.user_id || ' ' || b.currency as key, b.currency, ${columns('::bigint')}
      from (
        select u.user_id, u.currency, ${selectBalanceSums(reader)}
        from (${touched}) as u
        cross join lateral (select * from postings where postings.user_id = u.user_id offset 0) as p
        where p.publisher_id = ${span.publisher.id} and p.currency = u.currency
        group by u.user_id, u.currency
      ) as b
      order by b.user_id, b.currency collate "C"`,
  }
}
