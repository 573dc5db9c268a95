/** How many runs of one kind a pass has under way; each waits for the provider most of its time. */
export const RUNS_AT_ONCE = 8
/** As many feeds are read at once by a process; with half a second a feed that is more than the provider lets us read. */
export const SYNCS_AT_ONCE = 32
export const CHECKS_AT_ONCE = 16
/** After this a run whose process died is taken over; one that lives renews its lease well before. */
export const LEASE_MS = 30_000
export const RENEW_EVERY_MS = 10_000
/** Longer than any run takes; one that hangs keeps its lease no longer. */
export const RUN_MAX_MS = 5 * 60_000
/** A reading that takes longer is given up, so that its lease still holds when it stores what it read. */
export const READING_MAX_MS = 4 * 60_000

/** Every feed is read at least this often, for webhooks get lost. */
export const SAFETY_POLL_MS = 24 * 3_600_000
/** How a login is, is asked as often: on the back of the daily poll, and where that fails, too. */
export const CHECK_EVERY_MS = 18 * 3_600_000
/** A login whose cause to fail only time or the user can mend is not tried much more often than it is polled. */
export const UNKNOWN_RETRY_MS = 6 * 3_600_000
/** The provider has not collected anything yet; twice as long after each look. */
export const NOT_READY_MS = 30_000
export const NOT_READY_MAX_MS = 3_600_000

/**
 * The provider allows fifty calls of a feed a minute for one item. Each call moves the item's pace ahead; a run may begin
 * while it is not further ahead than the leeway, and reads its first pages without a pause: 37 + 5 + 5 calls a minute.
 */
export const SYNC_PACE_MS = 1_600
export const SYNC_LEEWAY_MS = 5 * SYNC_PACE_MS
export const PAGES_UNPACED = 5
/** The provider tells one update by up to three webhooks; those that come so soon after a run are served by one more. */
export const SYNC_GAP_MS = 500
/** For item/get and accounts/get it is fifteen: 12 + 2. */
export const CHECK_PACE_MS = 5_000
export const CHECK_LEEWAY_MS = 2 * CHECK_PACE_MS

/** A call that fails is made again at once, so often in all; the provider counts each. */
export const CALL_TRIES_MAX = 3

const FIRST_RETRY_MS = 2_000
const RETRY_MAX_MS = 3_600_000

/** Twice as long after each failure, spread so that what failed together does not return together. */
export function backoffMs(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures, 20), RETRY_MAX_MS) * (0.75 + Math.random() / 2)
}

/** A pause of about this length. */
export function about(pauseMs: number): number {
  return pauseMs * (0.5 + Math.random())
}
