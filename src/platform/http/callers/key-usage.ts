import { DAY_MS } from '../../calendar.ts'

// Precise enough, because only the date is stored, and long enough for one statement to record all the keys used in the
// meantime.
const WRITE_AFTER_MS = 5_000
// More keys than one process sees in a day. Beyond that, keys are merely written more often.
const SEEN_MAX = 100_000

type KeyUsage = {
  /** Records in memory that the key was used. */
  note(keyId: string, nowMs: number): void
  flush(): Promise<void>
}

/** Records the day each key was last used, after the request and at most once a day per key and process. */
export function createKeyUsage(write: (keyIds: readonly string[], day: Date) => Promise<unknown>): KeyUsage {
  const seen = new Map<string, number>()
  let waiting = new Map<string, number>()
  let _timer: NodeJS.Timeout | null = null
  const flush = async (): Promise<void> => {
    _timer = null
    const noted = waiting
    waiting = new Map()
    for (const [day, entries] of Map.groupBy(noted, ([, onDay]) => onDay)) {
      const keyIds = entries.map(([keyId]) => keyId)
      // A failed write is retried at the next use of the key.
      await write(keyIds, new Date(day * DAY_MS)).catch(() => {
        for (const keyId of keyIds) seen.delete(keyId)
      })
    }
  }
  return {
    flush,
    note: (keyId, nowMs) => {
      const day = Math.floor(nowMs / DAY_MS)
      if (seen.get(keyId) === day) return
      if (seen.size >= SEEN_MAX) seen.clear()
      seen.set(keyId, day)
      waiting.set(keyId, day)
      _timer ??= setTimeout(() => void flush(), WRITE_AFTER_MS).unref()
    },
  }
}
