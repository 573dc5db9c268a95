import type { KeyObject } from 'node:crypto'
import { toSeconds } from '../../platform/clock.ts'
import { trace } from '../../platform/http/tracing.ts'
import { encodeId, type PublisherId } from '../../platform/ids.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import type { EventDeps } from '../deps.ts'
import { buildEventBody } from '../event-body.ts'
import { countAttempt } from '../metrics.ts'
import { type AttemptOutcome, type DeliveryState, decideDelivery } from '../rules.ts'
import type { ClaimedDelivery, QueueKey } from './lease-queries.ts'
import type { Attempt, QueueResult } from './outcome-queries.ts'
import { DEADLINE_MS, type Poster, toFailure } from './post.ts'
import { signHeaders } from './signing.ts'

export type DelivererDeps = EventDeps & {
  readonly log: Log
  readonly poster: Poster
  /** Returns a number from 0 to 1 for jitter. */
  readonly random: () => number
}

/** The fields shared by all deliveries to an endpoint. */
export type Receiver = {
  readonly publisherId: PublisherId
  readonly environment: 'sandbox' | 'production'
  /** Null if calls to the URL are not allowed. */
  readonly url: URL | null
  /** The signing keys of the valid secrets, newest first. */
  readonly keys: readonly KeyObject[]
  /** The endpoint's consecutive failures when the queue was leased. */
  readonly failures: number
  /** True if the receiver's responses may report outcomes. */
  readonly decidesOutcomes: boolean
}

/** The first pending deliveries to one endpoint that concern one user, with everything needed to deliver them. */
export type ClaimedQueue = QueueKey & {
  readonly claimId: string
  readonly leasedUntil: Date
  readonly receiver: Receiver
  readonly deliveries: readonly ClaimedDelivery[]
}

// Leaves time to commit the results before the lease expires.
const LEASE_MARGIN_MS = 15_000

/**
 * Delivers the user's events one at a time, in order. Stops at the first failure, because later events must wait for
 * the failed one. Also stops if the lease could expire during the next call.
 */
export async function deliverQueue(
  deps: DelivererDeps,
  queue: ClaimedQueue,
  isStopping: () => boolean,
): Promise<QueueResult> {
  const attempts: Attempt[] = []
  for (const delivery of queue.deliveries) {
    const leftMs = queue.leasedUntil.getTime() - deps.clock.now().getTime()
    if (isStopping() || leftMs < DEADLINE_MS + LEASE_MARGIN_MS) break
    const at = deps.clock.now()
    const outcome = await tryOnce(deps, queue.receiver, delivery)
    const ended = deps.clock.now()
    const latencyMs = outcome.isHidden ? null : ended.getTime() - at.getTime()
    const verdict = decideDelivery(outcome, delivery, ended, deps.random())
    countAttempt(queue.receiver.environment, verdict.status)
    const isTest = delivery.type === 'webhook.test'
    const { type, data } = delivery
    const answered = isAnswered(queue.receiver, type, verdict, outcome) ? { type, data } : null
    attempts.push({ position: delivery.position, isTest, answered, at, latencyMs, outcome, verdict })
    if (verdict.status !== 'delivered') break
  }
  const { endpointId, userId, claimId, receiver } = queue
  const { publisherId } = receiver
  return { endpointId, userId, claimId, publisherId, wasFailing: queue.receiver.failures > 0, attempts }
}

/** Event types to which a receiver may respond with more than an acknowledgment. */
const ANSWERED: readonly string[] = ['redemption.sent']

function isAnswered(
  { decidesOutcomes }: Receiver,
  type: string,
  verdict: DeliveryState,
  { answer }: AttemptOutcome,
): boolean {
  const isObject = answer?.trimStart().startsWith('{') === true
  return decidesOutcomes && ANSWERED.includes(type) && verdict.status === 'delivered' && isObject
}

async function tryOnce(deps: DelivererDeps, receiver: Receiver, delivery: ClaimedDelivery): Promise<AttemptOutcome> {
  if (receiver.url === null) return toFailure('address_refused')
  const body = buildEventBody({ ...delivery, publisherId: receiver.publisherId, environment: receiver.environment })
  const webhookId = encodeId('evt', delivery.eventId)
  const headers = signHeaders(receiver.keys, webhookId, toSeconds(deps.clock.now()), body)
  const { url, publisherId } = receiver
  return trace('webhook', () => deps.poster.post(url, headers, body), {
    kind: 'client',
    attributes: () => ({
      'http.request.method': 'POST',
      'laurel.publisher_id': encodeId('pub', publisherId),
      'laurel.event_type': delivery.type,
    }),
    describeEnding: ({ responseStatus, error }) => ({
      attributes: responseStatus === null ? {} : { 'http.response.status_code': responseStatus },
      failure: error ?? undefined,
    }),
  })
}
