import { DAY_MS } from '../platform/calendar.ts'
import type { Database } from '../platform/database.ts'
import * as queries from './queries.ts'

// Advertisers attribute a sale to a click for at most 90 days.
const DAYS_TO_SALE = 90
// A transaction of a few hundred milliseconds.
const CLICKS_MAX = 5_000

/**
 * Deletes a batch of clicks that are older than the retention and have no reported sale. A click on which a network may
 * still report stays: a sale comes within 90 days of the click, and its first report within the network's lock period.
 * Returns whether there may be more.
 */
export async function dropOldClicks(db: Database, retentionDays: number, now: Date): Promise<boolean> {
  const dropped = await db.transaction(async (tx) => {
    const days = Math.max(retentionDays, DAYS_TO_SALE + (await queries.findLongestLockDays(tx)))
    const before = new Date(now.getTime() - days * DAY_MS)
    return queries.deleteOldClicks(tx, { before, limit: CLICKS_MAX })
  })
  return dropped === CLICKS_MAX
}
