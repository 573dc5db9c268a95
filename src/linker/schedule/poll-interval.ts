import { SAFETY_POLL_MS } from './bounds.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** What is known of an item when its feed has just been read. */
export type Signs = {
  /** No webhook announces its changes: those of the publisher's own items go elsewhere. */
  readonly isPolled: boolean
  /** Whether the provider has collected all of the item's past. */
  readonly isComplete: boolean
  /** When the feed last brought something. */
  readonly heardAt: Date | null
  /** When a webhook last named the item. */
  readonly hintedAt: Date | null
  /** Whether this sync brought something that no webhook had announced. */
  readonly isUnannounced: boolean
}

// An item that is silent for longer is a card that is hardly used; before that, its webhooks may be lost.
const SILENT_AFTER_MS = 36 * HOUR_MS
const FORGOTTEN_AFTER_MS = 14 * DAY_MS
const SILENT_POLL_MS = 6 * HOUR_MS
// The provider announces the rest; should that webhook be lost, a card's past is not missing for a day.
const INCOMPLETE_POLL_MS = HOUR_MS
/**
 * Where polling is all there is, an item that was busy lately is asked more often: a sixteenth of its silence. Ten
 * thousand of them, all busy, are less than 900 calls a minute of the 2,500 that the provider allows.
 */
const OWN_POLL_MIN_MS = 15 * MINUTE_MS
const OWN_POLL_MAX_MS = 6 * HOUR_MS
const OWN_POLL_SHARE = 16

/** How long until a feed is polled again. @param chance 0 to 1, spreads it over a quarter, so that what was read together parts */
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
