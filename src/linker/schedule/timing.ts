import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/calendar.ts'

/** Feeds that a process reads at once; at half a second each this exceeds the provider's limit. */
export const SYNCS_AT_ONCE = 32
/** The most of one publisher, so that its slow items leave room for those of others. */
export const SYNCS_OF_ONE_PUBLISHER = 24
export const CHECKS_AT_ONCE = 16
export const REMOVALS_AT_ONCE = 8
export const HOSTED_LINKS_AT_ONCE = 8
/** A longer read is abandoned, so that its lease is still valid when the run stores what it read. */
export const READING_MAX_MS = 4 * MINUTE_MS

/** Every feed is read at least this often, because webhooks may be lost. */
export const SAFETY_POLL_MS = DAY_MS
/** A login that has not been checked for this long is checked after a sync, even a failed one. */
export const CHECK_EVERY_MS = 18 * HOUR_MS
/** How often to retry a login that only time or an operator can mend. */
export const UNKNOWN_RETRY_MS = 6 * HOUR_MS
/** While the provider has collected nothing: the first pause, doubled after each read up to the maximum. */
export const NOT_READY_MS = 30_000
export const NOT_READY_MAX_MS = HOUR_MS

/**
 * The provider allows 50 reads of an item a minute. Each call moves the item's pace ahead by SYNC_PACE_MS; a run may
 * begin while the pace is ahead by no more than the leeway, and reads its first pages without a pause: 37 + 5 + 5 calls
 * a minute.
 */
export const SYNC_PACE_MS = 1_600
export const SYNC_LEEWAY_MS = 5 * SYNC_PACE_MS
export const PAGES_UNPACED = 5
/**
 * The provider announces one update by up to three webhooks; one more read serves all that arrive this soon after a
 * read.
 */
export const SYNC_GAP_MS = 500
/** For item/get and accounts/get the provider allows 15 calls a minute: 12 + 2. */
export const CHECK_PACE_MS = 5_000
export const CHECK_LEEWAY_MS = 2 * CHECK_PACE_MS

/** The tries of one call, retried at once; the provider counts each. */
export const CALL_TRIES_MAX = 3

const FIRST_RETRY_MS = 2_000
const RETRY_MAX_MS = HOUR_MS

/** Doubles with each failure, with jitter so that what failed together does not come back together. */
export function backoffMs(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures, 20), RETRY_MAX_MS) * (0.75 + Math.random() / 2)
}

/** A pause of about this length: half to one and a half times. */
export function withJitter(pauseMs: number): number {
  return pauseMs * (0.5 + Math.random())
}
