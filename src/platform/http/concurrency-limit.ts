import { Refusal } from '../refusal.ts'

const RETRY_AFTER_SECONDS = 5

/**
 * Allows one job per owner at a time in this process, so that no owner takes all the connections for such work. The
 * number of connections limits the total.
 */
type ConcurrencyLimit = {
  /** Returns a function to call when the job ends. @throws Refusal rate_limited */
  start(owner: string): () => void
}

/** @param detail the message for a caller whose previous job is still running */
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
