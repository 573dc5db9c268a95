import type postgres from 'postgres'
import type { Clock } from '../clock.ts'
import type { Database, Reader, Tx } from '../db/database.ts'
import type { PublisherId, UserId } from '../ids.ts'
import type { Log } from '../telemetry/log.ts'
import { type Capacity, createLeasedWork, type LeasedWork } from './leased-work.ts'

/**
 * A queue in a table, one row per job. A claim leases a row by postponing it, so workers share the queue and take over
 * the jobs of a killed worker. A job may therefore run twice, even concurrently in two processes. It must call outside
 * services under the same reference each time and commit its result idempotently.
 */
export type RowQueue = {
  /** The name of the loop, in logs and metrics. */
  readonly name: string
  readonly everyMs?: number
  /** A table with the column `due_at`, and `attempts` unless retries have a fixed delay. */
  readonly table: string
  /** The primary key column, which identifies the job. */
  readonly key: string
  /** The delay before a failed job is retried, in milliseconds. It may double with each attempt. */
  readonly retryMs: number | { readonly first: number; readonly max: number }
  /**
   * The message to log when a job fails. Omit if a failure is a fault of this service: it is then logged as an error
   * and counted as a failure of the loop.
   */
  readonly failure?: string
  /** SQL condition for rows that still have work. Defaults to all rows. */
  readonly isOpen?: (reader: Reader) => postgres.PendingQuery<postgres.Row[]>
  /** SQL condition for rows to skip until a caller waits for that publisher's jobs. */
  readonly isHeldBack?: (reader: Reader) => postgres.PendingQuery<postgres.Row[]>
  /** The maximum number of jobs that run concurrently in a process. */
  readonly atOnce?: number
  /**
   * The duration of a lease, which is not renewed, so it must exceed the duration of any job. The jobs of a killed
   * process are retried after this time.
   */
  readonly leaseMs?: number
}

/** A claimed row, including all other columns of its table. */
export type QueuedRow = {
  /** The value of the primary key. */
  readonly id: string
  /** The end of the lease. If the row is due at another time, it was queued or claimed again during the job. */
  readonly dueAt: Date
  /** Includes the current attempt. */
  readonly attempts?: number
}

/** A call to an outside service. */
export type QueuedCall = QueuedRow & {
  readonly userId: UserId
  readonly publisherId: PublisherId
  readonly attempts: number
  /** In real time, regardless of a sandbox's clock. */
  readonly queuedAt: Date
}

/**
 * - done: the job has removed the row from the queue
 * - retry: the row is due again after the same delay as after a failure
 * - a number: the row is due again after this many milliseconds
 */
type JobOutcome = 'done' | 'retry' | number

/** The delays before retrying calls that an outside service did not answer. */
export const CALL_RETRY_MS = { first: 2_000, max: 10 * 60_000 }
// Checking for due rows costs one index lookup.
const EVERY_MS = 1_000
const AT_ONCE = 16
// This many failures in a row mean that an outside service is down rather than that one job is faulty.
const FAILURES_MAX = 16

/**
 * Creates the work on a queue: all due rows or, for a waiting caller, the rows of one publisher.
 * @param publisherId selects all rows of this publisher, due or not, even if another process has leased them. Each job
 * runs until it is done or postponed. The work ends early after too many failures in a row.
 */
export function createQueueWork<Row extends QueuedRow>(
  { db: { reader }, clock, log }: { readonly db: Database; readonly clock: Clock; readonly log: Log },
  queue: RowQueue,
  publisherId: PublisherId | null,
  work: (row: Row) => Promise<JobOutcome>,
): LeasedWork {
  const { name, retryMs, everyMs = EVERY_MS, atOnce = AT_ONCE, leaseMs } = queue
  // The rows that the caller no longer waits for.
  const postponed = new Set<string>()
  let failuresInARow = 0
  const postpone = async (row: Row, ms: number): Promise<void> => {
    if (publisherId !== null && ms > 0) postponed.add(row.id)
    await postponeRow(reader, queue, row, new Date(clock.now().getTime() + ms))
  }
  return createLeasedWork<Row, void>(
    { clock, log },
    {
      name,
      everyMs,
      heldMax: atOnce,
      ...(leaseMs === undefined ? {} : { leaseMs }),
      toKey: ({ id }) => id,
      claim: async (capacity) => {
        // The service is not responding, and a caller must not wait until every call has timed out.
        if (publisherId !== null && failuresInARow >= FAILURES_MAX) return []
        return claimRows<Row>(reader, queue, publisherId, [...postponed, ...capacity.held.keys()], capacity)
      },
      process: async (row) => {
        const { attempts = 1 } = row
        const laterMs =
          typeof retryMs === 'number' ? retryMs : Math.min(retryMs.first * 2 ** (attempts - 1), retryMs.max)
        try {
          const outcome = await work(row)
          failuresInARow = outcome === 'retry' ? failuresInARow + 1 : 0
          if (outcome !== 'done') await postpone(row, outcome === 'retry' ? laterMs : outcome)
        } catch (error) {
          failuresInARow++
          if (queue.failure !== undefined) log.warn({ err: error, [queue.key]: row.id, attempts }, queue.failure)
          await postpone(row, laterMs)
          if (queue.failure === undefined) throw error
        }
      },
    },
  )
}

async function claimRows<Row extends object>(
  reader: Reader,
  { table, key, retryMs, isOpen, isHeldBack }: RowQueue,
  publisherId: PublisherId | null,
  except: string[],
  { free, now, leasedUntil }: Capacity,
): Promise<Row[]> {
  const isClaimed =
    publisherId === null
      ? reader`due_at <= ${now} and not ${isHeldBack?.(reader) ?? reader`false`}`
      : reader`publisher_id = ${publisherId}`
  return reader<Row[]>`
    -- all publishers: the queue is everybody's
    update ${reader(table)} q
    set due_at = ${leasedUntil} ${typeof retryMs === 'number' ? reader`` : reader`, attempts = q.attempts + 1`}
    from (
      select ${reader(key)} as id from ${reader(table)}
      where ${isOpen?.(reader) ?? reader`true`} and ${isClaimed} and ${reader(key)} <> all(${except}::uuid[])
      order by due_at
      limit ${free}
      for update ${publisherId === null ? reader`skip locked` : reader``}
    ) as due
    where q.${reader(key)} = due.id
    returning q.*, due.id`
}

/** Reschedules a row. Does nothing if the row was queued or claimed again during the job. */
async function postponeRow(reader: Reader, { table, key }: RowQueue, row: QueuedRow, dueAt: Date): Promise<void> {
  await reader`
    -- all publishers: a row is named by its key
    update ${reader(table)} set due_at = ${dueAt} where ${reader(key)} = ${row.id} and due_at = ${row.dueAt}`
}

/** Removes a call. Returns false if another process has already done so. */
export async function dequeueCall(tx: Tx, { table, key }: RowQueue, { publisherId, id }: QueuedCall): Promise<boolean> {
  const { count } = await tx`
    delete from ${tx(table)} where publisher_id = ${publisherId} and ${tx(key)} = ${id}`
  return count === 1
}

/** Counts the calls that have been attempted more than once. */
export async function countUnanswered(reader: Reader, { table }: RowQueue): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    -- all publishers: totals for metrics
    select count(*)::int as count from ${reader(table)} where attempts > 1`
  return row?.count ?? 0
}
