import { judgeLink, lockCards } from '../../cards/index.ts'
import { type Tx, together } from '../../platform/database.ts'
import type { PublisherId } from '../../platform/ids.ts'
import { getPublisher, publisherNow } from '../../publishers/index.ts'
import { providerOf } from '../accounts/provider-of-item.ts'
import { isPolled, type LinkerDeps } from '../deps.ts'
import { judgeFailure, showVerdict } from '../health/failures.ts'
import { isStale, sparesAccount } from '../health/login-state.ts'
import { countFault, countFeedRead } from '../health/metrics.ts'
import { requestChecks } from '../item-queries.ts'
import { openToken } from '../links/sealed-tokens.ts'
import type { FeedPage } from '../provider.ts'
import { createRests, type Rests } from '../schedule/account-backoff.ts'
import { about, LEASE_MS, NOT_READY_MAX_MS, NOT_READY_MS, SYNCS_AT_ONCE } from '../schedule/bounds.ts'
import { renewSyncs } from '../schedule/lease-queries.ts'
import { createLeases, type Leases } from '../schedule/leases.ts'
import { restMs, type Signs } from '../schedule/poll-interval.ts'
import { createPool, type Pool, type Room } from '../schedule/pool.ts'
import { claimSyncs, failSync, finishSync, holdRun, type SyncRun } from '../schedule/run-queries.ts'
import { presentOf } from '../schedule/sandbox-clock.ts'
import { openEffort, readUpdate } from './read-update.ts'
import { foldPages } from './rows.ts'
import { type Read, storeUpdate } from './store.ts'
import { readUnknownAccounts } from './unknown-accounts.ts'

/**
 * Reading a feed. One run at a time works on a link (leases.ts), reads all pages of an update without holding anything
 * open, and then stores the whole of it in one commit: source events, rows, and the cursor of the last page, provided
 * that the cursor is still the one the run began with. A run that fails or dies at any point has changed nothing, and
 * the next one reads the same update again. Requests that come while a run is under way make the link due again after it.
 */

/** The feeds that are due, of all publishers, as many at once as there is room for. */
export function createSyncs(deps: LinkerDeps): Pool {
  const rests = createRests()
  const leases = leasesOf(deps)
  return createPool<SyncRun>({
    size: SYNCS_AT_ONCE,
    claim: (room) => claimFor(deps, null, room, rests),
    work: (run) => leases.during(run, () => sync(deps, run, { isAwaited: false, rests })),
  })
}

/** Reads the feeds of a publisher, or of all, that are due; answers whether there may be more. Somebody waits for it. */
export async function syncDue(deps: LinkerDeps, publisherId: PublisherId | null): Promise<boolean> {
  const rests = createRests()
  const leases = leasesOf(deps)
  const room = { free: SYNCS_AT_ONCE, underWay: new Map<string, number>(), perPublisher: SYNCS_AT_ONCE }
  const runs = await claimFor(deps, publisherId, room, rests)
  await Promise.all(runs.map((run) => leases.during(run, () => sync(deps, run, { isAwaited: true, rests }))))
  return runs.length > 0
}

function leasesOf(deps: LinkerDeps): Leases<SyncRun> {
  return createLeases(deps, (runs, until) => renewSyncs(deps.db.reader, runs, until))
}

function claimFor(deps: LinkerDeps, publisherId: PublisherId | null, room: Room, rests: Rests): Promise<SyncRun[]> {
  const now = deps.clock.now()
  return claimSyncs(deps.db.reader, publisherId, { ...room, leaseMs: LEASE_MS, resting: rests.list(now) }, now)
}

type Manner = {
  /** Somebody waits for it, so it does not take its turn with the polls. */
  readonly isAwaited: boolean
  readonly rests: Rests
}

/** One feed that cannot be read stops no other. */
async function sync(deps: LinkerDeps, run: SyncRun, manner: Manner): Promise<void> {
  const startedAt = deps.clock.now()
  const effort = openEffort()
  try {
    const present = await presentOf(deps, run)
    const provider = await providerOf(deps, run)
    const token = openToken(deps.vault, run, run.sealedToken)
    const reader = manner.isAwaited ? provider : provider.patient
    const { pages, cursor, fromStart } = await readUpdate(reader, { token, cursor: run.cursor, effort })
    const update = foldPages(pages)
    const isComplete = pages.at(-1)?.isComplete === true
    const accounts = await readUnknownAccounts(deps, run, update)
    const read = { item: run, update, isSnapshot: fromStart && isComplete, accounts }
    const end = { cursor: cursorAfter(read, cursor), isComplete, startedAt, present, calls: effort.calls() }
    await deps.db.transaction((tx) => finish(tx, deps, run, read, end))
    countFeedRead()
    tellLeftOut(deps, run, pages)
  } catch (error) {
    await fail(deps, run, { error, startedAt, calls: effort.calls() }, manner.rests)
  } finally {
    effort.close()
  }
}

/**
 * A login that was linked again and shows nothing at all has not said that everything is gone. It is read from the beginning
 * until it shows something: only then is it known what of the older item it shows no more.
 */
function cursorAfter({ item, update, isSnapshot }: Read, cursor: string | null): string | null {
  return isSnapshot && update.rows.length === 0 && item.generation > 1 ? null : cursor
}

/** A row that can never be stored must not keep what comes after it; that it is missing is for the operator to know. */
function tellLeftOut(deps: LinkerDeps, run: SyncRun, pages: readonly FeedPage[]): void {
  const leftOut = pages.reduce((sum, page) => sum + page.leftOut, 0)
  if (leftOut === 0) return
  countFault('UNREADABLE_ROW')
  deps.log.error({ link_id: run.linkId, left_out: leftOut }, 'rows of a feed cannot be read and were left out')
}

type Failed = { readonly error: unknown; readonly startedAt: Date; readonly calls: number }

async function fail(deps: LinkerDeps, run: SyncRun, { error, startedAt, calls }: Failed, rests: Rests): Promise<void> {
  const { retryAt, isPostponed, verdict } = await judgeFailure(deps, run, error)
  if (sparesAccount(error)) rests.add(run, retryAt, deps.clock.now())
  deps.log.warn({ err: error, link_id: run.linkId }, 'a feed could not be read')
  if (verdict !== undefined) await showVerdict(deps, run, verdict, startedAt)
  await failSync(deps.db.reader, run.publisherId, run, { nextAt: retryAt, calls, isPostponed }, deps.clock.now())
}

const UNDECIDED = Promise.resolve('overruled' as const)

type End = {
  readonly cursor: string | null
  readonly isComplete: boolean
  readonly startedAt: Date
  /** The present in which the item's bank lives. */
  readonly present: Date
  readonly calls: number
}

async function finish(tx: Tx, deps: LinkerDeps, run: SyncRun, read: Read, end: End): Promise<void> {
  const [, isHeld, publisher] = await together([
    lockCards(tx, run.publisherId, run.userId),
    holdRun(tx, run.publisherId, run),
    getPublisher(tx, run.publisherId),
  ])
  if (!isHeld) return
  const now = publisherNow(publisher, deps.clock)
  await storeUpdate(tx, deps, publisher, read, now)
  const hasNews = read.update.rows.length + read.update.removed.length > 0
  const heardAt = hasNews ? end.present : run.heardAt
  // Whoever can read the feed can sign in, so this clears what an earlier failure said; unless the bank has long been
  // silent. That is for a check to say: what is known here of the bank may be of before the sandbox's clock was moved.
  const isSilent = isStale({ lastUpdatedAt: run.lastUpdatedAt, heardAt }, end.present)
  const isUnannounced = hasNews && !run.asked
  const nextAt = nextAfter(run, { ...end, heardAt, isUnannounced, isPolled: isPolled(deps, run) }, deps.clock.now())
  const { cursor, calls } = end
  const ended = { cursor, calls, heardAt, nextAt, isEarly: cursor === null }
  const [judged] = await together([
    isSilent ? UNDECIDED : judgeLink(tx, publisher, run.userId, run.linkId, null, now, end.startedAt),
    finishSync(tx, publisher.id, run, ended, deps.clock.now()),
  ])
  // A bank that is silent, or two looks at the same time that do not agree: another decides.
  if (judged === 'overruled') await requestChecks(tx, publisher.id, run.userId, [run.linkId], deps.clock.now())
}

function nextAfter(
  run: SyncRun,
  { cursor, ...signs }: End & Pick<Signs, 'heardAt' | 'isUnannounced' | 'isPolled'>,
  now: Date,
): Date {
  const pauseMs =
    cursor === null
      ? about(Math.min(NOT_READY_MS * 2 ** Math.min(run.failures, 10), NOT_READY_MAX_MS))
      : restMs({ ...signs, hintedAt: run.hintedAt }, now, Math.random())
  return new Date(now.getTime() + pauseMs)
}
