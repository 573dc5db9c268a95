import type postgres from 'postgres'
import type { Clock } from './clock.ts'
import type { Database, Reader, Tx } from './database.ts'
import type { PublisherId, UserId } from './ids.ts'
import type { Log } from './log.ts'

/**
 * Calls to somebody outside who may not answer, each a row of a queue: it is made again and again under one reference
 * until it is answered, and whoever is called does everything once for each reference. Rows are claimed by lease, so
 * that several workers share the calls and those of a killed one are taken over.
 */
export type CallQueue = {
  /** A table with the columns of QueuedCall and `due_at`. */
  readonly table: string
  /** Its primary key: what the call is about. */
  readonly key: string
  /** What the log says when a call fails. */
  readonly failure: string
  /** Whether a row stays in the queue until a caller asks for its publisher's. */
  readonly isHeldBack: (reader: Reader) => postgres.PendingQuery<postgres.Row[]>
}

/** A row of a queue; a queue may have further columns. */
export type QueuedCall = {
  /** The key. */
  readonly id: string
  readonly userId: UserId
  readonly publisherId: PublisherId
  /** Including this one. */
  readonly attempts: number
  /** In real time. */
  readonly queuedAt: Date
}

/** How many calls are made at once. */
const AT_ONCE = 16
// Longer than a call takes; the calls of a killed process wait this long.
const LEASE_MS = 30_000
const BACKOFF_MAX_MS = 10 * 60_000

/**
 * Makes due calls.
 * @param publisherId for a caller that waits: all of this publisher's, due or not, even those that another process holds
 * @param call returns whether the row has left the queue; otherwise, or if it throws, the call is made again later
 * @returns whether there may be more
 */
export async function makeCalls<Row extends QueuedCall>(
  { db, clock, log }: { readonly db: Database; readonly clock: Clock; readonly log: Log },
  queue: CallQueue,
  publisherId: PublisherId | null,
  call: (row: Row) => Promise<boolean>,
): Promise<boolean> {
  const claimed = await claimCalls<Row>(db.reader, queue, publisherId, clock.now())
  const ended = await Promise.all(
    claimed.map(async (row) => {
      const hasEnded = await call(row).catch((error: unknown) => {
        log.warn({ err: error, [queue.key]: row.id }, queue.failure)
        return false
      })
      if (hasEnded) return true
      const waitMs = Math.min(1_000 * 2 ** row.attempts, BACKOFF_MAX_MS)
      await postponeCall(db.reader, queue, row, new Date(clock.now().getTime() + waitMs))
      return false
    }),
  )
  // What was not answered is due again later, even for a caller that waits.
  return claimed.length === AT_ONCE && ended.some((one) => one)
}

async function claimCalls<Row extends QueuedCall>(
  reader: Reader,
  { table, key, isHeldBack }: CallQueue,
  publisherId: PublisherId | null,
  now: Date,
): Promise<Row[]> {
  return reader<Row[]>`
    -- all publishers: the queue is everybody's
    update ${reader(table)} q set due_at = ${new Date(now.getTime() + LEASE_MS)}, attempts = q.attempts + 1
    from (
      select ${reader(key)} as id from ${reader(table)}
      where ${publisherId === null ? reader`due_at <= ${now} and not ${isHeldBack(reader)}` : reader`publisher_id = ${publisherId}`}
      order by due_at
      limit ${AT_ONCE}
      for update ${publisherId === null ? reader`skip locked` : reader``}
    ) as due
    where q.${reader(key)} = due.id
    returning q.*, due.id`
}

async function postponeCall(
  reader: Reader,
  { table, key }: CallQueue,
  { publisherId, id }: QueuedCall,
  dueAt: Date,
): Promise<void> {
  await reader`
    update ${reader(table)} set due_at = ${dueAt}
    where publisher_id = ${publisherId} and ${reader(key)} = ${id}`
}

/** Returns false when another process has done so. */
export async function dequeueCall(
  tx: Tx,
  { table, key }: CallQueue,
  { publisherId, id }: QueuedCall,
): Promise<boolean> {
  const { count } = await tx`
    delete from ${tx(table)} where publisher_id = ${publisherId} and ${tx(key)} = ${id}`
  return count === 1
}

/** How many were made more than once. */
export async function countUnanswered(reader: Reader, { table }: CallQueue): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    -- all publishers: totals for metrics
    select count(*)::int as count from ${reader(table)} where attempts > 1`
  return row?.count ?? 0
}
