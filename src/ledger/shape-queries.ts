import type { Reader, SqlPart } from '../platform/db/database.ts'

/** The positions of postings in a journal. No kind of journal has more than eight postings. */
const LINES = [1, 2, 3, 4, 5, 6, 7, 8] as const

/**
 * The books that all production publishers share. Closing them produces the statements for advertisers and the service.
 */
export const SHARED_BOOKS = 'production'

/**
 * SQL for the index of the period that a journal (or any row with the same times) belongs to: the first period of the
 * books that ends after the journal takes effect and whose cut is not before the booking. Indexes start at 0. Ends and
 * cuts only move forward, so a journal never moves to another period.
 */
export const derivePeriod = (reader: Reader, row: SqlPart, books: SqlPart): SqlPart => reader`
  greatest(width_bucket(${row}.effective_at, ${books}.ends), width_bucket(${row}.created_at - interval '1 microsecond', ${books}.cuts))`

/**
 * SQL for the books whose statements for advertisers and the service include a publisher's journal. Null for journals
 * booked before a production publisher was imported, because the source installation charges for them.
 */
export const deriveSharedBooks = (reader: Reader, journal: SqlPart, publisher: SqlPart): SqlPart => reader`
  case when ${publisher}.environment <> 'production' then ${publisher}.publisher_id::text
    when ${journal}.created_at > coalesce(${publisher}.imported_at, '-infinity') then ${SHARED_BOOKS} end`

/** SQL query that returns, for each set of books, the ends and cuts of its periods in order: books, ends, cuts. */
export const selectChains = (reader: Reader, bounds: SqlPart): SqlPart => reader`
  select books, array_agg(ends_at order by ends_at) as ends, array_agg(cut_at order by ends_at) as cuts
  from (${bounds}) as bounds
  group by books`

/**
 * SQL query that sums journals of the same shape: with the same publisher, currency and kind, the same accounts and
 * owners on the same sides, and in the same periods. A million journals have about a thousand shapes, and summing by
 * journal is twice as fast as summing by posting.
 * @param bounds a query that returns books, ends_at and cut_at. Journals of other books are omitted.
 * @param bookedFrom includes only journals booked at this instant or later
 */
export const selectJournalShapes = (reader: Reader, bounds: SqlPart, bookedFrom: string): SqlPart => reader`
  -- all publishers: all users: the books of all of them are closed
  with chains as materialized (${selectChains(reader, bounds)}), placed as (
    select j.publisher_id, p.environment, j.currency, j.kind, j.accounts, j.owners, j.amounts, j.created_at,
      ${derivePeriod(reader, reader`j`, reader`own`)} as own_period,
      ${derivePeriod(reader, reader`j`, reader`shared`)} as shared_period
    from (
      select publisher_id, currency, kind, accounts, owners, amounts, effective_at, created_at from journals
      union all
      select publisher_id, currency, kind, accounts, owners, amounts, effective_at, created_at from payment_journals
    ) as j
    join publishers p on p.publisher_id = j.publisher_id
    left join chains own on own.books = p.publisher_id::text
    left join chains shared on shared.books = ${deriveSharedBooks(reader, reader`j`, reader`p`)}
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
