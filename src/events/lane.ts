import type { KeyObject } from 'node:crypto'
import { secondsOf } from '../platform/clock.ts'
import { encodeId, type PublisherId } from '../platform/ids.ts'
import { bodyOf } from './body.ts'
import type { ClaimedDelivery, LaneKey } from './claim-queries.ts'
import type { DelivererDeps } from './deps.ts'
import type { Attempt, LaneResult } from './outcome-queries.ts'
import { DEADLINE_MS } from './post.ts'
import { type Outcome, verdictOn } from './rules.ts'
import { signedHeaders } from './signing.ts'

/** What is the same for every delivery to an endpoint. */
export type Target = {
  readonly publisherId: PublisherId
  readonly environment: 'sandbox' | 'production'
  /** null: an address that may not be called. */
  readonly url: URL | null
  /** Of the valid secrets, the newest first. */
  readonly keys: readonly KeyObject[]
  /** How often the endpoint had failed in a row when the lane was claimed. */
  readonly failures: number
}

/** A claimed lane with everything that delivering it needs. */
export type Lane = LaneKey & {
  readonly claimId: string
  readonly leasedUntil: Date
  readonly target: Target
  readonly deliveries: readonly ClaimedDelivery[]
}

// Room for the record to be committed while the claim still stands.
const LEASE_MARGIN_MS = 15_000

/**
 * Delivers a lane one event after the other: the order of one user's events. It ends at the first failure, for what
 * comes later has to wait for it, and before the lease could run out under a call.
 */
export async function runLane(deps: DelivererDeps, lane: Lane, stopped: () => boolean): Promise<LaneResult> {
  const attempts: Attempt[] = []
  for (const delivery of lane.deliveries) {
    const leftMs = lane.leasedUntil.getTime() - deps.clock.now().getTime()
    if (stopped() || leftMs < DEADLINE_MS + LEASE_MARGIN_MS) break
    const outcome = await tryOnce(deps, lane.target, delivery)
    const at = deps.clock.now()
    const verdict = verdictOn(outcome, delivery.attempts, at, deps.random())
    attempts.push({ position: delivery.position, at, outcome, verdict })
    if (verdict.status !== 'delivered') break
  }
  const { endpointId, userId, claimId } = lane
  return { endpointId, userId, claimId, wasFailing: lane.target.failures > 0, attempts }
}

async function tryOnce(deps: DelivererDeps, target: Target, delivery: ClaimedDelivery): Promise<Outcome> {
  if (target.url === null) return { responseStatus: null, error: 'address_refused', retryAfter: null }
  const body = bodyOf({ ...delivery, publisherId: target.publisherId, environment: target.environment })
  const webhookId = encodeId('evt', delivery.eventId)
  const headers = signedHeaders(target.keys, webhookId, secondsOf(deps.clock.now()), body)
  return deps.poster.post(target.url, headers, body)
}
