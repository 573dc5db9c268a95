import { type CardError, lockCards, setLinkError } from '../../cards/index.ts'
import type { Tx } from '../../platform/database.ts'
import { getPublisher, type Publisher, publisherNow } from '../../publishers/index.ts'
import type { LinkerDeps } from '../deps.ts'
import { NoRoom } from '../feed/read-update.ts'
import { type Item, requestRuns } from '../item-queries.ts'
import { ProviderFault } from '../provider.ts'
import { backoffMs, SAFETY_POLL_MS, UNKNOWN_RETRY_MS, withJitter } from '../schedule/bounds.ts'
import { type Release, type Run, type RunKind, releaseRun } from '../schedule/run-queries.ts'
import { MAY_BE_OUR_KEYS, postponedBy, verdictOf } from './login-state.ts'
import { countFault } from './metrics.ts'
import { countAtFault, markFault } from './queries.ts'

// A code that may be our own fault counts for an item only after it has lasted this long and hits few other items.
const SUSPECT_FOR_MS = 5 * 60_000
const SUSPECTS_MAX = 4
// The provider counts calls by the minute.
const LIMITED_MS = 60_000
// Another large update is usually stored within a minute.
const NO_ROOM_MS = 30_000

const MESSAGES: Readonly<Record<RunKind, string>> = {
  sync: 'a feed could not be read',
  check: 'a login could not be checked',
}

type Failed = {
  readonly error: unknown
  /** When the run began; its finding about the login is as of then. */
  readonly startedAt: Date
  readonly calls: number
}

/** Ends a run that failed: shows what the failure says about the login, if anything, and schedules the next try. */
export async function failRun(deps: LinkerDeps, kind: RunKind, run: Run, failed: Failed): Promise<void> {
  const { error, startedAt, calls } = failed
  const { retryAt, isPostponed, verdict } = await judgeFailure(deps, run, error)
  deps.log.warn({ err: error, link_id: run.linkId }, MESSAGES[kind])
  if (verdict !== undefined)
    await deps.db.transaction(async (tx) => {
      await lockCards(tx, run.publisherId, run.userId)
      await showError(tx, deps, await getPublisher(tx, run.publisherId), run, verdict, startedAt)
    })
  // A check whose failure shows the state of the login has done its work.
  const isAnswered = kind === 'check' && verdict !== undefined
  const release: Release = {
    dueAt: isAnswered ? null : retryAt,
    calls,
    ended: isAnswered ? 'done' : isPostponed ? 'postponed' : 'failed',
    failures: isAnswered ? 0 : isPostponed ? run.failures : run.failures + 1,
  }
  await releaseRun(deps.db.reader, kind, run, release, deps.clock.now())
}

type Judgement = {
  readonly retryAt: Date
  /** The run failed because of limits, not because of the item. */
  readonly isPostponed: boolean
  /** What the failure says about the login, if anything. */
  readonly verdict: CardError | undefined
}

async function judgeFailure(deps: LinkerDeps, run: Run, error: unknown): Promise<Judgement> {
  const now = deps.clock.now()
  const after = (pauseMs: number): Date => new Date(now.getTime() + pauseMs)
  const postponed = (pauseMs: number) => ({ retryAt: after(pauseMs), isPostponed: true, verdict: undefined })
  if (postponedBy(error)) {
    const pauseMs = error.retryAfterSeconds === null ? LIMITED_MS : error.retryAfterSeconds * 1_000
    return postponed(pauseMs + withJitter(1_000))
  }
  if (error instanceof NoRoom) return postponed(withJitter(NO_ROOM_MS))
  const code = error instanceof ProviderFault ? error.code : 'INTERNAL'
  countFault(code)
  const since = await markFault(deps.db.reader, run, code, now)
  const verdict = (await mayBeOurs(deps, run, code, since)) ? undefined : verdictOf(error)
  if (verdict === undefined) return { retryAt: after(backoffMs(run.failures)), isPostponed: false, verdict }
  // A repair by the user is announced; what only time or an operator can mend is not.
  const pauseMs = verdict === 'NEED_AUTHENTICATION' ? SAFETY_POLL_MS : UNKNOWN_RETRY_MS
  return { retryAt: after(withJitter(pauseMs)), isPostponed: false, verdict }
}

/** Wrong keys of ours break every item at once: the operator must know, and no user should see an error. */
async function mayBeOurs(deps: LinkerDeps, run: Item, code: string, since: Date): Promise<boolean> {
  if (!MAY_BE_OUR_KEYS.some((one) => one === code)) return false
  const count = await countAtFault(deps.db.reader, run, MAY_BE_OUR_KEYS, SUSPECTS_MAX + 1)
  if (count > SUSPECTS_MAX) {
    const account = run.owner === 'service' ? 'service' : run.publisherId
    deps.log.error({ account, code }, 'the provider refuses many items of an account: are its credentials right?')
    return true
  }
  return deps.clock.now().getTime() - since.getTime() < SUSPECT_FOR_MS
}

/** Stores the error that a run found, null for none. The caller holds the user's cards. */
export async function showError(
  tx: Tx,
  { clock }: LinkerDeps,
  publisher: Publisher,
  { userId, linkId }: Item,
  error: CardError | null,
  observedAt: Date,
): Promise<void> {
  const now = publisherNow(publisher, clock)
  const isOutdated = await setLinkError(tx, publisher, { userId, linkId }, error, now, observedAt)
  // Two runs at the same time disagree: a check decides.
  if (isOutdated) await requestRuns(tx, publisher.id, 'check', { userId, linkIds: [linkId] }, clock.now())
}
