import type postgres from 'postgres'
import type { Clock } from '../clock.ts'
import type { Database, Reader, Tx } from '../db/database.ts'
import type { PublisherId, UserId } from '../ids.ts'
import type { Log } from '../telemetry/log.ts'

/**
 * A queue of calls to an outside service that may not answer, one row per call. Each call is retried under the same
 * reference until the service answers, and the service processes each reference only once. Workers claim rows by lease,
 * so several can share the queue and take over from one that was killed.
 */
export type CallQueue = {
  /** A table with the columns of QueuedCall plus `due_at`. */
  readonly table: string
  /** The primary key column, which identifies the subject of the call. */
  readonly key: string
  /** The message to log when a call fails. */
  readonly failure: string
  /** SQL condition for rows to skip until a caller requests that publisher's calls. */
  readonly isHeldBack: (reader: Reader) => postgres.PendingQuery<postgres.Row[]>
}

/** The columns every queue has. A queue may have more. */
export type QueuedCall = {
  /** The value of the primary key. */
  readonly id: string
  readonly userId: UserId
  readonly publisherId: PublisherId
  /** Includes the current attempt. */
  readonly attempts: number
  /** In real time, not by a sandbox's clock. */
  readonly queuedAt: Date
}

/** Calls made concurrently. */
const AT_ONCE = 16
// Longer than any call takes. Calls of a killed process are retried after this time.
const LEASE_MS = 30_000
const BACKOFF_MAX_MS = 10 * 60_000

/**
 * Makes the calls that are due.
 * @param publisherId set when a caller is waiting: makes all calls of this publisher, due or not, including those
 * leased by another process
 * @param call returns true once the row has left the queue; if it returns false or throws, the call is retried later
 * @returns true if more calls may be due
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
  // Unanswered calls are retried later, even if a caller is waiting.
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

/** Returns false if another process has already removed the row. */
export async function dequeueCall(
  tx: Tx,
  { table, key }: CallQueue,
  { publisherId, id }: QueuedCall,
): Promise<boolean> {
  const { count } = await tx`
    delete from ${tx(table)} where publisher_id = ${publisherId} and ${tx(key)} = ${id}`
  return count === 1
}

/** Counts the calls that have been attempted more than once. */
export async function countUnanswered(reader: Reader, { table }: CallQueue): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    -- all publishers: totals for metrics
    select count(*)::int as count from ${reader(table)} where attempts > 1`
  return row?.count ?? 0
}
