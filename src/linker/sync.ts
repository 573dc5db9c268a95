import { judgeLink, lockCards } from '../cards/index.ts'
import type { Tx } from '../platform/database.ts'
import type { PublisherId } from '../platform/ids.ts'
import { getPublisher, publisherNow } from '../publishers/index.ts'
import { backoffMs, LEASE_MS, NOT_READY_MS, OWN_ITEM_POLL_MS, RUNS_AT_ONCE, SAFETY_POLL_MS } from './bounds.ts'
import { tellClock, withToken } from './clock.ts'
import type { LinkerDeps } from './deps.ts'
import { readUnknownAccounts } from './feed/accounts.ts'
import { foldPages } from './feed/rows.ts'
import { type Read, storeUpdate } from './feed/store.ts'
import { verdictOf } from './health.ts'
import { type FeedPage, isFault, type Provider } from './provider.ts'
import { providerOf } from './providers.ts'
import { claimSyncs, failSync, finishSync, holdRun, type SyncRun } from './run-queries.ts'
import { openToken } from './tokens.ts'

/**
 * Reading a feed. One run at a time works on a link (a lease), reads all pages of an update without holding anything
 * open, and then stores the whole of it in one commit: source events, rows, and the cursor of the last page, provided
 * that the cursor is still the one the run began with. A run that fails or dies at any point has changed nothing, and
 * the next one reads the same update again. Requests that come while a run is under way make the link due again after it.
 */

// An update changes under the reader's hands now and then; more often than this means that the provider is at fault.
const RESTARTS_MAX = 5
// 500 rows a page: more than two years of a very busy login.
const PAGES_MAX = 200

/** Reads the feeds that are due, of one publisher or of all; answers whether there may be more. */
export async function syncDue(deps: LinkerDeps, publisherId: PublisherId | null): Promise<boolean> {
  const claim = { limit: RUNS_AT_ONCE, leaseMs: LEASE_MS }
  const runs = await claimSyncs(deps.db.reader, publisherId, claim, deps.clock.now())
  await Promise.all(runs.map((run) => sync(deps, run)))
  return runs.length === RUNS_AT_ONCE
}

/** Never throws: one feed that cannot be read stops no other. */
async function sync(deps: LinkerDeps, run: SyncRun): Promise<void> {
  try {
    await followClock(deps, run)
    const { pages, cursor, fromStart } = await readUpdate(deps, run)
    const update = foldPages(pages)
    const isSnapshot = fromStart && pages.at(-1)?.isComplete === true
    const read = { item: run, update, isSnapshot, accounts: await readUnknownAccounts(deps, run, update) }
    await deps.db.transaction((tx) => finish(tx, deps, run, read, cursor))
  } catch (error) {
    deps.log.warn({ err: error, link_id: run.linkId }, 'a feed could not be read')
    const verdict = verdictOf(error)
    const nowMs = deps.clock.now().getTime()
    if (verdict === undefined)
      return failSync(deps.db.reader, run.publisherId, run, new Date(nowMs + backoffMs(run.failures)))
    await deps.db.transaction(async (tx) => {
      await lockCards(tx, run.publisherId, run.userId)
      const publisher = await getPublisher(tx, run.publisherId)
      await judgeLink(tx, publisher, run.userId, run.linkId, verdict, publisherNow(publisher, deps.clock))
    })
    // The login has to be repaired first, and that is announced.
    await failSync(deps.db.reader, run.publisherId, run, new Date(nowMs + SAFETY_POLL_MS))
  }
}

async function followClock(deps: LinkerDeps, run: SyncRun): Promise<void> {
  // Where no provider can follow, the publisher is not even asked for.
  if (deps.provider.followClock === undefined) return
  await tellClock(deps, await getPublisher(deps.db.reader, run.publisherId), withToken(deps, run))
}

type ReadUpdate = {
  readonly pages: readonly FeedPage[]
  readonly cursor: string | null
  /** Everything was read, not only what changed: then nothing is told of rows that are gone. */
  readonly fromStart: boolean
}

/** All pages from the run's cursor on. A page that fails makes all pages of the update worthless. */
async function readUpdate(deps: LinkerDeps, run: SyncRun): Promise<ReadUpdate> {
  const provider = await providerOf(deps, run)
  const token = openToken(deps.vault, run, run.sealedToken)
  let start = run.cursor
  for (let restarts = 0; ; restarts++) {
    try {
      return { ...(await readPages(provider, token, start)), fromStart: start === null }
    } catch (error) {
      if (restarts >= RESTARTS_MAX) throw error
      // A cursor that the provider does not know any more: everything is read again, and what is known says nothing new.
      if (isFault(error, 'INVALID_FIELD') && start !== null) start = null
      else if (!isFault(error, 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION')) throw error
    }
  }
}

async function readPages(
  provider: Provider,
  token: string,
  start: string | null,
): Promise<Omit<ReadUpdate, 'fromStart'>> {
  const pages: FeedPage[] = []
  let cursor = start
  for (;;) {
    const page = await provider.readFeed(token, cursor)
    pages.push(page)
    // Nothing ready: there is no cursor yet, and the old one stays.
    cursor = page.nextCursor ?? cursor
    if (!page.hasMore) return { pages, cursor }
    if (pages.length >= PAGES_MAX) throw new Error(`an update has more than ${PAGES_MAX} pages`)
  }
}

async function finish(tx: Tx, deps: LinkerDeps, run: SyncRun, read: Read, cursor: string | null): Promise<void> {
  await lockCards(tx, run.publisherId, run.userId)
  if (!(await holdRun(tx, run.publisherId, run))) return
  const publisher = await getPublisher(tx, run.publisherId)
  const now = publisherNow(publisher, deps.clock)
  await storeUpdate(tx, deps, publisher, read, now)
  // Whoever can read the feed can sign in, so this clears what an earlier failure said.
  await judgeLink(tx, publisher, run.userId, run.linkId, null, now)
  const next = { cursor, nextAt: new Date(deps.clock.now().getTime() + restMs(run, cursor)) }
  await finishSync(tx, publisher.id, run, next, deps.clock.now())
}

function restMs(run: SyncRun, cursor: string | null): number {
  if (cursor === null) return NOT_READY_MS
  return (run.owner === 'publisher' ? OWN_ITEM_POLL_MS : SAFETY_POLL_MS) * (0.9 + Math.random() / 10)
}
