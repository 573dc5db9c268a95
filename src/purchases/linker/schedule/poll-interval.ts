import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/calendar.ts'
import { SAFETY_POLL_MS } from './timing.ts'

/** The state of an item just after its feed was read. */
export type Signs = {
  /** True if no webhook announces the item's changes to us. Webhooks of handed-over items go to the publisher. */
  readonly isPolled: boolean
  /** True if the provider has collected the item's entire history. */
  readonly isComplete: boolean
  /** The last time the feed had anything new. */
  readonly heardAt: Date | null
  /** The last time a webhook referred to the item. */
  readonly hintedAt: Date | null
  /** True if this sync found changes that no webhook had announced. */
  readonly isUnannounced: boolean
}

// An item may be silent because its webhooks are lost. After two weeks of silence, it is presumed to be rarely used.
const SILENT_AFTER_MS = 36 * HOUR_MS
const FORGOTTEN_AFTER_MS = 14 * DAY_MS
const SILENT_POLL_MS = 6 * HOUR_MS
// The provider announces when the rest of the history is ready. If that webhook is lost, the rest is missing for an
// hour, not a day.
const INCOMPLETE_POLL_MS = HOUR_MS
/**
 * An item without webhooks is polled at intervals of one sixteenth of the time since its last activity, so recent
 * activity makes polls more frequent. Ten thousand busy items take fewer than 900 of the 2,500 calls a minute that the
 * provider allows.
 */
const OWN_POLL_MIN_MS = 15 * MINUTE_MS
const OWN_POLL_MAX_MS = 6 * HOUR_MS
const OWN_POLL_SHARE = 16

/**
 * Returns the pause until the next poll.
 * @param chance 0 to 1; shortens the pause by up to a quarter, so that feeds read together spread out
 */
export function pollIntervalMs(signs: Signs, now: Date, chance: number): number {
  const longest = signs.isComplete ? SAFETY_POLL_MS : INCOMPLETE_POLL_MS
  return Math.min(pollMs(signs, now), longest) * (0.75 + chance / 4)
}

function pollMs({ isPolled, heardAt, hintedAt, isUnannounced }: Signs, now: Date): number {
  const since = (instant: Date | null): number => (instant === null ? Infinity : now.getTime() - instant.getTime())
  if (isPolled) return Math.min(Math.max(since(heardAt) / OWN_POLL_SHARE, OWN_POLL_MIN_MS), OWN_POLL_MAX_MS)
  const silence = Math.min(since(heardAt), since(hintedAt))
  const isSilent = heardAt !== null && silence > SILENT_AFTER_MS && silence < FORGOTTEN_AFTER_MS
  return isUnannounced || isSilent ? SILENT_POLL_MS : SAFETY_POLL_MS
}
