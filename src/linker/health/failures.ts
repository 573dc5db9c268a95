import { type CardError, judgeLink, lockCards } from '../../cards/index.ts'
import { getPublisher, publisherNow } from '../../publishers/index.ts'
import type { LinkerDeps } from '../deps.ts'
import { NoRoom } from '../feed/read-update.ts'
import type { Item } from '../item-queries.ts'
import { requestChecks } from '../item-queries.ts'
import { ProviderFault } from '../provider.ts'
import { about, backoffMs, SAFETY_POLL_MS, UNKNOWN_RETRY_MS } from '../schedule/bounds.ts'
import { countAtFault, noteFault } from '../schedule/run-queries.ts'
import { MAY_BE_OUR_KEYS, postponedBy, verdictOf } from './login-state.ts'
import { countFault } from './metrics.ts'

/** What a run that failed comes to: when to try again, and what the failure says of the login, if anything. */
export type Failure = {
  readonly retryAt: Date
  readonly isPostponed: boolean
  readonly verdict: CardError | undefined
}

// A code that may be our own fault is believed of an item only after it has stood for a while, and hits few others.
const SUSPECT_FOR_MS = 5 * 60_000
const SUSPECTS_MAX = 4
// The provider counts calls by the minute.
const LIMITED_MS = 60_000
// A place for a large update is free again within a minute or so.
const NO_ROOM_MS = 30_000

/** Judges a failure and notes it with its item; what it says of the login is not stored yet. */
export async function judgeFailure(
  deps: LinkerDeps,
  run: Item & { readonly failures: number },
  error: unknown,
): Promise<Failure> {
  const now = deps.clock.now()
  const after = (pauseMs: number): Date => new Date(now.getTime() + pauseMs)
  if (postponedBy(error)) {
    const pauseMs = error.retryAfterSeconds === null ? LIMITED_MS : error.retryAfterSeconds * 1_000
    return { retryAt: after(pauseMs + about(1_000)), isPostponed: true, verdict: undefined }
  }
  if (error instanceof NoRoom) return { retryAt: after(about(NO_ROOM_MS)), isPostponed: true, verdict: undefined }
  const code = error instanceof ProviderFault ? error.code : 'INTERNAL'
  countFault(code)
  const since = await noteFault(deps.db.reader, run.publisherId, run, code, now)
  const verdict = (await mayBeOurs(deps, run, code, since)) ? undefined : verdictOf(error)
  if (verdict === undefined) return { retryAt: after(backoffMs(run.failures)), isPostponed: false, verdict }
  // Only the user can mend it, and a mended login is announced; or only time or an operator can.
  const pauseMs = verdict === 'NEED_AUTHENTICATION' ? SAFETY_POLL_MS : UNKNOWN_RETRY_MS
  return { retryAt: after(about(pauseMs)), isPostponed: false, verdict }
}

/** Keys of ours that do not fit break every item at once; that is for the operator, and not shown to every user. */
async function mayBeOurs(deps: LinkerDeps, run: Item, code: string, since: Date): Promise<boolean> {
  if (!MAY_BE_OUR_KEYS.some((one) => one === code)) return false
  const count = await countAtFault(deps.db.reader, run.publisherId, run.owner, MAY_BE_OUR_KEYS, SUSPECTS_MAX + 1)
  if (count > SUSPECTS_MAX) {
    const account = run.owner === 'service' ? 'service' : run.publisherId
    deps.log.error({ account, code }, 'the provider refuses many items of an account: are its credentials right?')
    return true
  }
  return deps.clock.now().getTime() - since.getTime() < SUSPECT_FOR_MS
}

/** Stores what a failed call says of a login. */
export async function showVerdict(deps: LinkerDeps, run: Item, verdict: CardError, observedAt: Date): Promise<void> {
  await deps.db.transaction(async (tx) => {
    await lockCards(tx, run.publisherId, run.userId)
    const publisher = await getPublisher(tx, run.publisherId)
    const now = publisherNow(publisher, deps.clock)
    const judged = await judgeLink(tx, publisher, run.userId, run.linkId, verdict, now, observedAt)
    // Two looks at the same time that do not agree: another decides.
    if (judged === 'overruled') await requestChecks(tx, publisher.id, run.userId, [run.linkId], deps.clock.now())
  })
}
