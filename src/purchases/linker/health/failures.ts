import type { Tx } from '../../../platform/db/database.ts'
import { addJitter } from '../../../platform/jitter.ts'
import { type CardError, lockCards, setLinkError } from '../../../sources/cards/index.ts'
import { getPublisher, type Publisher, publisherNow } from '../../../tenants/publishers/index.ts'
import type { LinkerDeps } from '../deps.ts'
import { type Item, requestRuns } from '../item-queries.ts'
import { faults } from '../metrics.ts'
import { ProviderFault } from '../provider.ts'
import { type Release, type Run, type RunKind, releaseRun } from '../schedule/run-queries.ts'
import { computeBackoffMs, SAFETY_POLL_MS, UNKNOWN_RETRY_MS } from '../schedule/timing.ts'
import { judgeError, MAY_BE_OUR_KEYS, wasPostponed } from './login-state.ts'
import { countAtFault, markFault } from './queries.ts'

/** Thrown when there is no room for another large update. The run is postponed. */
export class NoRoom extends Error {}

// A code that may be our own fault is attributed to an item only once it has lasted this long and affects few other
// items.
const SUSPECT_FOR_MS = 5 * 60_000
const SUSPECTS_MAX = 4
// The provider limits calls per minute.
const LIMITED_MS = 60_000
// Another large update is usually stored within a minute.
const NO_ROOM_MS = 30_000

const MESSAGES: Readonly<Record<RunKind, string>> = {
  sync: 'a feed could not be read',
  check: 'a login could not be checked',
}

type Failed = {
  readonly error: unknown
  /** The start of the run, used as the time at which it observed the login's state. */
  readonly startedAt: Date
  readonly calls: number
}

/** Ends a failed run: stores the error that the failure reveals about the login, if any, and schedules a retry. */
export async function failRun(
  deps: LinkerDeps,
  kind: RunKind,
  run: Run,
  { error, startedAt, calls }: Failed,
): Promise<void> {
  deps.log.warn({ err: error, link_id: run.linkId }, MESSAGES[kind])
  const now = deps.clock.now()
  const release = (pauseMs: number | null, ended: Release['ended'], failures: number): Promise<void> => {
    const dueAt = pauseMs === null ? null : new Date(now.getTime() + pauseMs)
    return releaseRun(deps.db.reader, kind, run, { dueAt, calls, ended, failures }, deps.clock.now())
  }
  const postponedMs = postponementMs(error)
  if (postponedMs !== null) return release(postponedMs, 'postponed', run.failures)
  const verdict = await judgeFailure(deps, run, error, now)
  if (verdict === undefined) return release(computeBackoffMs(run.failures), 'failed', run.failures + 1)
  await deps.db.transaction(async (tx) => {
    await lockCards(tx, run.publisherId, run.userId)
    await showError(tx, deps, await getPublisher(tx, run.publisherId), run, verdict, startedAt)
  })
  // A check whose failure reveals the state of the login has done its work.
  if (kind === 'check') return release(null, 'done', 0)
  // A webhook announces a repair by the user. Nothing announces a repair that needs time or an operator, so such a
  // login is retried sooner.
  const pauseMs = verdict === 'NEED_AUTHENTICATION' ? SAFETY_POLL_MS : UNKNOWN_RETRY_MS
  return release(addJitter(pauseMs), 'failed', run.failures + 1)
}

/** Returns how long to postpone a run that hit a limit; null if it failed because of its item. */
function postponementMs(error: unknown): number | null {
  if (error instanceof NoRoom) return addJitter(NO_ROOM_MS)
  if (!wasPostponed(error)) return null
  return (error.retryAfterSeconds === null ? LIMITED_MS : error.retryAfterSeconds * 1_000) + addJitter(1_000)
}

/** Stores the failure with the item and returns the card error that it implies; undefined if it implies none. */
async function judgeFailure(deps: LinkerDeps, run: Run, error: unknown, now: Date): Promise<CardError | undefined> {
  const code = error instanceof ProviderFault ? error.code : 'INTERNAL'
  faults.inc({ code })
  const since = await markFault(deps.db.reader, run, code, now)
  return (await mayBeOurs(deps, run, code, since)) ? undefined : judgeError(error)
}

/**
 * Returns true if the code may be due to our own bad credentials. Bad credentials break every item at the same time, so
 * the operator must be alerted and no user should see an error.
 */
async function mayBeOurs(deps: LinkerDeps, run: Item, code: string, since: Date): Promise<boolean> {
  if (!MAY_BE_OUR_KEYS.some((one) => one === code)) return false
  const count = await countAtFault(deps.db.reader, run, MAY_BE_OUR_KEYS, SUSPECTS_MAX + 1)
  if (count > SUSPECTS_MAX) {
    const account = run.owner === 'service' ? 'service' : run.publisherId
    const { environment } = run
    deps.log.error(
      { account, environment, code },
      "the provider refuses many items of an account; check the account's credentials",
    )
    return true
  }
  return deps.clock.now().getTime() - since.getTime() < SUSPECT_FOR_MS
}

/** Stores the error that a run found; null clears it. The caller must hold lockCards. */
export async function showError(
  tx: Tx,
  { clock }: LinkerDeps,
  publisher: Publisher,
  item: Item,
  error: CardError | null,
  observedAt: Date,
): Promise<void> {
  const now = publisherNow(publisher, clock)
  const isOutdated = await setLinkError(tx, publisher, item, error, now, observedAt)
  // Two concurrent runs disagree, so a check decides.
  if (isOutdated) await requestRuns(tx, publisher.id, 'check', [item], clock.now())
}
