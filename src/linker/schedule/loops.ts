import { setTimeout as pause } from 'node:timers/promises'
import type { LinkId } from '../../cards/index.ts'
import type { PublisherId } from '../../platform/ids.ts'
import { workOff } from '../../platform/leased-work.ts'
import type { Loop } from '../../platform/loops.ts'
import type { Publisher } from '../../publishers/index.ts'
import type { LinkerDeps } from '../deps.ts'
import { expireHolds } from '../feed/expiry.ts'
import { createSyncs } from '../feed/sync.ts'
import { createChecks } from '../health/check.ts'
import { showItems } from '../health/metrics.ts'
import { countUnread, listBeingRead, requestByPublisher } from '../item-queries.ts'
import { createRemovals } from '../links/unlink.ts'
import { setClocks } from './sandbox-clock.ts'

// Links of a sandbox that one move of its clock updates; more than any sandbox for manual use has.
const SANDBOX_LINKS_MAX = 500

const SHOWN_EVERY_MS = 15_000

/** Checks have a loop of their own, so that slow feeds do not delay the news that a login is broken. */
export function linkerLoops(deps: LinkerDeps): Loop[] {
  return [
    createChecks(deps, null),
    createSyncs(deps, null),
    createRemovals(deps, null),
    { name: 'linker holds', everyMs: 1_000, pass: () => expireHolds(deps, null) },
    { name: 'linker gauges', everyMs: SHOWN_EVERY_MS, pass: () => showItems(deps.db.reader, deps.clock.now()) },
  ]
}

// How long a request that moves a sandbox's clock waits for feeds that another process is reading.
const OTHERS_MAX_MS = 10_000
const LOOK_EVERY_MS = 100
// More than SYNC_GAP_MS, less than the pause after a failed read, which is not waited for.
const SOON_MS = 1_000

type Done = {
  /** Feeds that could not be read: the provider is down, the login is broken, or another process still reads them. */
  readonly unreadFeeds: number
}

/** Updates one publisher's links at once: moves their clocks, checks logins, reads every feed, removes items. */
export async function syncPublisher(deps: LinkerDeps, publisher: Publisher, waitMs = OTHERS_MAX_MS): Promise<Done> {
  await setClocks(deps, publisher, SANDBOX_LINKS_MAX)
  const askedAt = deps.clock.now()
  const { id } = publisher
  const beingRead = await deps.db.transaction((tx) => requestByPublisher(tx, id, SANDBOX_LINKS_MAX, askedAt))
  await workOff(createChecks(deps, id))
  await readAll(deps, id, beingRead, AbortSignal.timeout(waitMs))
  while (await expireHolds(deps, id));
  await workOff(createRemovals(deps, id))
  return { unreadFeeds: await countUnread(deps.db.reader, id, askedAt, deps.clock.now()) }
}

/** Reads all requested feeds. A feed that another process is reading is read again: that read may have begun before the request. */
async function readAll(
  deps: LinkerDeps,
  publisherId: PublisherId,
  beingRead: readonly LinkId[],
  late: AbortSignal,
): Promise<void> {
  for (let earlier = beingRead; ; await pause(LOOK_EVERY_MS)) {
    await workOff(createSyncs(deps, publisherId))
    const now = deps.clock.now()
    const soon = new Date(now.getTime() + SOON_MS)
    earlier = await listBeingRead(deps.db.reader, publisherId, { earlier, soon }, now)
    if (earlier.length === 0 || late.aborted) return
  }
}
