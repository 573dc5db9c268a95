import { setTimeout as pause } from 'node:timers/promises'
import { NoRoom } from '../health/failures.ts'
import { type FeedPage, isFault, type Provider } from '../provider.ts'
import { PAGES_UNPACED, READING_MAX_MS, SYNC_PACE_MS } from '../schedule/timing.ts'

// An update may change while it is read. More restarts than this indicate a provider error.
const RESTARTS_MAX = 5
// Some cursors report such a change on every read for months, until the feed is read from the beginning.
const TRIES_AT_CURSOR = 3
/**
 * An update is held in memory until all of it is stored. Many updates are read concurrently, each with at most ROWS_MAX
 * rows, which covers years of one card. One update per process may have up to LARGE_ROWS_MAX rows at a time, which is
 * more than any login has.
 */
const ROWS_MAX = 4_000
const LARGE_ROWS_MAX = 50_000

type ReadUpdate = {
  readonly pages: readonly FeedPage[]
  readonly cursor: string | null
  /** True if the feed was read from the beginning, in which case its pages do not list removed rows. */
  readonly fromStart: boolean
  /** The error code that made the run abandon its cursor and read from the beginning; null if it did not. */
  readonly gaveUpFor: string | null
}

let isLargeTaken = false

type Effort = ReturnType<typeof openEffort>

/** Tracks the calls and memory of one run. Closed once the update is stored. */
export function openEffort() {
  let isLarge = false
  const effort = {
    calls: 0,
    /** Counts a call, and throttles the run once it has made many. */
    async turn(): Promise<void> {
      if (++effort.calls > PAGES_UNPACED) await pause(SYNC_PACE_MS)
    },
    /** @throws NoRoom if another large update is being read */
    hold(rows: number): void {
      if (rows > LARGE_ROWS_MAX) throw new Error(`an update has more than ${LARGE_ROWS_MAX} rows`)
      if (rows <= ROWS_MAX || isLarge) return
      if (isLargeTaken) throw new NoRoom('another large update is being read')
      isLarge = true
      isLargeTaken = true
    },
    close(): void {
      if (isLarge) isLargeTaken = false
      isLarge = false
    },
  }
  return effort
}

/** Reads all pages since a cursor. If one fails, the entire update must be read again. */
export async function readUpdate(
  provider: Pick<Provider, 'readFeed'>,
  { token, cursor, effort }: { readonly token: string; readonly cursor: string | null; readonly effort: Effort },
): Promise<ReadUpdate> {
  let start = cursor
  let gaveUpFor: string | null = null
  for (let restarts = 0; ; restarts++) {
    try {
      return { ...(await readPages(provider, token, start, effort)), fromStart: start === null, gaveUpFor }
    } catch (error) {
      const isForgotten = start !== null && isFault(error, 'INVALID_FIELD')
      const isChanging = isFault(error, 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION')
      if (restarts >= RESTARTS_MAX || !(isForgotten || isChanging)) throw error
      if (start === null || (isChanging && restarts + 1 < TRIES_AT_CURSOR)) continue
      // Reading everything again is safe, because rows that are already stored change nothing.
      start = null
      gaveUpFor = error.code
    }
  }
}

async function readPages(
  provider: Pick<Provider, 'readFeed'>,
  token: string,
  start: string | null,
  effort: Effort,
): Promise<Pick<ReadUpdate, 'pages' | 'cursor'>> {
  const deadline = AbortSignal.timeout(READING_MAX_MS)
  const pages: FeedPage[] = []
  let cursor = start
  let rows = 0
  for (;;) {
    await effort.turn()
    const page = await provider.readFeed(token, cursor)
    pages.push(page)
    // Null means that nothing is ready and there is no cursor yet, so the old one stays.
    cursor = page.nextCursor ?? cursor
    rows += page.added.length + page.modified.length + page.removed.length
    effort.hold(rows)
    if (!page.hasMore) return { pages, cursor }
    if (deadline.aborted) throw new Error(`an update takes longer than ${READING_MAX_MS} ms to read`)
  }
}
