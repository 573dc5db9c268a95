import type { Reader, Tx } from '../../platform/db/database.ts'
import { buildFirstUuid, type PublisherId } from '../../platform/ids.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import type { NumberedEvent } from '../event-body.ts'

/** Lists the publisher's events after a sequence, in order and without gaps. */
export async function listEventsAfter(
  reader: Reader,
  publisher: Publisher,
  after: number,
  limit: number,
): Promise<NumberedEvent[]> {
  const rows = await reader<Omit<NumberedEvent, 'environment'>[]>`
    select f.sequence, f.publisher_id, e.event_id, e.type, e.created_at,
      e.stored_data::text as data, e.previous::text as previous
    from event_feed f
    join events e on e.user_id = f.user_id and e.event_id = f.event_id
    where f.publisher_id = ${publisher.id} and f.sequence > ${after}
    order by f.sequence
    limit ${limit}`
  return rows.map((row) => ({ ...row, environment: publisher.environment }))
}

/** The feed contains the events after `droppedUntil`, up to the newest. */
export type FeedBounds = { readonly droppedUntil: number; readonly newest: number }

/** Returns zeros before the first event. */
export async function findFeedBounds(reader: Reader, publisher: Pick<Publisher, 'id'>): Promise<FeedBounds> {
  const [row] = await reader<{ droppedUntil: bigint; newest: bigint }[]>`
    select dropped_until, last_sequence as newest from event_sequences where publisher_id = ${publisher.id}`
  return { droppedUntil: Number(row?.droppedUntil ?? 0), newest: Number(row?.newest ?? 0) }
}

/**
 * Finds the sequence before the first event recorded since an instant. Uses binary search, which works because
 * sequences have no gaps and event IDs are time-ordered.
 */
export async function findSequenceBefore(reader: Reader, publisher: Publisher, since: Date): Promise<number> {
  const [row] = await reader<{ low: bigint }[]>`
    with recursive halves as (
      select 0::bigint as low, last_sequence as high from event_sequences where publisher_id = ${publisher.id}
      union all
      select case when is_before then middle else low end, case when is_before then high else middle - 1 end
      from halves
      cross join lateral (select (low + high + 1) / 2 as middle) as half
      cross join lateral (
        select coalesce(
          (select event_id < ${buildFirstUuid(since)} from event_feed where publisher_id = ${publisher.id} and sequence = middle),
          true
        ) as is_before
      ) as found
      where low < high
    )
    select low from halves where low = high`
  return Number(row?.low ?? 0)
}

/** Lists the epochs begun by restores, oldest first. */
export async function listEpochs(
  reader: Reader,
  publisherId: PublisherId,
): Promise<{ readonly epoch: number; readonly beginsAfter: number }[]> {
  const rows = await reader<{ epoch: bigint; beginsAfter: bigint }[]>`
    select epoch, begins_after from feed_epochs where publisher_id = ${publisherId} order by epoch`
  return rows.map(({ epoch, beginsAfter }) => ({ epoch: Number(epoch), beginsAfter: Number(beginsAfter) }))
}

/**
 * Begins a new epoch, which signals the restore to the readers of every feed, and returns it. If the clock is behind the
 * newest epoch, uses the next second after that epoch. Must be called before the service starts.
 */
export async function beginFeedEpoch(tx: Tx, now: Date): Promise<number> {
  const [row] = await tx<{ epoch: bigint | null }[]>`
    -- all publishers: the whole database was restored
    with epoch as (
      select greatest(
        floor(extract(epoch from ${now}::timestamptz))::bigint,
        (select coalesce(max(epoch), 0) + 1 from feed_epochs)
      ) as epoch
    ),
    begun as (
      insert into feed_epochs (publisher_id, epoch, begins_after)
      select p.publisher_id, e.epoch, coalesce(s.last_sequence, 0)
      from epoch e
      cross join publishers p
      left join event_sequences s on s.publisher_id = p.publisher_id
    )
    select epoch from epoch`
  return Number(row?.epoch)
}
