import { setTimeout as pause } from 'node:timers/promises'
import type { LinkId } from '../../cards/index.ts'
import type { PublisherId } from '../../platform/ids.ts'
import type { Loop } from '../../platform/loops.ts'
import type { Publisher } from '../../publishers/index.ts'
import type { LinkerDeps } from '../deps.ts'
import { expireHolds } from '../feed/expiry.ts'
import { createSyncs, syncDue } from '../feed/sync.ts'
import { checkDue, createChecks } from '../health/check.ts'
import { showItems } from '../health/metrics.ts'
import { countUnread, listBeingRead, requestByPublisher } from '../item-queries.ts'
import { removeDue } from '../links/unlink.ts'
import type { Pool } from './pool.ts'
import { tellClocks } from './sandbox-clock.ts'

// Links of a sandbox that one move of its clock tells and reads; more than any sandbox has that a person looks at.
const SANDBOX_LINKS_MAX = 500

const SHOWN_EVERY_MS = 15_000

/** A loop whose runs outlast a pass; drain() returns when they have ended. */
type PoolLoop = Loop & Pool

/** Apart from each other, so that feeds that are slow to read do not delay the news that a login is broken. */
export function linkerLoops(deps: LinkerDeps): [PoolLoop, PoolLoop, Loop, Loop, Loop] {
  const now = () => deps.clock.now()
  return [
    { name: 'linker checks', everyMs: 250, ...createChecks(deps) },
    { name: 'linker syncs', everyMs: 250, ...createSyncs(deps) },
    { name: 'linker removals', everyMs: 1_000, pass: () => removeDue(deps, null) },
    { name: 'linker holds', everyMs: 1_000, pass: () => expireHolds(deps, null) },
    { name: 'linker gauges', everyMs: SHOWN_EVERY_MS, pass: () => showItems(deps.db.reader, now()) },
  ]
}

// Whoever moves a sandbox's clock waits no longer for feeds that another is reading.
const OTHERS_MAX_MS = 10_000
const LOOK_EVERY_MS = 100
// More than SYNC_GAP_MS, less than the pause after a reading that failed: that one is not waited for.
const SOON_MS = 1_000

export type Done = {
  /** Feeds that could not be read: the provider does not answer, the login is broken, or another is still reading them. */
  readonly unreadFeeds: number
}

/** Does all that one publisher's links have to do, now: tells them the time, reads every feed, asks about logins, removes what is unlinked. */
export async function syncPublisher(deps: LinkerDeps, publisher: Publisher, waitMs = OTHERS_MAX_MS): Promise<Done> {
  await tellClocks(deps, publisher, SANDBOX_LINKS_MAX)
  const askedAt = deps.clock.now()
  const { id } = publisher
  const beingRead = await deps.db.transaction((tx) => requestByPublisher(tx, id, SANDBOX_LINKS_MAX, askedAt))
  await finish(deps, id, checkDue)
  await readAll(deps, id, beingRead, AbortSignal.timeout(waitMs))
  for (const due of [expireHolds, removeDue]) await finish(deps, id, due)
  return { unreadFeeds: await countUnread(deps.db.reader, id, askedAt, deps.clock.now()) }
}

async function finish(deps: LinkerDeps, publisherId: PublisherId, due: typeof syncDue): Promise<void> {
  let more = true
  while (more) more = await due(deps, publisherId)
}

/** A feed that another was reading when it was asked for is waited for, and read again: he may have read it before. */
async function readAll(
  deps: LinkerDeps,
  publisherId: PublisherId,
  beingRead: readonly LinkId[],
  late: AbortSignal,
): Promise<void> {
  for (let earlier = beingRead; ; await pause(LOOK_EVERY_MS)) {
    await finish(deps, publisherId, syncDue)
    const now = deps.clock.now()
    const soon = new Date(now.getTime() + SOON_MS)
    earlier = await listBeingRead(deps.db.reader, publisherId, { earlier, soon }, now)
    if (earlier.length === 0 || late.aborted) return
  }
}
