import { Problem } from '../platform/http/index.ts'
import type { PublisherId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import type { PublisherRefusal } from '../publishers/index.ts'

// A report holds a connection and a snapshot for as long as its reader takes. Of the 16 connections of a process most
// must stay free for requests that are answered at once, and one publisher must not occupy all reports.
const RUNNING_MAX = 6
const RUNNING_PER_PUBLISHER_MAX = 2
const RETRY_AFTER_SECONDS = 5

/** Limits how many reports run at once in this process. */
type ConcurrencyLimit = {
  /** Returns a function to call once the report has ended. @throws Refusal rate_limited; Problem overloaded */
  start(publisherId: PublisherId): () => void
}

export function createConcurrencyLimit(): ConcurrencyLimit {
  const running: PublisherId[] = []
  return {
    start: (publisherId) => {
      if (running.filter((one) => one === publisherId).length >= RUNNING_PER_PUBLISHER_MAX) {
        throw new Refusal<PublisherRefusal>(
          'rate_limited',
          `At most ${RUNNING_PER_PUBLISHER_MAX} reports of a publisher run at once; read those to their end first.`,
          { retryAfterSeconds: RETRY_AFTER_SECONDS },
        )
      }
      if (running.length >= RUNNING_MAX)
        throw new Problem('overloaded', 'Too many reports are running; try again soon.')
      running.push(publisherId)
      return () => {
        running.splice(running.indexOf(publisherId), 1)
      }
    },
  }
}
