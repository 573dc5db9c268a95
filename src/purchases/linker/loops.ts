import { setTimeout as pause } from 'node:timers/promises'
import type { UserId } from '../../platform/ids.ts'
import { workOff } from '../../platform/queue/leased-work.ts'
import type { Loop } from '../../platform/queue/loops.ts'
import { listLinks } from '../../sources/cards/index.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { createChecks } from './check-logins.ts'
import type { LinkerDeps } from './deps.ts'
import { expireHolds } from './feed/expiry.ts'
import { createSyncs } from './feed/sync.ts'
import { countUnread, forgetCursors, isReading, requestByPublisher } from './item-queries.ts'
import { createHostedLinks } from './links/hosted-results.ts'
import { createRemovals } from './links/unlink.ts'
import { showItems } from './metrics.ts'

// The maximum number of links updated when a sandbox's clock is moved once. No sandbox used manually has more.
const SANDBOX_LINKS_MAX = 500

const SHOWN_EVERY_MS = 15_000

/**
 * Returns the linker's loops. Checks have their own loop, so slow feeds do not delay the detection of broken logins.
 */
export function createLinkerLoops(deps: LinkerDeps): Loop[] {
  return [
    createChecks(deps, null),
    createSyncs(deps, null),
    createRemovals(deps, null),
    createHostedLinks(deps, null),
    { name: 'linker holds', everyMs: 1_000, pass: () => expireHolds(deps, null) },
    { name: 'linker gauges', everyMs: SHOWN_EVERY_MS, pass: () => showItems(deps.db.reader, deps.clock.now()) },
  ]
}

// The maximum time that moving a sandbox's clock waits for feeds that another process is reading.
const OTHERS_MAX_MS = 10_000
const LOOK_EVERY_MS = 100
// More than SYNC_GAP_MS, but less than the pause after a failed read, which the caller does not wait for.
const SOON_MS = 1_000

type Done = {
  /**
   * The number of feeds that could not be read because the provider is down, the login is broken, or another process is
   * still reading them.
   */
  readonly unreadFeeds: number
}

/**
 * Updates one publisher's links immediately: checks logins, reads every feed and removes items. A feed that another
 * process is reading is read again, because that read may have begun earlier.
 */
export async function syncPublisher(deps: LinkerDeps, { id }: Publisher, waitMs = OTHERS_MAX_MS): Promise<Done> {
  const { reader } = deps.db
  const askedAt = deps.clock.now()
  await deps.db.transaction((tx) => requestByPublisher(tx, id, SANDBOX_LINKS_MAX, askedAt))
  await workOff(createChecks(deps, id))
  for (const late = AbortSignal.timeout(waitMs); ; await pause(LOOK_EVERY_MS)) {
    await workOff(createSyncs(deps, id))
    const now = deps.clock.now()
    if (late.aborted || !(await isReading(reader, id, new Date(now.getTime() + SOON_MS), now))) break
  }
  while (await expireHolds(deps, id));
  await workOff(createRemovals(deps, id))
  return { unreadFeeds: await countUnread(reader, id, askedAt, deps.clock.now()) }
}

/** Removes a publisher's unused items at the provider. Items that cannot be removed now remain queued. */
export function removeItems(deps: LinkerDeps, { id }: Publisher): Promise<void> {
  return workOff(createRemovals(deps, id))
}

/**
 * Requests a read from the beginning of the feeds of a user's logins, either all or those at one institution. Rows
 * already stored are no-ops, and rows missing from the feed are treated as removed. Returns the number of feeds.
 */
export async function rescan(
  deps: Pick<LinkerDeps, 'db' | 'clock'>,
  publisher: Publisher,
  userId: UserId,
  institutionId: string | null,
): Promise<number> {
  return deps.db.transaction(async (tx) => {
    const links = (await listLinks(tx, publisher, userId)).map(({ link }) => link)
    const meant = links.filter((link) => institutionId === null || link.institutionId === institutionId)
    return forgetCursors(tx, publisher.id, meant, deps.clock.now())
  })
}
