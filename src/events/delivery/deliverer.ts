import { createLeasedWork, type LeasedWork } from '../../platform/queue/leased-work.ts'
import type { EndpointId } from '../record.ts'
import { type ClaimedQueue, type DelivererDeps, deliverQueue } from './deliver-queue.ts'
import { hasQueues } from './lease-queries.ts'
import { claim, DELIVERER_LIMITS, PROBE_AFTER_FAILURES, record } from './leases.ts'
import type { QueueResult } from './outcome-queries.ts'

/**
 * Delivers queued events at least once, in order for each user. Calls run outside transactions. If a worker dies, its
 * leases expire and its deliveries are retried. No endpoint or publisher delays another, because a publisher uses at
 * most half of the free slots, and an endpoint at most half of those available to its publisher. An endpoint that keeps
 * failing gets one call at a time until one succeeds.
 */
export function createDeliverer(deps: DelivererDeps): LeasedWork {
  const failuresInARow = new Map<EndpointId, number>()
  const isFailing = (endpointId: EndpointId): boolean => (failuresInARow.get(endpointId) ?? 0) >= PROBE_AFTER_FAILURES
  return createLeasedWork<ClaimedQueue, QueueResult>(deps, {
    ...DELIVERER_LIMITS,
    name: 'webhook deliverer',
    everyMs: 50,
    toKey: ({ endpointId }) => endpointId,
    toGroup: ({ receiver }) => receiver.publisherId,
    claim: async ({ held, now, leasedUntil }) => {
      if (!(await hasQueues(deps.db.reader))) return []
      const queues = await deps.db.transaction((tx) => claim(tx, deps, { held, now, leasedUntil }))
      // The database counts failures across all workers. While this worker holds leases on an endpoint's queues, its
      // own count is more recent.
      for (const { endpointId, receiver } of queues)
        if (!held.has(endpointId)) failuresInARow.set(endpointId, receiver.failures)
      return queues
    },
    process: async (queue, isStopping) => {
      const { endpointId, receiver } = queue
      // Queues leased before the endpoint started failing are released without using up an attempt.
      if (isStopping() || (isFailing(endpointId) && receiver.failures < PROBE_AFTER_FAILURES)) return untried(queue)
      const result = await deliverQueue(deps, queue, isStopping)
      for (const { outcome } of result.attempts)
        failuresInARow.set(endpointId, outcome.error === null ? 0 : (failuresInARow.get(endpointId) ?? 0) + 1)
      return result
    },
    settle: (results) => deps.db.transaction((tx) => record(tx, results)),
  })
}

function untried({ endpointId, userId, claimId, receiver: { publisherId } }: ClaimedQueue): QueueResult {
  return { endpointId, userId, claimId, publisherId, wasFailing: false, attempts: [] }
}
