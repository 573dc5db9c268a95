import type { PublisherId } from '../ids.ts'
import { asTable, type Reader, type Tx } from './database.ts'

/**
 * Maintains the sizes of unbounded lists, so that a page's total_elements costs the same at a thousand rows as at a
 * million. Writers append deltas, so no row is hot. foldListCounts moves the deltas into totals, and the exact size is
 * the sum of both.
 */
export async function addToListCount(tx: Tx, publisherId: PublisherId, list: string, delta: number): Promise<void> {
  await addToListCounts(tx, publisherId, new Map([[list, delta]]))
}

/** Updates the counts of several lists, or of several parts of one list. */
export async function addToListCounts(
  tx: Tx,
  publisherId: PublisherId,
  deltas: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = [...deltas].map(([list, delta]) => ({ list, delta })).filter(({ delta }) => delta !== 0)
  if (rows.length === 0) return
  await tx`
    insert into list_count_deltas (publisher_id, list, delta)
    select ${publisherId}, list, delta from ${asTable(tx, rows, { list: 'plain', delta: 'int8' })}`
}

export async function readListCount(reader: Reader, publisherId: PublisherId, list: string): Promise<number> {
  const [row] = await reader<{ total: bigint }[]>`
    select
      coalesce((select total from list_counts where publisher_id = ${publisherId} and list = ${list}), 0)
      + coalesce((select sum(delta) from list_count_deltas where publisher_id = ${publisherId} and list = ${list}), 0) as total`
  return Number(row?.total ?? 0)
}

/** SQL for the size of a publisher's list. `publisherId` is the column that holds the publisher's id. */
export const selectListCount = (reader: Reader, publisherId: string, list: string) => reader`
  coalesce((select total from list_counts where publisher_id = ${reader(publisherId)} and list = ${list}), 0)
  + coalesce((select sum(delta) from list_count_deltas where publisher_id = ${reader(publisherId)} and list = ${list}), 0)`

/**
 * Moves the deltas into the totals. Runs as a single statement, so that every delta is either pending or counted. The
 * caller holds the foldDeltas lock.
 */
export async function foldListCounts(tx: Tx): Promise<void> {
  await tx`
    -- all publishers: the whole queue is folded
    with taken as (delete from list_count_deltas returning publisher_id, list, delta)
    insert into list_counts as t (publisher_id, list, total)
    select publisher_id, list, sum(delta) from taken group by publisher_id, list order by publisher_id, list
    on conflict (publisher_id, list) do update set total = t.total + excluded.total`
}
