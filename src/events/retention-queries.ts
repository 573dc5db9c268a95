import { asTable, type Reader, type Tx } from '../platform/db/database.ts'
import { buildFirstUuid, type PublisherId, type UserId } from '../platform/ids.ts'
import type { EventId } from './record.ts'

/**
 * SQL for the first event of each feed. Starts after the dropped sequences, so that it does not read their dead rows.
 */
const heads = (reader: Reader) => reader`
  select s.publisher_id, s.dropped_until, head.event_id
  from event_sequences s
  cross join lateral (
    select event_id from event_feed f
    where f.publisher_id = s.publisher_id and f.sequence > s.dropped_until
    order by f.sequence
    limit 1
  ) as head`

export async function findOldestEvent(reader: Reader): Promise<string | null> {
  const [row] = await reader<{ eventId: string }[]>`
    -- all publishers: totals for metrics
    with heads as (${heads(reader)})
    select event_id from heads order by event_id limit 1`
  return row?.eventId ?? null
}

type FeedStart = { readonly publisherId: PublisherId; readonly after: bigint; readonly until: bigint }

/** Locks the first events of each feed that starts before an instant. The feeds get equal shares of the batch. */
export async function lockFeedStarts(tx: Tx, before: Date, limit: number): Promise<FeedStart[]> {
  return tx<FeedStart[]>`
    -- all publishers: drops by age
    with heads as (${heads(tx)}),
    due as materialized (
      select *, greatest(1, ${limit}::int / count(*) over ()) as share
      from heads
      where event_id < ${buildFirstUuid(before)}
      order by publisher_id
    ),
    locked as materialized (
      select due.publisher_id, due.dropped_until, head.sequence
      from due
      cross join lateral (
        select f.sequence from event_feed f
        where f.publisher_id = due.publisher_id and f.sequence > due.dropped_until
        order by f.sequence
        limit due.share
        for update
      ) as head
    )
    select publisher_id, dropped_until as after, max(sequence) as until from locked group by 1, 2`
}

type Dropped = {
  readonly publisherId: PublisherId
  readonly sequence: bigint
  readonly userId: UserId
  readonly eventId: EventId
}

/** Removes events from the start of each feed, up to the first one that is too recent or still owed to an endpoint. */
export async function deletePlaces(tx: Tx, starts: readonly FeedStart[], before: Date): Promise<Dropped[]> {
  return tx<Dropped[]>`
    with starts as materialized (
      select * from ${asTable(tx, starts, { publisherId: 'uuid', after: 'int8', until: 'int8' })}
    ),
    batch as materialized (
      select f.publisher_id, f.sequence, f.event_id >= ${buildFirstUuid(before)} or exists (
        select 1
        from webhook_endpoints e
        join webhook_queues q on q.endpoint_id = e.endpoint_id and q.user_id = f.user_id
        join webhook_deliveries d on d.endpoint_id = q.endpoint_id and d.user_id = q.user_id
        where e.publisher_id = f.publisher_id and d.position >= q.position and d.status = 'pending'
          and d.event_id = f.event_id
      ) as is_kept
      from starts s
      join event_feed f on f.publisher_id = s.publisher_id and f.sequence > s.after and f.sequence <= s.until
    ),
    ends as materialized (
      select publisher_id, after, coalesce(min(sequence) filter (where is_kept) - 1, until) as until
      from batch join starts using (publisher_id)
      group by publisher_id, after, until
    ),
    fed as (
      delete from event_feed f using ends
      where f.publisher_id = ends.publisher_id and f.sequence > ends.after and f.sequence <= ends.until
      returning f.publisher_id, f.sequence, f.user_id, f.event_id
    )
    select publisher_id, sequence, user_id, event_id from fed`
}

export async function deleteEvents(tx: Tx, dropped: readonly Dropped[]): Promise<void> {
  // all publishers: drops by age
  await tx`
    delete from events
    where (user_id, event_id) in (
      select user_id, event_id from ${asTable(tx, dropped, { userId: 'uuid', eventId: 'uuid' })}
    )`
}

/** Records where each feed now begins. */
export async function markDropped(tx: Tx, dropped: readonly Dropped[]): Promise<void> {
  await tx`
    with ends as materialized (
      select publisher_id, max(sequence) as until
      from ${asTable(tx, dropped, { publisherId: 'uuid', sequence: 'int8' })}
      group by publisher_id
      order by publisher_id
    )
    update event_sequences s set dropped_until = greatest(s.dropped_until, ends.until)
    from ends where s.publisher_id = ends.publisher_id`
}

export async function findOldestDelivery(reader: Reader): Promise<Date | null> {
  const [row] = await reader<{ createdAt: Date }[]>`
    -- all publishers: totals for metrics
    select created_at from webhook_deliveries where status <> 'pending' order by created_at limit 1`
  return row?.createdAt ?? null
}

/** Deletes finished deliveries, oldest first, and returns their number. */
export async function deleteOldDeliveries(tx: Tx, before: Date, limit: number): Promise<number> {
  const [row] = await tx<[{ count: number }]>`
    -- all publishers: drops by age
    with gone as (
      delete from webhook_deliveries
      where (publisher_id, delivery_id) in (
        select publisher_id, delivery_id from webhook_deliveries
        where created_at < ${before} and status <> 'pending'
        order by created_at
        limit ${limit}
        for update skip locked
      )
      returning publisher_id
    ),
    counted as (
      insert into list_count_deltas (publisher_id, list, delta)
      select publisher_id, 'webhook_deliveries', -count(*) from gone group by publisher_id
    )
    select count(*)::int as count from gone`
  return row.count
}
