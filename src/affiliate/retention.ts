import type { Retained } from '../platform/retention.ts'
import * as queries from './queries.ts'

// Advertisers attribute a sale to a click for at most 90 days, and an operator may assign it that long.
const DAYS_TO_SALE = 90

/**
 * Clicks that have no reported sale. One on which a network may still report stays: a sale comes within 90 days of the
 * click, and its first report within the network's lock period.
 */
export function retainedClicks(days: number): Retained {
  return {
    table: 'clicks',
    days: async (reader) => Math.max(days, DAYS_TO_SALE + (await queries.findLongestLockDays(reader))),
    oldest: queries.findOldestClick,
    drop: queries.deleteOldClicks,
  }
}
