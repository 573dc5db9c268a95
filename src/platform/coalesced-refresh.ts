import { setTimeout } from 'node:timers/promises'

// Even thousands of lookups of unknown ids cause only four small queries a second.
const REST_MS = 250

/**
 * Runs one refresh at a time, with a delay after each. Callers share the next refresh to start, never the running one,
 * which might have read before the caller's data was committed.
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
