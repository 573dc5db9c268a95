import { asTable, type Tx } from '../../platform/db/database.ts'
import type { PublisherId } from '../../platform/ids.ts'
import type { EndpointId } from '../record.ts'
import type { AttemptOutcome, DeliveryState, Health } from '../rules.ts'
import type { QueueKey } from './lease-queries.ts'

export type Attempt = {
  /** The delivery's position in its queue. */
  readonly position: bigint
  readonly isTest: boolean
  /** The event's type and data, if the receiver's response may carry information about it. */
  readonly answered: { readonly type: string; readonly data: string } | null
  /** The start of the call. The outcome describes the endpoint at this time. */
  readonly at: Date
  readonly latencyMs: number | null
  readonly outcome: AttemptOutcome
  readonly verdict: DeliveryState
}

/** A queue to release, with its attempts, if any. */
export type QueueResult = QueueKey & {
  readonly claimId: string
  readonly publisherId: PublisherId
  /** True if the endpoint was failing when the queue was leased. */
  readonly wasFailing: boolean
  readonly attempts: readonly Attempt[]
}

/**
 * Locks the queues whose lease is still valid, records their attempts, and returns the queues' names. If a queue's
 * lease has expired, the queue and its deliveries belong to the worker that has leased it since.
 */
export async function recordAttempts(tx: Tx, results: readonly QueueResult[]): Promise<Set<string>> {
  const tried = results.flatMap(({ endpointId, userId, attempts }) =>
    attempts.map(({ position, at, latencyMs, outcome, verdict }) => {
      const { responseStatus, error, answer } = outcome
      return { endpointId, userId, position, at, latencyMs, responseStatus, error, answer, ...verdict }
    }),
  )
  // all publishers: the queues this worker leased
  const rows = await tx<QueueKey[]>`
    with own as materialized (
      select q.endpoint_id, q.user_id
      from ${asTable(tx, results, { endpointId: 'uuid', userId: 'uuid', claimId: 'uuid' })}
      join webhook_queues q using (endpoint_id, user_id, claim_id)
      order by q.endpoint_id, q.user_id
      for update of q
    ),
    recorded as (
      update webhook_deliveries d set
        status = given.status, attempts = given.attempts, last_attempt_at = given.at,
        extra_attempts = given.extra_attempts, planned_at = given.planned_at,
        next_attempt_at = given.next_attempt_at, response_status = given.response_status, error = given.error,
        latency_ms = given.latency_ms, answer = given.answer,
        earlier_attempts = case when d.attempts > 0 then ${withLast(tx)} end,
        exhausted_position = case when given.status = 'exhausted' then d.position end
      from ${asTable(tx, tried, {
        endpointId: 'uuid',
        userId: 'uuid',
        position: 'int8',
        status: 'plain',
        attempts: 'int4',
        extraAttempts: 'int2',
        plannedAt: 'timestamptz',
        at: 'timestamptz',
        nextAttemptAt: 'timestamptz',
        responseStatus: 'int2',
        error: 'plain',
        latencyMs: 'int4',
        answer: 'text',
      })}
      join own using (endpoint_id, user_id)
      where d.endpoint_id = own.endpoint_id and d.user_id = own.user_id and d.position = given.position
    )
    select endpoint_id, user_id from own`
  return new Set(rows.map(nameQueue))
}

// Together with the last attempt, enough for the ten planned attempts and some extra ones.
const EARLIER_MAX = 19

/** SQL for the earlier attempts of a delivery plus the last one, oldest first. */
const withLast = (tx: Tx) => tx`
  jsonb_path_query_array(
    coalesce(d.earlier_attempts, '[]') || jsonb_build_object(
      'at', d.last_attempt_at, 'response_status', d.response_status, 'error', d.error,
      'latency_ms', d.latency_ms, 'answer', d.answer
    ),
    ${`$[last - ${EARLIER_MAX - 1} to last]`}::jsonpath
  )`

export function nameQueue(queue: QueueKey): string {
  return `${queue.endpointId}/${queue.userId}`
}

/**
 * Releases locked queues. Empty queues are deleted, and all others become due when their first delivery is. Must be a
 * separate statement after the lock, because only then does it see everything added before the lock was granted.
 */
export async function releaseQueues(tx: Tx, queues: readonly QueueKey[]): Promise<void> {
  // all publishers: the queues this worker leased
  await tx`
    with heads as materialized (
      -- A locked row's ctid does not change, and finding a row by ctid needs no index.
      select q.ctid as place, head.position, head.next_attempt_at
      from ${asTable(tx, queues, { endpointId: 'uuid', userId: 'uuid' })}
      join webhook_queues q using (endpoint_id, user_id)
      left join lateral (
        select d.position, d.next_attempt_at from webhook_deliveries d
        where d.endpoint_id = q.endpoint_id and d.user_id = q.user_id and d.position >= q.position
          and d.status = 'pending'
        order by d.position
        limit 1
      ) as head on true
    ),
    emptied as (
      delete from webhook_queues q using heads h where q.ctid = h.place and h.position is null
    )
    update webhook_queues q set
      claim_id = null, leased_until = null, position = h.position, due_at = coalesce(h.next_attempt_at, '-infinity')
    from heads h
    where q.ctid = h.place and h.position is not null`
}

type EndpointHealth = Health & { readonly endpointId: EndpointId }

export async function lockHealth(tx: Tx, endpointIds: readonly EndpointId[]): Promise<EndpointHealth[]> {
  // all publishers: the endpoints this worker called
  return tx<EndpointHealth[]>`
    select endpoint_id, status, failures, failing_since, throttled_until, recovered_at
    from webhook_endpoints
    where endpoint_id = any(${endpointIds as EndpointId[]}::uuid[]) and deleted_at is null
    order by endpoint_id
    for update`
}

/**
 * Updates the health of endpoints. If an endpoint stops, records the time and the last sequence, because nothing after
 * that sequence was sent.
 */
export async function updateHealth(tx: Tx, health: readonly EndpointHealth[]): Promise<void> {
  // all publishers: the endpoints this worker called
  await tx`
    update webhook_endpoints e set
      status = given.status, failures = given.failures, failing_since = given.failing_since,
      throttled_until = given.throttled_until, recovered_at = given.recovered_at,
      stopped_after_sequence = case when e.status = 'enabled' and given.status <> 'enabled'
        then coalesce((select last_sequence from event_sequences s where s.publisher_id = e.publisher_id), 0)
        else e.stopped_after_sequence end,
      stopped_at = case when e.status = 'enabled' and given.status <> 'enabled' then now() else e.stopped_at end
    from ${asTable(tx, health, {
      endpointId: 'uuid',
      status: 'plain',
      failures: 'int4',
      failingSince: 'timestamptz',
      throttledUntil: 'timestamptz',
      recoveredAt: 'timestamptz',
    })}
    where e.endpoint_id = given.endpoint_id`
}
