/** How many runs of one kind a pass has under way; each waits for the provider most of its time. */
export const RUNS_AT_ONCE = 8
/** Longer than any run takes; after it a run that died is taken over. */
export const LEASE_MS = 5 * 60_000
/** Every feed is read at least this often, for webhooks get lost. */
export const SAFETY_POLL_MS = 24 * 3_600_000
/** Items of a publisher's own tell their webhooks elsewhere, so polling is all there is. */
export const OWN_ITEM_POLL_MS = 15 * 60_000
/** The provider has not collected anything yet. */
export const NOT_READY_MS = 30_000

const FIRST_RETRY_MS = 2_000
const RETRY_MAX_MS = 3_600_000

/** Twice as long after each failure, spread so that what failed together does not return together. */
export function backoffMs(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures, 20), RETRY_MAX_MS) * (0.75 + Math.random() / 2)
}
