import { Refusal } from './refusal.ts'

const RETRY_AFTER_SECONDS = 5

/**
 * One at a time of each owner in this process, so that none takes all connections for such work, whose number bounds
 * how many run in all.
 */
type ConcurrencyLimit = {
  /** Returns a function to call once it has ended. @throws Refusal rate_limited */
  start(owner: string): () => void
}

/** @param detail what a caller is told whose last one is still running */
export function createConcurrencyLimit(detail: string): ConcurrencyLimit {
  const running = new Set<string>()
  return {
    start: (owner) => {
      if (running.has(owner))
        throw new Refusal<'rate_limited'>('rate_limited', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS })
      running.add(owner)
      return () => {
        running.delete(owner)
      }
    },
  }
}
