import { splitIntoWholeDays, type TimeSpan, toDay, type WholeDays } from '../../../platform/calendar.ts'
import type { Reader, SqlPart, Tx } from '../../../platform/db/database.ts'
import { addToListCounts } from '../../../platform/db/list-counts.ts'
import type { PublisherId } from '../../../platform/ids.ts'
import type { Transaction } from './transaction.ts'

/**
 * Each publisher's transactions are pre-counted by UTC purchase day and status, because counting ten million rows takes
 * seconds (docs/decisions/0036-counting-and-searching.md).
 */

type Counted = Pick<Transaction, 'authorizedAt' | 'status'>
type Recount = { readonly before: Counted | null; readonly after: Counted }

export async function countChanges(tx: Tx, publisherId: PublisherId, changes: readonly Recount[]): Promise<void> {
  const deltas = new Map<string, number>()
  const add = ({ authorizedAt, status }: Counted, delta: number): void => {
    const list = `transactions/${toDay(authorizedAt, 'UTC')}/${status}`
    deltas.set(list, (deltas.get(list) ?? 0) + delta)
  }
  for (const { before, after } of changes) {
    if (before !== null) add(before, -1)
    add(after, 1)
  }
  await addToListCounts(tx, publisherId, deltas)
}

type CountFilter = {
  readonly status: string | null
  /** `from` is inclusive, `until` exclusive. */
  readonly from: Date | null
  readonly until: Date | null
}

/** Sums the stored counts of complete UTC days and counts the rows of partial days, which occur in other time zones. */
export async function countTransactionsIn(
  reader: Reader,
  publisherId: PublisherId,
  { status, from, until }: CountFilter,
): Promise<number> {
  const { days, rest } = splitIntoWholeDays(from, until)
  const counts = await Promise.all([
    sumOfDays(reader, publisherId, days, status),
    ...rest.map((span) => countRows(reader, publisherId, span, status)),
  ])
  return counts.reduce((all, one) => all + one)
}

/** Selects stored counts together with the changes that have not been added to them yet. */
const selectCounts = (reader: Reader, condition: SqlPart) => reader`(
    -- all publishers: as the condition says
    select publisher_id, list, total as count from list_counts where ${condition}
    union all
    select publisher_id, list, delta from list_count_deltas where ${condition}
  ) as counted`

async function sumOfDays(
  reader: Reader,
  publisherId: PublisherId,
  days: WholeDays,
  status: string | null,
): Promise<number> {
  const [row] = await reader<{ total: bigint }[]>`
    select coalesce(sum(count), 0) as total
    from (
      select split_part(list, '/', 2) as day, split_part(list, '/', 3) as status, count
      from ${selectCounts(reader, reader`publisher_id = ${publisherId} and list like 'transactions/%'`)}
    ) as days
    where day >= ${days.from} and day < ${days.until} ${status === null ? reader`` : reader`and status = ${status}`}`
  return Number(row?.total ?? 0)
}

async function countRows(
  reader: Reader,
  publisherId: PublisherId,
  [start, end]: TimeSpan,
  status: string | null,
): Promise<number> {
  const [row] = await reader<{ total: bigint }[]>`
    -- all users: the list of a publisher
    select count(*) as total
    from transactions
    where publisher_id = ${publisherId} and authorized_at >= ${start} and authorized_at < ${end}
      ${status === null ? reader`` : reader`and status = ${status}`}`
  return Number(row?.total ?? 0)
}

export type DayCount = { readonly day: string; readonly status: Transaction['status']; readonly count: number }

/**
 * Returns the number of transactions per status for each of these UTC days. Omits zero counts.
 * @param publisherId null for all publishers
 */
export async function listDayCounts(
  reader: Reader,
  publisherId: PublisherId | null,
  days: readonly string[],
): Promise<DayCount[]> {
  const lists = days.flatMap((day) =>
    ['PENDING', 'EARNED', 'CANCELLED'].map((status) => `transactions/${day}/${status}`),
  )
  const asked = reader`list = any(${lists}) ${publisherId === null ? reader`` : reader`and publisher_id = ${publisherId}`}`
  const rows = await reader<{ list: string; total: bigint }[]>`
    -- all publishers: the operators' overview
    select list, sum(count)::int8 as total
    from ${selectCounts(reader, asked)}
    group by list
    having sum(count) > 0
    order by list`
  return rows.map(({ list, total }) => {
    const [, day = '', status] = list.split('/')
    return { day, status: status as DayCount['status'], count: Number(total) }
  })
}

export type Matching = {
  readonly source: string
  readonly method: string
  readonly isMatched: boolean
  readonly count: number
}

// Reading this many takes about 20 ms.
const MATCHING_EXAMINED = 5_000

/**
 * Counts the newest purchases, by purchase time, grouped by how their brand was matched.
 * @param publisherId null for all publishers
 */
export async function countMatching(reader: Reader, publisherId: PublisherId | null): Promise<Matching[]> {
  return reader<Matching[]>`
    -- all publishers: all users: the operators' overview
    select source, match_method as method, brand_uid is not null as is_matched, count(*)::int as count
    from (
      select source, match_method, brand_uid from transactions
      ${publisherId === null ? reader`` : reader`where publisher_id = ${publisherId}`}
      order by authorized_at desc, transaction_id desc
      limit ${MATCHING_EXAMINED}
    ) as newest
    group by 1, 2, 3
    order by count desc, 1, 2, 3`
}

type Count = { readonly where: string; readonly count: bigint }

/** Returns the stored counts by publisher, day and status. */
export async function listStoredCounts(reader: Reader): Promise<Map<string, bigint>> {
  const rows = await reader<Count[]>`
    -- all publishers: the operator's proof over all counts
    select 'publisher ' || publisher_id || ' ' || list as where, sum(count)::int8 as count
    from ${selectCounts(reader, reader`list like 'transactions/%'`)}
    group by 1`
  return new Map(rows.map(({ where, count }) => [where, count]))
}

/** Returns the same counts, computed from the transactions. */
export async function listTrueCounts(reader: Reader): Promise<Map<string, bigint>> {
  const rows = await reader<Count[]>`
    -- all publishers: all users: the operator's proof over all counts
    select 'publisher ' || publisher_id || ' transactions/' || to_char(authorized_at at time zone 'UTC', 'YYYY-MM-DD') || '/' || status as where,
      count(*)
    from transactions
    group by 1`
  return new Map(rows.map(({ where, count }) => [where, count]))
}
