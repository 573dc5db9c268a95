import type { Database } from '../../platform/db/database.ts'
import { addToListCount } from '../../platform/db/list-counts.ts'
import { encodeId } from '../../platform/ids.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { findFeedBounds } from '../feed/feed-queries.ts'
import { preferLookups } from './lease-queries.ts'
import { DEADLINE_MS } from './post.ts'
import {
  advanceResend,
  findResend,
  forgetRecovered,
  insertMissed,
  lockResends,
  makeQueuesDue,
} from './recovery-queries.ts'

/**
 * An endpoint recovers when a call succeeds after an outage, when a test event is delivered, or when its owner enables
 * it or replays events. Deliveries that failed before then and are waiting for their next attempt become due
 * immediately, oldest first.
 */

const BATCH_MAX = 5000
// A call in progress at the time of recovery may still fail, and its failure is recorded only later.
const RECOVERING_MS = 2 * DEADLINE_MS

/** @returns true if there may be more */
export async function resumeRecovered(db: Database, now: Date): Promise<boolean> {
  const more = await db.transaction(async (tx) => {
    await preferLookups(tx)
    return makeQueuesDue(tx, BATCH_MAX, now)
  })
  if (!more) await db.transaction((tx) => forgetRecovered(tx, new Date(now.getTime() - RECOVERING_MS)))
  return more
}

// The maximum number of events per transaction. A transaction serves a single endpoint, so the limit gives other
// endpoints and the sequencer their turn.
const RESEND_MAX = 1000

/**
 * Queues the missed events that endpoint owners have requested.
 * @returns true if there may be more
 */
export async function resendMissed(db: Database, log: Log): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await lockResends(tx))) return false
    const asked = await findResend(tx)
    if (asked === null) return false
    await preferLookups(tx)
    const { publisherId, endpointId, after } = asked
    const { droppedUntil } = await findFeedBounds(tx, { id: publisherId })
    const from = Math.min(asked.until, Math.max(after, droppedUntil))
    const until = Math.min(asked.until, from + RESEND_MAX)
    if (after < droppedUntil)
      log.warn(
        {
          publisher_id: encodeId('pub', publisherId),
          endpoint_id: encodeId('whe', endpointId),
          after,
          dropped_until: droppedUntil,
        },
        'events missed by an endpoint are no longer retained',
      )
    const queued = await insertMissed(tx, publisherId, endpointId, { after: from, until })
    await addToListCount(tx, publisherId, 'webhook_deliveries', queued)
    await advanceResend(tx, asked, until)
    return true
  })
}
