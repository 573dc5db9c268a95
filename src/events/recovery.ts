import type { Database } from '../platform/database.ts'
import { DEADLINE_MS } from './post.ts'
import { forgetRecovered, hurryQueues } from './recovery-queries.ts'

/**
 * An endpoint recovers when a call succeeds after an outage, when a test event arrives, and when its owner enables it
 * or replays something. Then what failed before, and waits for its next attempt, is due at once, the oldest first.
 */

const BATCH_MAX = 5000
// A call that was in progress at the recovery may fail after it, and is recorded some time later.
const RECOVERING_MS = 2 * DEADLINE_MS
// An event that its receiver refuses each time, while it accepts others, looks like an outage again and again. The more
// often it was tried in vain before its time, the longer it rests.
const RESTS = { restMs: 5_000, restsMax: 12 }

/** Returns whether there may be more. */
export async function hurryRecovered(db: Database, now: Date): Promise<boolean> {
  const hurried = await db.transaction((tx) => hurryQueues(tx, { ...RESTS, queuesMax: BATCH_MAX }, now))
  if (hurried < BATCH_MAX) await db.transaction((tx) => forgetRecovered(tx, new Date(now.getTime() - RECOVERING_MS)))
  return hurried === BATCH_MAX
}
