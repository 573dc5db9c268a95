import type { Tx } from '../../platform/db/database.ts'
import { newUuid } from '../../platform/ids.ts'
import type { Capacity } from '../../platform/queue/leased-work.ts'
import { recordFact } from '../../platform/queue/outbox.ts'
import { findUrlFault } from '../egress/egress.ts'
import { type Health, updateHealth } from '../rules.ts'
import { toDataText } from '../stored-data.ts'
import type { ClaimedQueue, DelivererDeps, Receiver } from './deliver-queue.ts'
import {
  type ClaimedDelivery,
  type ClaimedEndpoint,
  claimQueues,
  loadEndpoints,
  preferLookups,
} from './lease-queries.ts'
import type { QueueResult } from './outcome-queries.ts'
import * as outcomes from './outcome-queries.ts'
import { prepareKey, sealContext } from './signing.ts'

/** An endpoint with this many consecutive failures gets one call at a time until one succeeds. */
export const PROBE_AFTER_FAILURES = 5
// Bodies are kept in memory, so the number of leased queues is bounded. It is many times the number of concurrent
// calls, so that calls continue while more queues are leased.
const HELD_MAX = 4096
const ENDPOINT_CALLS_MAX = 64
const CLAIM_LIMITS = {
  queuesMax: 1024,
  endpointQueuesMax: 1024,
  probeAfterFailures: PROBE_AFTER_FAILURES,
  deliveriesMax: 2048,
  runMax: 32,
}

const half = (free: number): number => Math.floor(free / 2)

export const DELIVERER_LIMITS = {
  heldMax: HELD_MAX,
  runningMax: 512,
  // Regardless of how many endpoints a publisher has and how slow they are, it leaves half of the free slots to others.
  placesOfGroup: half,
  placesOfKey: (free: number) => Math.min(ENDPOINT_CALLS_MAX, half(free)),
  // Longer than a healthy endpoint takes to process a full queue. If a worker is killed, its work waits this long.
  leaseMs: 90_000,
}

/** Leases the due queues and loads everything needed to deliver them. */
export async function claim(
  tx: Tx,
  deps: DelivererDeps,
  { held, now, leasedUntil }: Omit<Capacity, 'free'>,
): Promise<ClaimedQueue[]> {
  const claimId = newUuid()
  await preferLookups(tx)
  const limits = {
    ...CLAIM_LIMITS,
    publisherQueuesMax: half(HELD_MAX - held.values().reduce((sum, queues) => sum + queues, 0)),
  }
  const deliveries = await claimQueues(tx, held, limits, { claimId, now, leasedUntil })
  if (deliveries.length === 0) return []
  const endpoints = await loadEndpoints(tx, [...new Set(deliveries.map(({ endpointId }) => endpointId))], now)
  return groupIntoQueues(deps, endpoints, deliveries, { claimId, leasedUntil })
}

/**
 * Groups deliveries into queues, decrypting the secrets once per endpoint. A secret that cannot be decrypted blocks
 * only its own endpoint.
 */
function groupIntoQueues(
  deps: DelivererDeps,
  endpoints: readonly ClaimedEndpoint[],
  deliveries: readonly ClaimedDelivery[],
  claimed: { readonly claimId: string; readonly leasedUntil: Date },
): ClaimedQueue[] {
  const known = new Map(endpoints.map((endpoint) => [endpoint.endpointId, toReceiver(deps, endpoint)]))
  return [...Map.groupBy(deliveries, outcomes.nameQueue).values()].flatMap((run) => {
    const receiver = run[0] && known.get(run[0].endpointId)
    if (run[0] === undefined || receiver === undefined || receiver === null) return []
    return [{ endpointId: run[0].endpointId, userId: run[0].userId, ...claimed, receiver, deliveries: run }]
  })
}

function toReceiver(deps: DelivererDeps, endpoint: ClaimedEndpoint): Receiver | null {
  const { publisherId, environment, failures, decidesOutcomes, url } = endpoint
  const context = sealContext(publisherId, endpoint.endpointId)
  const sealed = [endpoint.sealedSecret, endpoint.sealedOldSecret].filter((one) => one !== null)
  try {
    const keys = sealed.map((one) => prepareKey(deps.vault.open(one, context)))
    // The rules may have been different when the endpoint was registered.
    const isAllowed = findUrlFault(url, environment, deps.egress) === null
    return { publisherId, environment, failures, decidesOutcomes, keys, url: isAllowed ? new URL(url) : null }
  } catch (error) {
    deps.log.error(
      { err: error, endpoint_id: endpoint.endpointId },
      'the secret of a webhook endpoint cannot be opened',
    )
    return null
  }
}

/** Records the attempts of leased queues and releases the queues. */
export async function record(tx: Tx, results: readonly QueueResult[]): Promise<void> {
  await preferLookups(tx)
  const own = await outcomes.recordAttempts(tx, results)
  const mine = results.filter((result) => own.has(outcomes.nameQueue(result)))
  await outcomes.releaseQueues(tx, mine)
  await recordHealth(tx, mine)
  await recordAnswers(tx, mine)
}

/** Passes receivers' responses on, as facts, to the modules that recorded the events. */
async function recordAnswers(tx: Tx, results: readonly QueueResult[]): Promise<void> {
  const answers = results.flatMap(({ publisherId, attempts }) =>
    attempts.flatMap(({ answered, outcome: { answer } }) =>
      answered === null || answer === null
        ? []
        : [{ publisherId, answer, ...answered, data: toDataText(answered.data) }],
    ),
  )
  for (const { publisherId, ...payload } of answers) await recordFact(tx, publisherId, 'webhook.answered', payload)
}

/**
 * Updates the health of endpoints. Skips the row of an endpoint that stays healthy, so that the row does not become a
 * hotspot.
 */
async function recordHealth(tx: Tx, results: readonly QueueResult[]): Promise<void> {
  const changed = new Set(
    results
      .filter(
        ({ wasFailing, attempts }) =>
          wasFailing || attempts.some(({ outcome, isTest }) => isTest || outcome.error !== null),
      )
      .map(({ endpointId }) => endpointId),
  )
  if (changed.size === 0) return
  const byEndpoint = Map.groupBy(results, ({ endpointId }) => endpointId)
  const before = await outcomes.lockHealth(tx, [...changed])
  const after = before.map(({ endpointId, ...health }) => {
    const attempts = (byEndpoint.get(endpointId) ?? []).flatMap((result) => result.attempts)
    const inOrder = attempts.toSorted((a, b) => a.at.getTime() - b.at.getTime())
    const now = inOrder.reduce<Health>(updateHealth, health)
    return { ...now, endpointId }
  })
  await outcomes.updateHealth(tx, after)
}
