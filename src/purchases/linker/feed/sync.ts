import { awaitAll, type Tx } from '../../../platform/db/database.ts'
import type { PublisherId } from '../../../platform/ids.ts'
import { addJitter, drawFraction } from '../../../platform/jitter.ts'
import { createLeasedWork, type LeasedWork } from '../../../platform/queue/leased-work.ts'
import { lockCards } from '../../../sources/cards/index.ts'
import { getPublisher, publisherNow } from '../../../tenants/publishers/index.ts'
import { getProvider } from '../accounts/provider-accounts.ts'
import { findWebhookAddress, type LinkerDeps } from '../deps.ts'
import { failRun, showError } from '../health/failures.ts'
import { isStale } from '../health/login-state.ts'
import { requestRuns } from '../item-queries.ts'
import { cursorsGivenUp, faults, feedsRead } from '../metrics.ts'
import type { FeedPage } from '../provider.ts'
import { pollIntervalMs, type Signs } from '../schedule/poll-interval.ts'
import { claimSyncs, lockRun, markRead, releaseRun, renewLeases, type SyncRun } from '../schedule/run-queries.ts'
import { readItemNow } from '../schedule/sandbox-clock.ts'
import { NOT_READY_MAX_MS, NOT_READY_MS, SYNCS_AT_ONCE, SYNCS_OF_ONE_PUBLISHER } from '../schedule/timing.ts'
import { openToken } from '../sealed-tokens.ts'
import { openEffort, readUpdate } from './read-update.ts'
import { foldPages } from './rows.ts'
import { type Read, readUnknownAccounts, storeUpdate } from './store.ts'

/**
 * Reads feeds. A lease ensures that only one run at a time works on a link. The run reads all pages of an update
 * without an open transaction. It then stores source events, rows and the last page's cursor in one commit, provided
 * that it still holds the lease and the stored cursor is the one it began with. A run that fails or dies changes
 * nothing, and the next one reads the same update again. A request that arrives during a run makes the link due again
 * afterward.
 */

/** Creates the worker that reads due feeds, for all publishers or only for the publisher a caller is waiting on. */
export function createSyncs(deps: LinkerDeps, publisherId: PublisherId | null): LeasedWork {
  const { reader } = deps.db
  return createLeasedWork<SyncRun, void>(deps, {
    name: 'linker syncs',
    everyMs: 250,
    heldMax: SYNCS_AT_ONCE,
    toKey: (run) => run.publisherId,
    claim: (capacity) => {
      const perPublisher = publisherId === null ? SYNCS_OF_ONE_PUBLISHER : SYNCS_AT_ONCE
      return claimSyncs(reader, publisherId, { ...capacity, perPublisher })
    },
    renew: (runs, leasedUntil) => renewLeases(reader, 'sync', runs, leasedUntil),
    process: (run) => sync(deps, run, publisherId !== null),
  })
}

/** @param isAwaited true if a caller is waiting, so calls skip the wait for slots */
async function sync(deps: LinkerDeps, run: SyncRun, isAwaited: boolean): Promise<void> {
  const startedAt = deps.clock.now()
  const effort = openEffort()
  try {
    const present = await readItemNow(deps, run)
    const provider = await getProvider(deps, run)
    const token = openToken(deps.vault, run, run.sealedToken)
    const reader = isAwaited ? provider : provider.patient
    const { pages, cursor, fromStart, gaveUpFor } = await readUpdate(reader, { token, cursor: run.cursor, effort })
    if (gaveUpFor !== null) reportGivenUp(deps, run, gaveUpFor)
    const update = foldPages(pages)
    const isComplete = pages.at(-1)?.isComplete === true
    const accounts = await readUnknownAccounts(deps, run, update)
    const read = { item: run, update, isSnapshot: fromStart && isComplete, accounts }
    const end = { cursor: cursorAfter(read, cursor), isComplete, startedAt, present, calls: effort.calls }
    await deps.db.transaction((tx) => finish(tx, deps, run, read, end))
    feedsRead.inc()
    reportLeftOut(deps, run, pages)
  } catch (error) {
    await failRun(deps, 'sync', run, { error, startedAt, calls: effort.calls })
  } finally {
    effort.close()
  }
}

/**
 * Returns the cursor to store. An empty feed of a relinked login does not mean that all purchases are gone. It is read
 * from the beginning until it shows something, because only then can it show which rows of the older item are gone.
 */
function cursorAfter({ item, update, isSnapshot }: Read, cursor: string | null): string | null {
  return isSnapshot && update.rows.length === 0 && item.generation > 1 ? null : cursor
}

function reportGivenUp(deps: LinkerDeps, run: SyncRun, code: string): void {
  cursorsGivenUp.inc({ code })
  deps.log.warn(
    { link_id: run.linkId, code },
    'a feed could not be continued from its cursor and was read from the beginning',
  )
}

/**
 * Reports rows that can never be stored. They must not block the feed, but the operator must learn that they are
 * missing.
 */
function reportLeftOut(deps: LinkerDeps, run: SyncRun, pages: readonly FeedPage[]): void {
  const leftOut = pages.reduce((sum, page) => sum + page.leftOut, 0)
  if (leftOut === 0) return
  faults.inc({ code: 'UNREADABLE_ROW' })
  deps.log.error({ link_id: run.linkId, left_out: leftOut }, 'rows of a feed could not be stored and were skipped')
}

type End = {
  readonly cursor: string | null
  readonly isComplete: boolean
  readonly startedAt: Date
  /** The current time on the clock of the item's bank. */
  readonly present: Date
  readonly calls: number
}

async function finish(tx: Tx, deps: LinkerDeps, run: SyncRun, read: Read, end: End): Promise<void> {
  const [, isHeld, publisher] = await awaitAll([
    lockCards(tx, run.publisherId, run.userId),
    lockRun(tx, run),
    getPublisher(tx, run.publisherId),
  ])
  if (!isHeld) return
  const now = publisherNow(publisher, deps.clock)
  await storeUpdate(tx, deps, publisher, read, now)
  const hasNews = read.update.rows.length + read.update.removed.length > 0
  const heardAt = hasNews ? end.present : run.heardAt
  // A readable feed means a working login, so this clears an earlier error unless the bank has long been silent. In
  // that case a check decides, because what is stored about the bank may date from before the sandbox's clock was
  // moved.
  const isSilent = isStale({ lastUpdatedAt: run.lastUpdatedAt, heardAt }, end.present)
  const isUnannounced = hasNews && !run.asked
  // No webhook arrives for handed-over items, nor for any item if the provider cannot reach the service.
  const isPolled = run.isHandedOver || findWebhookAddress(deps, run.environment) === null
  const nextAt = nextAfter(run, { ...end, heardAt, isUnannounced, isPolled }, deps.clock.now())
  const { cursor, calls } = end
  // Nothing was ready yet, so the pause grows as it does after failures.
  const failures = cursor === null ? run.failures + 1 : 0
  await awaitAll([
    isSilent
      ? requestRuns(tx, publisher.id, 'check', [run], deps.clock.now())
      : showError(tx, deps, publisher, run, null, end.startedAt),
    markRead(tx, run, { cursor, heardAt }, deps.clock.now()),
    releaseRun(tx, 'sync', run, { dueAt: nextAt, calls, ended: 'done', failures }, deps.clock.now()),
  ])
}

function nextAfter(
  run: SyncRun,
  { cursor, ...signs }: End & Pick<Signs, 'heardAt' | 'isUnannounced' | 'isPolled'>,
  now: Date,
): Date {
  const pauseMs =
    cursor === null
      ? addJitter(Math.min(NOT_READY_MS * 2 ** Math.min(run.failures, 10), NOT_READY_MAX_MS))
      : pollIntervalMs({ ...signs, hintedAt: run.hintedAt }, now, drawFraction())
  return new Date(now.getTime() + pauseMs)
}
