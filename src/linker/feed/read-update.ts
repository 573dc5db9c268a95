import { setTimeout as pause } from 'node:timers/promises'
import { type FeedPage, isFault, type Provider } from '../provider.ts'
import { PAGES_UNPACED, READING_MAX_MS, SYNC_PACE_MS } from '../schedule/bounds.ts'

// An update changes under the reader's hands now and then; more often than this means that the provider is at fault.
const RESTARTS_MAX = 5
/**
 * An update is stored whole, so it is held whole. Many are read at once: each may take this many rows, which is years of
 * a card, and one at a time of a process may take more, up to what is more than any login has.
 */
const ROWS_MAX = 4_000
const LARGE_ROWS_MAX = 50_000

type ReadUpdate = {
  readonly pages: readonly FeedPage[]
  readonly cursor: string | null
  /** Everything was read, not only changes, so the pages do not name rows that are gone. */
  readonly fromStart: boolean
}

/** The calls and the memory that one run uses; closed when what it read is stored. */
type Effort = {
  calls(): number
  /** Counts a call, and keeps calls apart once they are many. */
  turn(): Promise<void>
  /** @throws NoRoom when so many rows cannot be held now */
  hold(rows: number): void
  close(): void
}

/** There is no room for another large update now; the run is postponed. */
export class NoRoom extends Error {}

let isLargeTaken = false

export function openEffort(): Effort {
  let calls = 0
  let isLarge = false
  return {
    calls: () => calls,
    turn: async () => {
      calls++
      if (calls > PAGES_UNPACED) await pause(SYNC_PACE_MS)
    },
    hold: (rows) => {
      if (rows > LARGE_ROWS_MAX) throw new Error(`an update has more than ${LARGE_ROWS_MAX} rows`)
      if (rows <= ROWS_MAX || isLarge) return
      if (isLargeTaken) throw new NoRoom('another large update is being read')
      isLarge = true
      isLargeTaken = true
    },
    close: () => {
      if (isLarge) isLargeTaken = false
      isLarge = false
    },
  }
}

/** All pages from a cursor on. A page that fails makes all pages of the update worthless. */
export async function readUpdate(
  provider: Pick<Provider, 'readFeed'>,
  { token, cursor, effort }: { readonly token: string; readonly cursor: string | null; readonly effort: Effort },
): Promise<ReadUpdate> {
  let start = cursor
  for (let restarts = 0; ; restarts++) {
    try {
      return { ...(await readPages(provider, token, start, effort)), fromStart: start === null }
    } catch (error) {
      if (restarts >= RESTARTS_MAX) throw error
      // A cursor that the provider does not know any more: everything is read again, and what is known says nothing new.
      if (isFault(error, 'INVALID_FIELD') && start !== null) start = null
      else if (!isFault(error, 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION')) throw error
    }
  }
}

async function readPages(
  provider: Pick<Provider, 'readFeed'>,
  token: string,
  start: string | null,
  effort: Effort,
): Promise<Omit<ReadUpdate, 'fromStart'>> {
  const deadline = AbortSignal.timeout(READING_MAX_MS)
  const pages: FeedPage[] = []
  let cursor = start
  let rows = 0
  for (;;) {
    await effort.turn()
    const page = await provider.readFeed(token, cursor)
    pages.push(page)
    // Nothing ready: there is no cursor yet, and the old one stays.
    cursor = page.nextCursor ?? cursor
    rows += page.added.length + page.modified.length + page.removed.length
    effort.hold(rows)
    if (!page.hasMore) return { pages, cursor }
    if (deadline.aborted) throw new Error(`an update takes longer than ${READING_MAX_MS} ms to read`)
  }
}
