import { formatInstant } from '../../../ledger/index.ts'
import { asTable, type Reader, type Tx } from '../../../platform/db/database.ts'
import type { Month } from '../month-rules.ts'

// An arbitrary lock ID. Closings are serialized so that months are closed in order.
const CLOSING_LOCK = 7_265_031

export async function lockClosings(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(${CLOSING_LOCK})`
}

export type MonthClosing = {
  readonly books: string
  readonly month: Month
  readonly endsAt: Date
  /** RFC 3339 with microseconds, like `bookedFrom`. */
  readonly cutAt: string
  readonly bookedFrom: string
}

const columns = (reader: Reader) => reader`
  books, month, ends_at, ${formatInstant(reader, reader`cut_at`)} as cut_at, ${formatInstant(reader, reader`booked_from`)} as booked_from`

/** Lists the latest closing of each set of books and, if different, its closing of the given month. */
export async function listClosings(tx: Reader, books: readonly string[], month: Month): Promise<MonthClosing[]> {
  return tx<MonthClosing[]>`
    select ${columns(tx)} from closings c
    where books = any(${books as string[]}::text[])
      and (month = ${month} or month = (select max(l.month) from closings l where l.books = c.books))
    order by books, month`
}

/** Lists all closings, ordered by books and month. */
export async function listAllClosings(reader: Reader): Promise<MonthClosing[]> {
  return reader<MonthClosing[]>`select ${columns(reader)} from closings order by books, month`
}

export async function insertClosings(
  tx: Tx,
  closings: readonly (Omit<MonthClosing, 'endsAt'> & { readonly endsAt: string })[],
  { by, now }: { readonly by: string; readonly now: Date },
): Promise<void> {
  await tx`
    insert into closings (books, month, ends_at, cut_at, booked_from, created_at, closed_by)
    select books, month, ends_at, cut_at, booked_from, ${now}, ${by}
    from ${asTable(tx, closings, {
      books: 'plain',
      month: 'plain',
      endsAt: 'timestamptz',
      cutAt: 'timestamptz',
      bookedFrom: 'timestamptz',
    })}`
}
