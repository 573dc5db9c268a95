import type { Retained } from '../../platform/db/retention.ts'
import * as queries from './queries.ts'

// Advertisers attribute a sale to a click for at most 90 days, and operators can assign it within the same period.
const DAYS_TO_SALE = 90

/**
 * Describes how long clicks are retained: a click without a reported sale is deleted once no network can report one any
 * longer, because a sale happens within 90 days of the click and is first reported within the network's lock period.
 */
export function retainedClicks(days: number): Retained {
  return {
    table: 'clicks',
    days: async (reader) => Math.max(days, DAYS_TO_SALE + (await queries.findLongestLockDays(reader))),
    oldest: queries.findOldestClick,
    drop: queries.deleteOldClicks,
  }
}
