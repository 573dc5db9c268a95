import { findSequenceBefore } from '../../events/index.ts'
import { HOUR_MS } from '../../platform/calendar.ts'
import type { Reader, SqlPart } from '../../platform/db/database.ts'
import { decodeUuidTime } from '../../platform/ids.ts'
import type { ComparedSpan } from './span.ts'

/** The IDs of the first and last event of a period. IDs are ordered by real creation time. */
type EventRange = {
  readonly first: string
  readonly last: string
  readonly afterSequence: number
  readonly since: Date
}

// Allows for events being numbered and deliveries being created after the commit, by clocks that may differ slightly.
// Reading too much is harmless.
const MARGIN_MS = HOUR_MS

/** Returns true if some events of the period may have left the feed. */
export async function hasDropped(reader: Reader, { publisher, from }: ComparedSpan): Promise<boolean> {
  const [row] = await reader<{ userId: string | null; eventId: string | null }[]>`
    select f.user_id, f.event_id
    from event_sequences s
    left join event_feed f on f.publisher_id = s.publisher_id and f.sequence = s.dropped_until + 1
    where s.publisher_id = ${publisher.id} and s.dropped_until > 0`
  if (row === undefined || row.userId === null) return row !== undefined
  const [oldest] = await reader<{ createdAt: Date }[]>`
    select created_at from events
    where user_id = ${row.userId} and event_id = ${row.eventId} and publisher_id = ${publisher.id}`
  return oldest === undefined || oldest.createdAt > from
}

export async function findRange(reader: Reader, { publisher, from, until }: ComparedSpan): Promise<EventRange | null> {
  const [row] = await reader<Pick<EventRange, 'first' | 'last'>[]>`
    -- all users: those of one publisher
    with ids as materialized (
      select event_id from events where publisher_id = ${publisher.id} and created_at >= ${from} and created_at < ${until}
    )
    select (select event_id from ids order by event_id limit 1) as first,
      (select event_id from ids order by event_id desc limit 1) as last
    where exists (select 1 from ids)`
  if (row === undefined) return null
  const since = new Date(decodeUuidTime(row.first).getTime() - MARGIN_MS)
  return { ...row, since, afterSequence: await findSequenceBefore(reader, publisher, since) }
}

const between = (reader: Reader, { first, last }: EventRange): SqlPart =>
  reader`between ${first}::uuid and ${last}::uuid`

export const selectRecordedEvents = (reader: Reader, { publisher }: ComparedSpan, range: EventRange): SqlPart => reader`
  -- all users: those of one publisher
  select event_id as key, type from events
  where publisher_id = ${publisher.id} and event_id ${between(reader, range)}
  order by event_id`

/** Selects events in the feed and events still waiting for a sequence number. */
export const selectFeedEvents = (reader: Reader, { publisher }: ComparedSpan, range: EventRange): SqlPart => reader`
  select event_id as key, type, false as waits from event_feed
  where publisher_id = ${publisher.id} and sequence > ${range.afterSequence} and event_id ${between(reader, range)}
  union all
  select event_id, type, true from event_queue
  where publisher_id = ${publisher.id} and event_id ${between(reader, range)}
  order by key`

/**
 * Matches events that must be delivered to an endpoint `e`: those of its types recorded after it was created and before
 * it was stopped.
 */
const isOwed = (reader: Reader): SqlPart => reader`
  e.deleted_at is null and f.event_id > e.endpoint_id and f.type <> 'webhook.test'
  and coalesce(f.type = any(e.event_types), true)
  and (e.status = 'enabled' or f.sequence <= e.stopped_after_sequence)`

export const selectOwedDeliveries = (reader: Reader, { publisher }: ComparedSpan, range: EventRange): SqlPart => reader`
  select f.event_id || ' to ' || e.endpoint_id as key, f.type, 'made or planned' as delivery
  from event_feed f join webhook_endpoints e on e.publisher_id = f.publisher_id
  where f.publisher_id = ${publisher.id} and f.sequence > ${range.afterSequence}
    and f.event_id ${between(reader, range)} and ${isOwed(reader)}
  order by f.event_id, e.endpoint_id`

/**
 * Selects the recorded deliveries. If an event was delivered to an endpoint several times, the best outcome is used,
 * because the other deliveries are repeats on request. A delivery whose event is missing from the feed is reported with
 * that event.
 */
export const selectKnownDeliveries = (
  reader: Reader,
  { publisher }: ComparedSpan,
  range: EventRange,
): SqlPart => reader`
  select f.event_id || ' to ' || e.endpoint_id as key, f.type,
    case when bool_and(d.status = 'exhausted') then 'given up' else 'made or planned' end as delivery,
    bool_or(d.status = 'pending') and not bool_or(d.status = 'delivered') as waits
  from webhook_deliveries d
  join event_feed f on f.publisher_id = d.publisher_id and f.sequence = d.sequence
  join webhook_endpoints e on e.publisher_id = d.publisher_id and e.endpoint_id = d.endpoint_id
  where d.publisher_id = ${publisher.id} and d.created_at >= ${range.since}
    and f.event_id ${between(reader, range)} and ${isOwed(reader)}
  group by f.event_id, e.endpoint_id, f.type
  order by f.event_id, e.endpoint_id`
