import type { Tx } from '../platform/database.ts'
import { urlFault } from './addresses.ts'
import {
  type ClaimedDelivery,
  type ClaimedEndpoint,
  claimLanes,
  loadEndpoints,
  preferLookups,
} from './claim-queries.ts'
import type { DelivererDeps } from './deps.ts'
import type { Lane, Target } from './lane.ts'
import type { LaneResult } from './outcome-queries.ts'
import * as outcomes from './outcome-queries.ts'
import type { EndpointId } from './record.ts'
import { type Health, healthAfter } from './rules.ts'
import { keyOf, sealContext } from './signing.ts'

// Many more lanes than an endpoint has calls, so that calls go on while a pass records some and claims the next. Bodies
// are held in memory, so all lanes together are bounded, and the deliveries of a claim.
const HELD_MAX = 4096
const ENDPOINT_LANES_MAX = 1024
/** From so many failures in a row an endpoint gets one call at a time, until one succeeds. */
export const PROBE_AFTER_FAILURES = 5
const CLAIM_LIMITS = { lanesMax: 1024, probeAfterFailures: PROBE_AFTER_FAILURES, deliveriesMax: 2048, runMax: 32 }
// Longer than the calls of a full queue take at a healthy endpoint; it is how long a killed worker's work waits.
const LEASE_MS = 90_000

/** Claims due lanes and loads all that delivering them needs. */
export async function claim(
  tx: Tx,
  deps: DelivererDeps,
  held: ReadonlyMap<EndpointId, number>,
  claimId: string,
): Promise<Lane[]> {
  const now = deps.clock.now()
  const leasedUntil = new Date(now.getTime() + LEASE_MS)
  await preferLookups(tx)
  const deliveries = await claimLanes(
    tx,
    held,
    { ...CLAIM_LIMITS, endpointLanesMax: shareOf(held) },
    { claimId, now, leasedUntil },
  )
  if (deliveries.length === 0) return []
  const endpoints = await loadEndpoints(tx, [...new Set(deliveries.map(({ endpointId }) => endpointId))], now)
  return lanesOf(deps, endpoints, deliveries, { claimId, leasedUntil })
}

/** Half of what is free: slow endpoints that hold much leave room for those that come after them. */
function shareOf(held: ReadonlyMap<EndpointId, number>): number {
  const free = HELD_MAX - held.values().reduce((sum, lanes) => sum + lanes, 0)
  return Math.max(1, Math.min(ENDPOINT_LANES_MAX, Math.floor(free / 2)))
}

/** The secrets are opened once for each endpoint. One that cannot be opened holds up that endpoint and nobody else. */
function lanesOf(
  deps: DelivererDeps,
  endpoints: readonly ClaimedEndpoint[],
  deliveries: readonly ClaimedDelivery[],
  claimed: { readonly claimId: string; readonly leasedUntil: Date },
): Lane[] {
  const known = new Map(endpoints.map((endpoint) => [endpoint.endpointId, targetOf(deps, endpoint)]))
  return [...Map.groupBy(deliveries, outcomes.laneName).values()].flatMap((run) => {
    const target = run[0] && known.get(run[0].endpointId)
    if (run[0] === undefined || target === undefined || target === null) return []
    return [{ endpointId: run[0].endpointId, userId: run[0].userId, ...claimed, target, deliveries: run }]
  })
}

function targetOf(deps: DelivererDeps, endpoint: ClaimedEndpoint): Target | null {
  const { publisherId, environment, failures, url } = endpoint
  const context = sealContext(publisherId, endpoint.endpointId)
  const sealed = [endpoint.sealedSecret, endpoint.sealedOldSecret].filter((one) => one !== null)
  try {
    const keys = sealed.map((one) => keyOf(deps.vault.open(one, context)))
    // The rule may have been another one when the endpoint was registered.
    return { publisherId, environment, failures, keys, url: urlFault(url, environment) === null ? new URL(url) : null }
  } catch (error) {
    deps.log.error({ err: error, endpoint_id: endpoint.endpointId }, 'the secret of a webhook endpoint does not open')
    return null
  }
}

/** Records what became of claimed lanes and gives them back. */
export async function record(tx: Tx, results: readonly LaneResult[]): Promise<void> {
  if (results.length === 0) return
  await preferLookups(tx)
  const own = await outcomes.recordAttempts(tx, results)
  const mine = results.filter((result) => own.has(outcomes.laneName(result)))
  await outcomes.releaseLanes(tx, mine)
  await recordHealth(tx, mine)
}

/** A healthy endpoint that goes on answering is not written at all, so its row is not hot. */
async function recordHealth(tx: Tx, results: readonly LaneResult[]): Promise<void> {
  const changed = new Set(
    results
      .filter(({ wasFailing, attempts }) => wasFailing || attempts.some(({ outcome }) => outcome.error !== null))
      .map(({ endpointId }) => endpointId),
  )
  if (changed.size === 0) return
  const byEndpoint = Map.groupBy(results, ({ endpointId }) => endpointId)
  const before = await outcomes.lockHealth(tx, [...changed])
  const after = before.map(({ endpointId, ...health }) => {
    const attempts = (byEndpoint.get(endpointId) ?? []).flatMap((result) => result.attempts)
    const inOrder = attempts.toSorted((a, b) => a.at.getTime() - b.at.getTime())
    const now = inOrder.reduce<Health>((present, { outcome, at }) => healthAfter(present, outcome, at), health)
    return { ...now, endpointId }
  })
  await outcomes.updateHealth(tx, after)
}
