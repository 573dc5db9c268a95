import { newUuid } from '../platform/ids.ts'
import { claim, PROBE_AFTER_FAILURES, record } from './claims.ts'
import type { DelivererDeps } from './deps.ts'
import { type Lane, runLane } from './lane.ts'
import type { LaneResult } from './outcome-queries.ts'
import type { EndpointId } from './record.ts'

/**
 * Delivers what the sequencer queued. A pass records finished calls and claims new work, each in a short transaction;
 * the calls themselves go on beside the passes, outside any transaction. A worker that dies between claim and
 * record leaves a lease that runs out, and its deliveries are tried again: at least once, never silently lost.
 *
 * Nobody waits for a stranger's endpoint: calls run side by side, an endpoint may use at most half of what is free,
 * and one that keeps failing gets one call at a time until it answers.
 */
export type Deliverer = {
  /** One pass; answers true while there is work, after waiting a moment for some of it to finish. */
  pass(): Promise<boolean>
  /** Lets the calls under way finish, records them and gives the rest back. */
  drain(): Promise<void>
}

const CALLS_MAX = 512
const ENDPOINT_CALLS_MAX = 64
// How long a pass waits for a call to finish, and then for its neighbours, so that one commit records several.
const IDLE_MS = 50
const GATHER_MS = 5

type Endpoint = { readonly waiting: Lane[]; calls: number; failuresInARow: number }

export function createDeliverer(deps: DelivererDeps): Deliverer {
  const endpoints = new Map<EndpointId, Endpoint>()
  const finished: LaneResult[] = []
  let calls = 0
  let draining = false
  let wake: () => void = () => undefined

  const recordFinished = async (): Promise<number> => {
    const results = finished.splice(0)
    if (results.length === 0) return 0
    try {
      await deps.db.transaction((tx) => record(tx, results))
    } catch (error) {
      finished.unshift(...results)
      throw error
    }
    return results.length
  }

  const claimMore = async (): Promise<number> => {
    if (draining) return 0
    const claimId = newUuid()
    const claimed = await deps.db.transaction((tx) => claim(tx, deps, heldLanes(endpoints), claimId))
    for (const lane of claimed) enqueue(lane)
    startAll()
    return claimed.length
  }

  const enqueue = (lane: Lane): void => {
    const known = endpoints.get(lane.endpointId)
    if (known !== undefined) known.waiting.push(lane)
    else endpoints.set(lane.endpointId, { waiting: [lane], calls: 0, failuresInARow: lane.target.failures })
  }

  const startAll = (): void => {
    for (const [endpointId, endpoint] of endpoints) {
      start(endpoint)
      if (endpoint.waiting.length === 0 && endpoint.calls === 0) endpoints.delete(endpointId)
    }
  }

  const start = (endpoint: Endpoint): void => {
    const failing = endpoint.failuresInARow >= PROBE_AFTER_FAILURES
    const share = failing ? 1 : Math.max(1, Math.min(ENDPOINT_CALLS_MAX, Math.floor((CALLS_MAX - calls) / 2)))
    while (endpoint.waiting.length > 0 && endpoint.calls < share) {
      const lane = endpoint.waiting.shift()
      if (lane === undefined) return
      endpoint.calls++
      calls++
      void runLane(deps, lane, () => draining)
        .catch((error: unknown) => {
          // A fault of ours. The lease runs out before it is tried again, so that it cannot spin.
          deps.log.error({ err: error, endpoint_id: lane.endpointId }, 'a webhook could not be sent')
          return null
        })
        .then((result) => {
          endpoint.calls--
          calls--
          if (result !== null) giveBack(endpoint, result)
        })
    }
  }

  const giveBack = (endpoint: Endpoint, result: LaneResult): void => {
    finished.push(result)
    for (const { outcome } of result.attempts) {
      endpoint.failuresInARow = outcome.error === null ? 0 : endpoint.failuresInARow + 1
    }
    // What waits for a failing endpoint is given back untried; it costs no attempt, and one probe at a time goes on.
    if (draining || endpoint.failuresInARow >= PROBE_AFTER_FAILURES) {
      finished.push(...endpoint.waiting.splice(0).map(untried))
    }
    start(endpoint)
    wake()
  }

  const progress = async (): Promise<void> => {
    if (finished.length === 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, IDLE_MS)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    await new Promise((resolve) => setTimeout(resolve, GATHER_MS))
  }

  return {
    pass: async () => {
      // Side by side, and neither waits for calls: the database and the calls are both kept busy.
      const [recorded, claimed] = await Promise.all([recordFinished(), claimMore()])
      if (calls > 0 || finished.length > 0) await progress()
      return recorded > 0 || claimed > 0 || calls > 0 || finished.length > 0
    },
    drain: async () => {
      draining = true
      for (const endpoint of endpoints.values()) finished.push(...endpoint.waiting.splice(0).map(untried))
      while (calls > 0 || finished.length > 0) {
        await recordFinished()
        if (calls > 0) await progress()
      }
    },
  }
}

function heldLanes(endpoints: ReadonlyMap<EndpointId, Endpoint>): Map<EndpointId, number> {
  return new Map([...endpoints].map(([id, endpoint]) => [id, endpoint.waiting.length + endpoint.calls]))
}

function untried({ endpointId, userId, claimId }: Lane): LaneResult {
  return { endpointId, userId, claimId, wasFailing: false, attempts: [] }
}
