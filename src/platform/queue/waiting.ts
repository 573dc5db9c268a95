import type postgres from 'postgres'
import type { Reader } from '../db/database.ts'

/** The number of entries waiting for a person, and when the oldest began to wait. */
export type WaitingCount = {
  /** Capped at WAITING_MAX, which means that many or more. */
  readonly count: number
  /** The time when the oldest entry began to wait; null if nothing is waiting. */
  readonly oldestAt: Date | null
}

// More than anyone works through in a month. Counting this many takes a few milliseconds.
export const WAITING_MAX = 10_000

/** Counts the rows of a query that selects `since`, oldest first, and at most `limit` rows. */
export async function countWaiting(
  reader: Reader,
  rows: (limit: number) => postgres.PendingQuery<postgres.Row[]>,
): Promise<WaitingCount> {
  const [row] = await reader<WaitingCount[]>`
    select count(*)::int as count, min(since) as oldest_at from (${rows(WAITING_MAX)}) waiting`
  return row ?? { count: 0, oldestAt: null }
}

/** Combines several counts into one. */
export function combineCounts(all: readonly WaitingCount[]): WaitingCount {
  const oldest = all.flatMap(({ oldestAt }) => oldestAt ?? []).toSorted((a, b) => a.getTime() - b.getTime())
  return { count: all.reduce((sum, { count }) => sum + count, 0), oldestAt: oldest[0] ?? null }
}
