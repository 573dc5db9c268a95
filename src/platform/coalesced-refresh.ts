import { setTimeout } from 'node:timers/promises'

// Limits even thousands of lookups of unknown ids to four small queries a second.
const REST_MS = 250

/**
 * Runs one refresh at a time, with a delay after each. Callers share the next refresh, never one in progress, which
 * might have read before the caller's data was committed.
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
