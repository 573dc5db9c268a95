import type { Tx } from '../platform/db/database.ts'
import type { Retained } from '../platform/db/retention.ts'
import { decodeUuidTime } from '../platform/ids.ts'
import { preferLookups } from './delivery/lease-queries.ts'
import * as queries from './retention-queries.ts'

/**
 * Drops events only from the start of the feed, so that the rest has no gaps and one number marks where it begins. An
 * event still owed to an endpoint is retained, along with all later events. It is owed until its retry plan ends, or
 * until the grace period of a stopped endpoint is over (delivery/sweep.ts).
 */
export function retainedEvents(days: number): Retained {
  return {
    table: 'events',
    days: async () => days,
    oldest: async (reader) => {
      const eventId = await queries.findOldestEvent(reader)
      return eventId === null ? null : decodeUuidTime(eventId)
    },
    drop: dropEvents,
  }
}

async function dropEvents(tx: Tx, before: Date, limit: number): Promise<number> {
  await preferLookups(tx)
  const starts = await queries.lockFeedStarts(tx, before, limit)
  // A separate statement, so that it sees replays that committed during the wait for the lock.
  const dropped = starts.length === 0 ? [] : await queries.deletePlaces(tx, starts, before)
  if (dropped.length === 0) return 0
  await queries.deleteEvents(tx, dropped)
  // Done last, because the sequencer waits for these rows.
  await queries.markDropped(tx, dropped)
  return dropped.length
}

/** Drops deliveries that succeeded or were exhausted. */
export function retainedDeliveries(days: number): Retained {
  return {
    table: 'webhook_deliveries',
    days: async () => days,
    oldest: queries.findOldestDelivery,
    drop: queries.deleteOldDeliveries,
  }
}
