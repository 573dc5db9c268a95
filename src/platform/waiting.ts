import type postgres from 'postgres'
import type { Reader } from './database.ts'

/** What waits for a person. */
export type WaitingCount = {
  /** At most WAITING_MAX: so many, or more. */
  readonly count: number
  /** Since when the oldest of these has waited; null: nothing waits. */
  readonly oldestAt: Date | null
}

// More than anyone works off in a month; counting them takes some milliseconds.
export const WAITING_MAX = 10_000

/** Counts rows with an instant `since`; the oldest come first, and `limit` is how many may be read. */
export async function countWaiting(
  reader: Reader,
  rows: (limit: number) => postgres.PendingQuery<postgres.Row[]>,
): Promise<WaitingCount> {
  const [row] = await reader<WaitingCount[]>`
    select count(*)::int as count, min(since) as oldest_at from (${rows(WAITING_MAX)}) waiting`
  return row ?? { count: 0, oldestAt: null }
}

/** Several lists as one. */
export function together(all: readonly WaitingCount[]): WaitingCount {
  const oldest = all.flatMap(({ oldestAt }) => oldestAt ?? []).toSorted((a, b) => a.getTime() - b.getTime())
  return { count: all.reduce((sum, { count }) => sum + count, 0), oldestAt: oldest[0] ?? null }
}
