import { type Reader, selectColumns, type Tx } from '../../platform/db/database.ts'
import { addToListCount } from '../../platform/db/list-counts.ts'
import type { Paging } from '../../platform/http/index.ts'
import { buildPageClauses } from '../../platform/http/lists/page-clauses.ts'
import type { PublisherId } from '../../platform/ids.ts'
import type { EndpointId } from '../record.ts'
import type { DeliveryState } from '../rules.ts'
import { DELIVERY, type Delivery, type DeliveryId, type ShownAttempt } from './delivery.ts'

export type DeliveryFilter = {
  readonly endpointId: EndpointId | null
  readonly status: DeliveryState['status'] | null
  readonly type: string | null
}

/** SQL columns of a delivery. */
export const deliveryColumns = (reader: Reader, alias = 'd') => {
  const d = reader(alias)
  return reader`
    ${selectColumns(reader, alias, DELIVERY.columns)},
    case
      when ${d}.status <> 'pending' then null
      when exists (
        select from webhook_endpoints e
        where e.publisher_id = ${d}.publisher_id and e.endpoint_id = ${d}.endpoint_id
          and (e.status <> 'enabled' or e.throttled_until > now())
      ) then 'endpoint'
      when exists (
        select from webhook_queues q
        where q.endpoint_id = ${d}.endpoint_id and q.user_id = ${d}.user_id and q.position < ${d}.position
      ) then 'earlier_delivery'
      when ${d}.next_attempt_at is not null then 'next_attempt'
      else 'sender'
    end as waits_for`
}

const filtered = (reader: Reader, publisherId: PublisherId, filter: DeliveryFilter) => reader`
  publisher_id = ${publisherId}
  ${filter.endpointId === null ? reader`` : reader`and endpoint_id = ${filter.endpointId}`}
  ${filter.status === null ? reader`` : reader`and status = ${filter.status}`}
  ${filter.status === 'exhausted' ? reader`and exhausted_position is not null` : reader``}
  ${filter.type === null ? reader`` : reader`and type = ${filter.type}`}`

export async function listDeliveries(
  reader: Reader,
  publisherId: PublisherId,
  filter: DeliveryFilter,
  paging: Paging<'created_at'>,
): Promise<Delivery[]> {
  const position = reader`position`
  const byDefault = { field: 'created_at', descending: true } as const
  return reader<Delivery[]>`
    select ${deliveryColumns(reader)} from webhook_deliveries d
    where ${filtered(reader, publisherId, filter)}
    ${buildPageClauses(reader, { created_at: position }, paging, byDefault, position)}`
}

export async function countDeliveries(
  reader: Reader,
  publisherId: PublisherId,
  filter: DeliveryFilter,
): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    select count(*)::int as count from webhook_deliveries where ${filtered(reader, publisherId, filter)}`
  return row?.count ?? 0
}

export async function findDelivery(
  reader: Reader,
  publisherId: PublisherId,
  deliveryId: DeliveryId,
): Promise<Delivery | null> {
  const [row] = await reader<Delivery[]>`
    select ${deliveryColumns(reader)} from webhook_deliveries d
    where publisher_id = ${publisherId} and delivery_id = ${deliveryId}
      and exists (
        select 1 from webhook_endpoints e
        where e.publisher_id = d.publisher_id and e.endpoint_id = d.endpoint_id and e.deleted_at is null
      )`
  return row ?? null
}

/** Lists the last twenty attempts of a delivery, oldest first. */
export async function listAttempts(
  reader: Reader,
  publisherId: PublisherId,
  deliveryId: DeliveryId,
): Promise<ShownAttempt[]> {
  return reader<ShownAttempt[]>`
    select a.at, a.response_status, a.error, a.latency_ms, a.answer
    from webhook_deliveries d
    cross join lateral (
      select one ->> 'at' as at, (one ->> 'response_status')::int as response_status, one ->> 'error' as error,
        (one ->> 'latency_ms')::int as latency_ms, one ->> 'answer' as answer, place
      from jsonb_array_elements(d.earlier_attempts) with ordinality as earlier (one, place)
      union all
      select to_json(d.last_attempt_at) #>> '{}', d.response_status, d.error, d.latency_ms, d.answer, null
      where d.attempts > 0
    ) as a
    where d.publisher_id = ${publisherId} and d.delivery_id = ${deliveryId}
    order by a.place`
}

/**
 * Serializes range replays of one endpoint. If they ran concurrently, each would count the waiting deliveries before
 * the others had added theirs.
 */
export async function awaitReplays(tx: Tx, endpointId: EndpointId): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`replays:${endpointId}`}, 0))`
}

/** Returns true if at least `count` deliveries are waiting for the endpoint. Reads at most that many. */
export async function hasWaiting(
  reader: Reader,
  publisherId: PublisherId,
  endpointId: EndpointId,
  count: number,
): Promise<boolean> {
  const rows = await reader`
    select 1
    from webhook_queues q
    join webhook_deliveries d
      on d.endpoint_id = q.endpoint_id and d.user_id = q.user_id and d.position >= q.position and d.status = 'pending'
    where q.publisher_id = ${publisherId} and q.endpoint_id = ${endpointId}
    offset ${count - 1}
    limit 1`
  return rows.length > 0
}

/**
 * CTEs that queue the selected deliveries behind those waiting for the same users. The inserted rows are in `queued`.
 */
export const insertQueued = (tx: Tx, selected: ReturnType<typeof deliveryColumns>) => tx`
  queued as (
    insert into webhook_deliveries (publisher_id, endpoint_id, user_id, event_id, type, sequence)
    ${selected}
    returning *
  ),
  ${insertQueues(tx, 'queued')}`

/** CTE that makes queues start no later than the deliveries from an earlier CTE. */
export const insertQueues = (tx: Tx, deliveries: string) => tx`
  queues as (
    insert into webhook_queues as q (endpoint_id, user_id, publisher_id, due_at, position)
    select endpoint_id, user_id, publisher_id, '-infinity', min(position)
    from ${tx(deliveries)} group by endpoint_id, user_id, publisher_id
    order by endpoint_id, user_id
    -- The sequencer may have queued later deliveries since these were assigned their positions. Usually nothing
    -- changes, but the row is locked, so a worker that is emptying this queue waits and checks again.
    on conflict (endpoint_id, user_id) do update set
      position = least(q.position, excluded.position),
      due_at = case when excluded.position < q.position then excluded.due_at else q.due_at end
  )`

// Locks events that are about to be queued, so that they are not dropped.
export const keepEvents = (tx: Tx) => tx`for key share of f`

/** Queues the same event for the same endpoint again. Returns null if the event is no longer stored. */
export async function insertRepeat(tx: Tx, publisherId: PublisherId, deliveryId: DeliveryId): Promise<Delivery | null> {
  const selected = tx`
    select d.publisher_id, d.endpoint_id, d.user_id, d.event_id, d.type, d.sequence
    from webhook_deliveries d
    join event_feed f on f.publisher_id = d.publisher_id and f.sequence = d.sequence
    where d.publisher_id = ${publisherId} and d.delivery_id = ${deliveryId}
    ${keepEvents(tx)}`
  const [row] = await tx<Delivery[]>`with ${insertQueued(tx, selected)} select ${deliveryColumns(tx)} from queued d`
  if (row !== undefined) await addToListCount(tx, publisherId, 'webhook_deliveries', 1)
  return row ?? null
}

// A receiver that always rejects one event but accepts others appears to recover from an outage each time, and its
// owner might keep replaying that event. The more extra attempts a delivery has had, the longer it must rest.
const REST_MS = 5_000
const RESTS_MAX = 12

/** SQL for the earliest time at which the delivery `d` may get an extra attempt. */
export const deriveRestedAt = (tx: Tx) => tx`
  d.last_attempt_at + least(d.extra_attempts, ${RESTS_MAX}) * ${REST_MS}::int * interval '1 ms'`

/** Makes the first delivery of a queue due once it has rested, unless an attempt is in progress. */
export async function makeQueueDue(
  tx: Tx,
  publisherId: PublisherId,
  endpointId: EndpointId,
  userId: string,
): Promise<void> {
  await tx`
    with hurried as (
      update webhook_queues q set due_at = least(q.due_at, ${deriveRestedAt(tx)})
      from webhook_deliveries d
      where q.publisher_id = ${publisherId} and q.endpoint_id = ${endpointId} and q.user_id = ${userId}
        and q.claim_id is null and d.publisher_id = q.publisher_id and d.endpoint_id = q.endpoint_id
        and d.user_id = q.user_id and d.position = q.position and d.next_attempt_at is not null
      returning d.publisher_id, d.delivery_id, q.due_at
    )
    update webhook_deliveries d set next_attempt_at = h.due_at
    from hurried h
    where d.publisher_id = h.publisher_id and d.delivery_id = h.delivery_id and d.next_attempt_at > h.due_at`
}

/**
 * SQL query that returns, as deliveries, the events in a range that an endpoint subscribes to and that meet a
 * condition. Omits test events.
 */
export const selectRepeated = (
  tx: Tx,
  publisherId: PublisherId,
  endpointId: EndpointId,
  range: { readonly after: number; readonly until: number },
  condition = tx`true`,
) => tx`
  select f.publisher_id, e.endpoint_id, f.user_id, f.event_id, f.type, f.sequence
  from event_feed f
  join webhook_endpoints e on e.publisher_id = f.publisher_id and e.endpoint_id = ${endpointId}
  where f.publisher_id = ${publisherId} and f.sequence > ${range.after} and f.sequence <= ${range.until}
    and f.type <> 'webhook.test' and coalesce(f.type = any(e.event_types), true) and ${condition}
  order by f.sequence
  ${keepEvents(tx)}`

/** Requeues all events in a range that the endpoint subscribes to. */
export async function insertRepeats(
  tx: Tx,
  publisherId: PublisherId,
  endpointId: EndpointId,
  range: { readonly after: number; readonly until: number },
): Promise<number> {
  const selected = selectRepeated(tx, publisherId, endpointId, range)
  const [row] = await tx<[{ count: number }]>`
    with ${insertQueued(tx, selected)} select count(*)::int as count from queued`
  await addToListCount(tx, publisherId, 'webhook_deliveries', row.count)
  return row.count
}
