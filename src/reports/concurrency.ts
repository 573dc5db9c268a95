import type { PublisherId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import type { PublisherRefusal } from '../publishers/index.ts'

const RETRY_AFTER_SECONDS = 5

/**
 * One report of a publisher at a time in this process, so that none takes all connections for reports, whose number
 * bounds how many run in all.
 */
type ConcurrencyLimit = {
  /** Returns a function to call once the report has ended. @throws Refusal rate_limited */
  start(publisherId: PublisherId): () => void
}

export function createConcurrencyLimit(): ConcurrencyLimit {
  const running = new Set<PublisherId>()
  return {
    start: (publisherId) => {
      if (running.has(publisherId)) {
        throw new Refusal<PublisherRefusal>(
          'rate_limited',
          'Only one report of a publisher runs at a time; read the running one to its end first.',
          { retryAfterSeconds: RETRY_AFTER_SECONDS },
        )
      }
      running.add(publisherId)
      return () => {
        running.delete(publisherId)
      }
    },
  }
}
