import { setTimeout } from 'node:timers/promises'

// Names that are nobody's may come in thousands, and shall cost the database four small questions a second.
const REST_MS = 250

/**
 * One look at a time, with a rest behind each. Whoever asks shares the next one to begin, never the one under way: that
 * may have read before what this one asks for was written.
 */
export function coalescedRefresh(look: () => Promise<void>): () => Promise<void> {
  let next: Promise<void> | null = null
  let rest: Promise<unknown> = Promise.resolve()
  return () => {
    next ??= rest.then(() => {
      next = null
      const looking = look()
      rest = looking.catch(() => undefined).then(() => setTimeout(REST_MS, undefined, { ref: false }))
      return looking
    })
    return next
  }
}
