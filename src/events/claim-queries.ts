import type { Tx } from '../platform/database.ts'
import type { PublisherId, UserId } from '../platform/ids.ts'
import type { NumberedEvent } from './body.ts'
import type { EndpointId } from './record.ts'

/** One user's turn at one endpoint. Whoever holds the claim delivers what is pending there, in order. */
export type LaneKey = { readonly endpointId: EndpointId; readonly userId: UserId }

export type ClaimedEndpoint = {
  readonly endpointId: EndpointId
  readonly publisherId: PublisherId
  readonly environment: 'sandbox' | 'production'
  readonly url: string
  readonly sealedSecret: Buffer
  /** The secret that is being replaced, while it is still valid. */
  readonly sealedOldSecret: Buffer | null
  readonly failures: number
}

/** What is the same for all deliveries to an endpoint is told by the endpoint. */
export type ClaimedDelivery = LaneKey &
  Omit<NumberedEvent, 'environment' | 'publisherId'> & { readonly position: bigint; readonly attempts: number }

/**
 * For the rest of the transaction, rows that are named are looked up one by one. A queue's size changes faster than its
 * statistics; believing them, the planner reads a whole backlog (measured: 60,000 lanes) to find a few hundred rows.
 */
export async function preferLookups(tx: Tx): Promise<void> {
  await tx`set local enable_seqscan = off`
}

export type ClaimLimits = {
  /** Lanes in all, and for one endpoint. */
  readonly lanesMax: number
  readonly endpointLanesMax: number
  /** From so many failures in a row an endpoint gets one lane at a time. */
  readonly probeAfterFailures: number
  /** Deliveries in all (one for each lane at least), and of one lane. */
  readonly deliveriesMax: number
  readonly runMax: number
}

/**
 * Claims lanes that are due, at most so many for each endpoint beside those this worker still holds, and answers their
 * first pending deliveries, in order, with the events themselves. Endpoints come in random order, so that none is
 * always served last.
 */
export async function claimLanes(
  tx: Tx,
  held: ReadonlyMap<EndpointId, number>,
  limits: ClaimLimits,
  claim: { readonly claimId: string; readonly now: Date; readonly leasedUntil: Date },
): Promise<ClaimedDelivery[]> {
  return tx<ClaimedDelivery[]>`
    -- all publishers: one deliverer serves everyone
    with held as (
      select * from unnest(${[...held.keys()]}::uuid[], ${[...held.values()]}::int[]) as given (endpoint_id, lanes)
    ),
    ready as materialized (
      select e.endpoint_id,
        greatest(
          0,
          case when e.failures >= ${limits.probeAfterFailures} then 1 else ${limits.endpointLanesMax}::int end
          - coalesce(h.lanes, 0)
        ) as wanted
      from webhook_endpoints e left join held h on h.endpoint_id = e.endpoint_id
      where e.status = 'enabled' and e.deleted_at is null
        and (e.throttled_until is null or e.throttled_until <= ${claim.now})
      order by random()
    ),
    due as materialized (
      select lane.place
      from ready
      cross join lateral (
        -- Where a row lies stays true while it is locked, and is found without an index.
        select l.ctid as place from webhook_lanes l
        where l.endpoint_id = ready.endpoint_id and l.due_at <= ${claim.now}
          and (l.leased_until is null or l.leased_until <= ${claim.now})
        order by l.due_at, l.position
        limit ready.wanted
        for update skip locked
      ) as lane
      limit ${limits.lanesMax}
    ),
    claimed as (
      update webhook_lanes l set claim_id = ${claim.claimId}, leased_until = ${claim.leasedUntil}
      from due
      where l.ctid = due.place
      returning l.endpoint_id, l.user_id, l.position
    )
    select d.endpoint_id, d.user_id, d.position, d.attempts, d.sequence,
      e.event_id, e.type, e.created_at, e.data::text as data, e.previous::text as previous
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

export async function loadEndpoints(tx: Tx, endpointIds: readonly EndpointId[], now: Date): Promise<ClaimedEndpoint[]> {
  // all publishers: of the lanes just claimed
  return tx<ClaimedEndpoint[]>`
    select e.endpoint_id, e.publisher_id, p.environment, e.url, e.failures,
      e.sealed_secret,
      case when e.old_secret_until > ${now} then e.sealed_old_secret end as "sealedOldSecret"
    from webhook_endpoints e
    join publishers p on p.publisher_id = e.publisher_id
    where e.endpoint_id = any(${endpointIds as EndpointId[]}::uuid[])`
}
