import {
  type Account,
  derivePeriod,
  deriveSharedBooks,
  formatInstant,
  type JournalKind,
  SHARED_BOOKS,
  selectChains,
  selectJournalShapes,
} from '../../../ledger/index.ts'
import { asTable, type Reader, type SqlPart, type Tx } from '../../../platform/db/database.ts'
import type { PublisherId } from '../../../platform/ids.ts'
import type { Environment } from '../../../tenants/publishers/index.ts'
import { type Month, monthBefore } from '../month-rules.ts'
import type { StatementKind, StatementPayment } from '../statements/document.ts'
import { STATEMENT_ACCOUNTS } from '../statements/movement-rules.ts'
import { selectStatements } from '../statements/queries.ts'

/** The end and the cut of a period in one set of books. Instants are text because cuts have microseconds. */
export type PeriodBound = { readonly books: string; readonly endsAt: string; readonly cutAt: string }

/** An activity line, as PostgreSQL serializes it to JSON. */
export type StoredLine = {
  readonly period: number
  readonly publisher_id: PublisherId
  readonly kind: JournalKind
  readonly account: Account
  readonly owner: string
  readonly count: number
  readonly journals: number
  readonly amount: string | null
}
/** The bookings that concern a statement's party. */
export type PartyActivity = {
  readonly books: string
  readonly environment: Environment
  readonly party: string
  readonly currency: string
  readonly lines: readonly StoredLine[] | null
}

export const selectBounds = (reader: Reader, bounds: readonly PeriodBound[]): SqlPart => reader`
  select books, ends_at, cut_at from ${asTable(reader, bounds, { books: 'plain', endsAt: 'timestamptz', cutAt: 'timestamptz' })}`

/** Selects the bounds of all closed months. */
export const selectClosedBounds = (reader: Reader): SqlPart => reader`select books, ends_at, cut_at from closings`

/**
 * Makes the planner aggregate journals by hashing their shapes, until the transaction ends or allowSorting is called.
 * Otherwise, the planner would estimate that nearly every journal has a distinct shape and sort them all, which is
 * slower.
 */
export async function forbidSorting(tx: Tx): Promise<void> {
  await tx`set local enable_sort = off`
}

async function allowSorting(tx: Tx): Promise<void> {
  await tx`set local enable_sort = on`
}

/**
 * Aggregates the books' journals, once for all of their statements, into a temporary table that is dropped at commit.
 * The table has a few thousand rows at most. Unlike a query read through a cursor, this one can run in parallel.
 */
export async function addUpActivity(tx: Tx, bounds: readonly PeriodBound[], bookedFrom: string): Promise<void> {
  await forbidSorting(tx)
  await tx`
    create temporary table activity on commit drop as ${selectJournalShapes(tx, selectBounds(tx, bounds), bookedFrom)}`
  await allowSorting(tx)
}

/**
 * Returns the booking time from which the next closing must read journals: that of the first journal left for a later
 * month, or the cut if none is left.
 */
export async function findBookedFrom(tx: Tx, books: string, cutAt: string): Promise<string> {
  const [row] = await tx<{ at: string }[]>`
    -- all publishers: those of the books
    select ${formatInstant(tx, tx`least(min(first_booked_at), ${cutAt}::text::timestamptz)`)} as at
    from activity
    where case when ${books} = ${SHARED_BOOKS} then environment = 'production' and shared_period > 1
      else publisher_id::text = ${books} and own_period > 1 end`
  return row?.at ?? cutAt
}

const ownOrShared = (reader: Reader, kind: StatementKind, own: SqlPart, shared: SqlPart): SqlPart =>
  kind === 'publisher' ? reader`${own}` : reader`${shared}`

const sharedBooks = (reader: Reader): SqlPart => reader`
  case s.environment when 'production' then ${SHARED_BOOKS} else s.publisher_id::text end`

/**
 * Selects the activity of each party for one kind of statement, with its lines as JSON.
 * @param periods a condition on `period`
 */
const partyActivity = (reader: Reader, shapes: SqlPart, kind: StatementKind, periods: SqlPart): SqlPart => {
  const accounts = Object.keys(STATEMENT_ACCOUNTS[kind])
  // A journal that moves a receivable concerns two advertisers and is counted for both.
  const isFirst =
    kind === 'advertiser'
      ? reader`true`
      : reader`l.line = (
          select min(e.line) from unnest(s.accounts) with ordinality as e (account, line) where e.account = any(${accounts}::text[]))`
  const party = { advertiser: reader`l.owner`, publisher: reader`s.publisher_id::text`, service: reader`'service'` }[
    kind
  ]
  return reader`
    select books, environment, party, currency, jsonb_agg(jsonb_build_object(
      'period', period, 'publisher_id', publisher_id, 'kind', kind, 'account', account, 'owner', owner, 'count', count,
      'journals', journals, 'amount', amount::text) order by period, publisher_id, kind, account, owner, is_debit) as lines
    from (
      select books, environment, party, currency, period, publisher_id, kind, account, owner, is_debit, sum(journals)::int8 as count,
        coalesce(sum(journals) filter (where is_first), 0)::int8 as journals, sum(amount) as amount
      from (
        select ${ownOrShared(reader, kind, reader`s.publisher_id::text`, sharedBooks(reader))} as books, s.environment,
          ${party} as party, s.currency, ${ownOrShared(reader, kind, reader`s.own_period`, reader`s.shared_period`)} as period,
          s.publisher_id, s.kind, s.journals, l.account, l.owner, l.amount, l.amount > 0 as is_debit, ${isFirst} as is_first
        from ${shapes} as s
        cross join lateral unnest(s.accounts, s.owners, s.sums) with ordinality as l (account, owner, amount, line)
        where l.account = any(${accounts}::text[])
      ) as postings
      where ${periods}
      group by books, environment, party, currency, period, publisher_id, kind, account, owner, is_debit
    ) as lines
    group by books, environment, party, currency`
}

/** The number of the period being closed. Period 0 is the month before it. */
export const THIS_PERIOD = 1

export type PartyRow = PartyActivity & { readonly previous: string | null; readonly previousSha256: string | null }

/**
 * Selects the parties that get a statement for the month being closed: those with activity or with a balance carried
 * over.
 */
export const selectParties = (tx: Tx, kind: StatementKind, books: readonly string[], month: Month): SqlPart => tx`
  select books, environment, party, currency, lines, previous, previous_sha256
  from (${partyActivity(tx, tx`activity`, kind, tx`period = ${THIS_PERIOD}`)}) as booked
  full join (${selectStatements(tx, kind, books, monthBefore(month))}) as carried using (books, environment, party, currency)
  order by books, party, currency`

/** Selects the activity of all parties for one kind of statement in every closed month. */
export const selectWholeActivity = (reader: Reader, kind: StatementKind): SqlPart =>
  partyActivity(
    reader,
    reader`(${selectJournalShapes(reader, selectClosedBounds(reader), '-infinity')})`,
    kind,
    reader`period is not null`,
  )

export type PlacedPayment = StatementPayment & {
  readonly books: string
  readonly kind: StatementKind
  readonly party: string
  readonly currency: string
  readonly period: number
}

/** Lists the payments of each statement with their period, in booking order. */
export async function listPlacedPayments(tx: Tx, bounds: SqlPart): Promise<PlacedPayment[]> {
  return tx<PlacedPayment[]>`
    -- all publishers: the books of all of them are closed
    with chains as materialized (${selectChains(tx, bounds)}), placed as (
      select s.payment_id, s.publisher_id, p.environment, s.party, s.owner, s.currency, s.external_ref, s.value_date, s.direction, s.reverses,
        case s.direction when 'received' then s.amount else -s.amount end as amount, j.created_at,
        ${derivePeriod(tx, tx`j`, tx`own`)} as own_period, ${derivePeriod(tx, tx`j`, tx`shared`)} as shared_period
      from payments s
      join payment_journals j on j.publisher_id = s.publisher_id and j.cause_id = s.payment_id
      join publishers p on p.publisher_id = s.publisher_id
      left join chains own on own.books = p.publisher_id::text
      left join chains shared on shared.books = ${deriveSharedBooks(tx, tx`j`, tx`p`)}
    )
    select k.books, k.kind, k.party, s.currency, k.period, s.payment_id, s.publisher_id, s.external_ref, s.value_date, s.direction,
      s.amount, s.reverses
    from placed s
    cross join lateral (
      select case s.party when 'publisher' then s.publisher_id::text else ${sharedBooks(tx)} end as books,
        case s.party when 'payouts' then 'service' else s.party end as kind,
        case s.party when 'advertiser' then s.owner when 'publisher' then s.publisher_id::text else 'service' end as party,
        case s.party when 'publisher' then s.own_period else s.shared_period end as period
    ) as k
    where k.period is not null
    order by s.created_at, s.payment_id`
}
