import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/calendar.ts'
import { addJitter } from '../../../platform/jitter.ts'

/** The maximum number of feeds a process reads concurrently. At half a second each, it exceeds the provider's limit. */
export const SYNCS_AT_ONCE = 32
/** The maximum number of feeds of one publisher at a time, so that its slow items leave room for other publishers. */
export const SYNCS_OF_ONE_PUBLISHER = 24
export const CHECKS_AT_ONCE = 16
export const REMOVALS_AT_ONCE = 8
export const HOSTED_LINKS_AT_ONCE = 8
/** Longer reads are abandoned, so that the lease is still valid when a run stores what it has read. */
export const READING_MAX_MS = 4 * MINUTE_MS

/** Every feed is read at least this often, because webhooks may be lost. */
export const SAFETY_POLL_MS = DAY_MS
/** If a login has not been checked for this long, it is checked after the next sync, even a failed one. */
export const CHECK_EVERY_MS = 18 * HOUR_MS
/** The interval at which to retry a login that needs time or an operator to recover. */
export const UNKNOWN_RETRY_MS = 6 * HOUR_MS
/** The first pause while the provider has not collected anything yet, doubled after each read up to the maximum. */
export const NOT_READY_MS = 30_000
export const NOT_READY_MAX_MS = HOUR_MS

/**
 * The provider allows 50 reads of an item a minute. Each call moves the item's pace ahead by SYNC_PACE_MS. A run may
 * begin while the pace is ahead by at most the leeway, and reads its first pages without a pause. This allows 37 + 5 +
 * 5 calls a minute.
 */
export const SYNC_PACE_MS = 1_600
export const SYNC_LEEWAY_MS = 5 * SYNC_PACE_MS
export const PAGES_UNPACED = 5
/**
 * The provider may announce a single update with up to three webhooks. One more read covers all of them that arrive
 * this soon after a read.
 */
export const SYNC_GAP_MS = 500
/** The provider allows 15 calls a minute to item/get and accounts/get per item. This pace allows 12 + 2. */
export const CHECK_PACE_MS = 5_000
export const CHECK_LEEWAY_MS = 2 * CHECK_PACE_MS

/** The maximum number of attempts per call. Retries follow after short pauses, and the provider counts each attempt. */
export const CALL_TRIES_MAX = 3

const FIRST_RETRY_MS = 2_000
const RETRY_MAX_MS = HOUR_MS

/** Returns an exponential back-off with jitter, so that runs that failed together do not retry together. */
export function computeBackoffMs(failures: number): number {
  return addJitter(Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures, 20), RETRY_MAX_MS), 0.5)
}
