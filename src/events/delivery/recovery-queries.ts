import type { Tx } from '../../platform/db/database.ts'
import type { PublisherId } from '../../platform/ids.ts'
import type { EndpointId } from '../record.ts'
import { deriveRestedAt, insertQueued, selectRepeated } from './delivery-queries.ts'

/**
 * Makes deliveries due if they failed before their endpoint recovered. Those with the latest next attempt come first,
 * because they have had the most attempts and waited longest. Endpoints that recover together get equal shares of the
 * queues.
 * @returns true if an endpoint used its whole share, so that there may be more
 */
export async function makeQueuesDue(tx: Tx, queuesMax: number, now: Date): Promise<boolean> {
  const [row] = await tx<[{ isFull: boolean }]>`
    -- all publishers: one worker hurries for everyone
    with recovered as materialized (
      select endpoint_id, recovered_at, greatest(1, ${queuesMax}::int / count(*) over ()) as share
      from webhook_endpoints
      where recovered_at is not null and status = 'enabled' and deleted_at is null
    ),
    waiting as materialized (
      -- A locked row's ctid does not change, and finding a row by ctid needs no index.
      select head.*, e.endpoint_id, e.share
      from recovered e
      cross join lateral (
        select q.ctid as place, d.publisher_id, d.delivery_id, rested.at as rested_at
        from webhook_queues q
        join webhook_deliveries d
          on d.endpoint_id = q.endpoint_id and d.user_id = q.user_id and d.position = q.position
        cross join lateral (
          select greatest(e.recovered_at, ${deriveRestedAt(tx)}) as at
        ) as rested
        where q.endpoint_id = e.endpoint_id and q.claim_id is null
          and q.due_at > e.recovered_at and d.last_attempt_at < e.recovered_at and q.due_at > rested.at
        order by q.due_at desc
        limit e.share
        for update of q skip locked
      ) as head
    ),
    hurried as (
      update webhook_queues q set due_at = case when w.rested_at <= ${now} then '-infinity' else w.rested_at end
      from waiting w where q.ctid = w.place
    ),
    shown as (
      update webhook_deliveries d set next_attempt_at = w.rested_at
      from waiting w where d.publisher_id = w.publisher_id and d.delivery_id = w.delivery_id
    )
    select exists (select from waiting group by endpoint_id, share having count(*) = share) as is_full`
  return row.isFull
}

export async function forgetRecovered(tx: Tx, before: Date): Promise<void> {
  // all publishers: one worker serves every publisher
  await tx`update webhook_endpoints set recovered_at = null where recovered_at < ${before}`
}

// A constant that no other lock uses. Without the lock, two workers on the same range would both queue the missed
// events.
const RESEND_LOCK = 7_265_020

export async function lockResends(tx: Tx): Promise<boolean> {
  const [row] = await tx<[{ locked: boolean }]>`select pg_try_advisory_xact_lock(${RESEND_LOCK}) as locked`
  return row.locked
}

type Resend = {
  readonly publisherId: PublisherId
  readonly endpointId: EndpointId
  readonly after: number
  readonly until: number
}

export async function findResend(tx: Tx): Promise<Resend | null> {
  const [row] = await tx<{ publisherId: PublisherId; endpointId: EndpointId; after: bigint; until: bigint }[]>`
    -- all publishers: one worker resends for everyone
    select publisher_id, endpoint_id, resend_after as after, resend_until as until from webhook_endpoints
    where resend_until is not null and status = 'enabled' and deleted_at is null
    order by random()
    limit 1`
  return row === undefined ? null : { ...row, after: Number(row.after), until: Number(row.until) }
}

/** Queues the events in a range that the endpoint subscribes to, except those already delivered to it or waiting. */
export async function insertMissed(
  tx: Tx,
  publisherId: PublisherId,
  endpointId: EndpointId,
  range: { readonly after: number; readonly until: number },
): Promise<number> {
  const isMissed = tx`not exists (
    select 1 from webhook_deliveries d
    where d.publisher_id = e.publisher_id and d.endpoint_id = e.endpoint_id and d.user_id = f.user_id
      and d.event_id = f.event_id
      and d.status <> 'exhausted'
  )`
  const selected = selectRepeated(tx, publisherId, endpointId, range, isMissed)
  const [row] = await tx<
    [{ count: number }]
  >`with ${insertQueued(tx, selected)} select count(*)::int as count from queued`
  return row.count
}

/** Advances the range, unless the endpoint's owner has requested a different one in the meantime. */
export async function advanceResend(
  tx: Tx,
  { publisherId, endpointId, after, until }: Resend,
  to: number,
): Promise<void> {
  const next = to < until ? { after: to, until } : { after: null, until: null }
  await tx`
    update webhook_endpoints set resend_after = ${next.after}, resend_until = ${next.until}
    where publisher_id = ${publisherId} and endpoint_id = ${endpointId}
      and resend_after = ${after} and resend_until = ${until}`
}
