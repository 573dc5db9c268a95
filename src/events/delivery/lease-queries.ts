import { asTable, type Reader, type Tx } from '../../platform/db/database.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import { isMoving } from '../../tenants/publishers/index.ts'
import type { NumberedEvent } from '../event-body.ts'
import type { EndpointId } from '../record.ts'

/**
 * Identifies the deliveries to one endpoint that concern one user (a row of webhook_queues). The worker that holds the
 * lease delivers them in order.
 */
export type QueueKey = { readonly endpointId: EndpointId; readonly userId: UserId }

export type ClaimedEndpoint = {
  readonly endpointId: EndpointId
  readonly publisherId: PublisherId
  readonly environment: 'sandbox' | 'production'
  readonly url: string
  readonly sealedSecret: Buffer
  /** The secret being replaced, while it is still valid. */
  readonly sealedOldSecret: Buffer | null
  readonly failures: number
  readonly decidesOutcomes: boolean
}

/** A pending delivery, without the fields shared by all deliveries to its endpoint. */
export type ClaimedDelivery = QueueKey &
  Omit<NumberedEvent, 'environment' | 'publisherId'> & {
    readonly position: bigint
    readonly attempts: number
    readonly extraAttempts: number
    readonly plannedAt: Date | null
  }

/**
 * Makes the rest of the transaction use indexes. The table's size changes faster than its statistics, so the planner
 * would otherwise read an entire backlog (measured: 60,000 rows) to find a few hundred rows.
 */
export async function preferLookups(tx: Tx): Promise<void> {
  await tx`set local enable_seqscan = off`
}

/**
 * Returns true if anything is queued. Costs far less than a claim, so an idle service can poll often. Sorts so that the
 * index is used, because the table may be full of deleted rows while a report or backup holds its snapshot.
 */
export async function hasQueues(reader: Reader): Promise<boolean> {
  // all publishers: one deliverer serves everyone
  const rows = await reader`select 1 from webhook_queues order by endpoint_id, due_at limit 1`
  return rows.length === 1
}

type ClaimLimits = {
  /** The maximum number of queues in total, per publisher and per endpoint. */
  readonly queuesMax: number
  readonly publisherQueuesMax: number
  readonly endpointQueuesMax: number
  /** An endpoint with this many consecutive failures gets one queue at a time. */
  readonly probeAfterFailures: number
  /** The maximum number of deliveries in total (but at least one per queue) and per queue. */
  readonly deliveriesMax: number
  readonly runMax: number
}

/**
 * Leases due queues and returns their first pending deliveries with the events, in order. The limits per publisher and
 * endpoint include the queues that this worker has already leased. A publisher's remaining share is divided among its
 * endpoints. Endpoints are served in random order, so that none is always last.
 */
export async function claimQueues(
  tx: Tx,
  held: ReadonlyMap<string, number>,
  limits: ClaimLimits,
  claim: { readonly claimId: string; readonly now: Date; readonly leasedUntil: Date },
): Promise<ClaimedDelivery[]> {
  const holdings = [...held].map(([endpointId, queues]) => ({ endpointId, queues }))
  return tx<ClaimedDelivery[]>`
    -- all publishers: one deliverer serves everyone
    with known as materialized (
      select e.endpoint_id, e.failures, coalesce(given.queues, 0) as queues, count(*) over publisher as endpoints,
        ${limits.publisherQueuesMax}::int - coalesce(sum(given.queues) over publisher, 0) as left_to_publisher
      from webhook_endpoints e
      left join ${asTable(tx, holdings, { endpointId: 'uuid', queues: 'int4' })} on given.endpoint_id = e.endpoint_id
      where e.status = 'enabled' and e.deleted_at is null and not ${isMoving(tx)}
        and (e.throttled_until is null or e.throttled_until <= ${claim.now})
      window publisher as (partition by e.publisher_id)
    ),
    ready as materialized (
      select endpoint_id,
        case when failures >= ${limits.probeAfterFailures} then 1 - queues
          else least(
            ${limits.endpointQueuesMax}::int - queues,
            left_to_publisher - queues,
            ceil(left_to_publisher::numeric / endpoints)
          )
        end::int as wanted
      from known
      order by random()
    ),
    due as materialized (
      select head.place
      from (select * from ready where wanted > 0) as ready
      cross join lateral (
        -- A locked row's ctid does not change, and finding a row by ctid needs no index.
        select q.ctid as place from webhook_queues q
        where q.endpoint_id = ready.endpoint_id and q.due_at <= ${claim.now}
          and (q.leased_until is null or q.leased_until <= ${claim.now})
        order by q.due_at, q.position
        limit ready.wanted
        for update skip locked
      ) as head
      limit ${limits.queuesMax}
    ),
    claimed as (
      update webhook_queues q set claim_id = ${claim.claimId}, leased_until = ${claim.leasedUntil}
      from due
      where q.ctid = due.place
      returning q.endpoint_id, q.user_id, q.position
    )
    select d.endpoint_id, d.user_id, d.position, d.attempts, d.extra_attempts, d.planned_at, d.sequence,
      e.event_id, e.type, e.created_at, e.stored_data::text as data, e.previous::text as previous
    from claimed
    cross join lateral (
      select * from webhook_deliveries d
      where d.endpoint_id = claimed.endpoint_id and d.user_id = claimed.user_id and d.position >= claimed.position
        and d.status = 'pending'
      order by d.position
      limit (select least(${limits.runMax}, ceil(${limits.deliveriesMax}::numeric / count(*))) from claimed)
    ) as d
    join events e on e.user_id = d.user_id and e.event_id = d.event_id
    order by d.position`
}

/** Loads the endpoints. Omits those deleted since their queues were leased, because their secrets no longer exist. */
export async function loadEndpoints(tx: Tx, endpointIds: readonly EndpointId[], now: Date): Promise<ClaimedEndpoint[]> {
  // all publishers: of the queues just leased
  return tx<ClaimedEndpoint[]>`
    select e.endpoint_id, e.publisher_id, p.environment, e.url, e.failures, e.decides_outcomes,
      e.sealed_secret, case when e.old_secret_until > ${now} then e.sealed_old_secret end as sealed_old_secret
    from webhook_endpoints e
    join publishers p on p.publisher_id = e.publisher_id
    where e.endpoint_id = any(${endpointIds as EndpointId[]}::uuid[]) and e.deleted_at is null`
}
