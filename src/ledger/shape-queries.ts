import type { Reader } from '../platform/database.ts'
import type { SqlPart } from './verify.ts'

/** How many postings a journal of any kind has at most. */
const LINES = [1, 2, 3, 4, 5, 6, 7, 8] as const

/** Books whose publishers share them: the advertisers of production. */
export const SHARED_BOOKS = 'production'

/**
 * The place of a journal, or a row with its times, among the periods of books: 0 for the first that ends after the
 * journal's effect and has its cut after the booking. Ends and cuts only grow, so no journal changes its place.
 */
export const periodOf = (reader: Reader, row: SqlPart, books: SqlPart): SqlPart => reader`
  greatest(width_bucket(${row}.effective_at, ${books}.ends), width_bucket(${row}.created_at - interval '1 microsecond', ${books}.cuts))`

/**
 * The books in which a journal of a publisher counts for advertisers and the service. What was booked elsewhere, before
 * the publisher was imported, is in none here: its advertisers are charged where it was booked.
 */
export const sharedBooksOf = (reader: Reader, journal: SqlPart, publisher: SqlPart): SqlPart => reader`
  case when ${publisher}.environment <> 'production' then ${publisher}.publisher_id::text
    when ${journal}.created_at > coalesce(${publisher}.imported_at, '-infinity') then ${SHARED_BOOKS} end`

/** A query of the ends and cuts of books, in order: books, ends, cuts. */
export const chains = (reader: Reader, bounds: SqlPart): SqlPart => reader`
  select books, array_agg(ends_at order by ends_at) as ends, array_agg(cut_at order by ends_at) as cuts
  from (${bounds}) as bounds
  group by books`

/**
 * A query that adds up journals of the same shape: of one publisher and kind, with the same accounts and owners on the
 * same sides, and in the same periods. A million journals have some thousand shapes, and adding up whole journals is
 * twice as fast as adding up postings.
 * @param bounds a query of books, ends_at and cut_at; journals of other books are left out
 * @param bookedFrom only journals that were booked then or later
 */
export const journalShapes = (reader: Reader, bounds: SqlPart, bookedFrom: string): SqlPart => reader`
  -- all publishers: all users: the books of all of them are closed
  with chains as materialized (${chains(reader, bounds)}), placed as (
    select j.publisher_id, p.environment, j.currency, j.kind, j.accounts, j.owners, j.amounts, j.created_at,
      ${periodOf(reader, reader`j`, reader`own`)} as own_period,
      ${periodOf(reader, reader`j`, reader`shared`)} as shared_period
    from (
      select publisher_id, currency, kind, accounts, owners, amounts, effective_at, created_at from journals
      union all
      select publisher_id, currency, kind, accounts, owners, amounts, effective_at, created_at from payment_journals
    ) as j
    join publishers p on p.publisher_id = j.publisher_id
    left join chains own on own.books = p.publisher_id::text
    left join chains shared on shared.books = ${sharedBooksOf(reader, reader`j`, reader`p`)}
    where j.created_at >= ${bookedFrom}::text::timestamptz and (own.books is not null or shared.books is not null)
  )
  select publisher_id, environment, currency, kind, accounts, owners, own_period, shared_period, count(*) as journals,
    min(created_at) as first_booked_at, array[${commaList(
      reader,
      LINES.map((line) => reader`sum(amounts[${reader.unsafe(String(line))}])`),
    )}] as sums
  from placed
  group by publisher_id, environment, currency, kind, accounts, owners, own_period, shared_period, ${commaList(
    reader,
    LINES.map((line) => reader`amounts[${reader.unsafe(String(line))}] > 0`),
  )}`

function commaList(reader: Reader, parts: readonly SqlPart[]): SqlPart {
  return parts.reduce((all, one) => reader`${all}, ${one}`)
}
