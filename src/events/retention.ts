import type { Tx } from '../platform/database.ts'
import { timeOfUuid } from '../platform/ids.ts'
import type { Retained } from '../platform/retention.ts'
import { preferLookups } from './claim-queries.ts'
import * as queries from './retention-queries.ts'

/**
 * Events leave the feed from its beginning, so what is left has no gaps and one number says where it begins. An event
 * that an endpoint is still owed stays, with all after it; what is owed ends with its retry plan, or with a stopped
 * endpoint's time (sweep.ts).
 */
export function retainedEvents(days: number): Retained {
  return {
    table: 'events',
    days: async () => days,
    oldest: async (reader) => {
      const eventId = await queries.findOldestEvent(reader)
      return eventId === null ? null : timeOfUuid(eventId)
    },
    drop: dropEvents,
  }
}

async function dropEvents(tx: Tx, before: Date, limit: number): Promise<number> {
  await preferLookups(tx)
  const starts = await queries.lockFeedStarts(tx, before, limit)
  // A second statement, which sees the replays that the lock has waited for.
  const dropped = starts.length === 0 ? [] : await queries.deletePlaces(tx, starts, before)
  if (dropped.length === 0) return 0
  await queries.deleteEvents(tx, dropped)
  // Last, because the sequencer waits for these rows.
  await queries.markDropped(tx, dropped)
  return dropped.length
}

/** Deliveries that arrived or were exhausted. */
export function retainedDeliveries(days: number): Retained {
  return {
    table: 'webhook_deliveries',
    days: async () => days,
    oldest: queries.findOldestDelivery,
    drop: queries.deleteOldDeliveries,
  }
}
