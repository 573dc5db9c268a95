import type { Database, Tx } from '../../platform/db/database.ts'
import { insertQueued } from './delivery-queries.ts'

/**
 * Numbers events after they commit, which makes them visible to readers and receivers. If writers assigned the numbers,
 * every rollback would leave a gap and events could appear out of order, so readers could not tell a lost event from
 * one not yet committed.
 */

// Any constant works. The lock allows only one process at a time to assign numbers.
const LOCK = 7_265_004
/**
 * The approximate number of deliveries (or events, for publishers without endpoints) that a pass writes in a few tenths
 * of a second. Not smaller, because while a report or backup holds its snapshot, every pass scans the rows that earlier
 * passes deleted.
 */
const BATCH_MAX = 4_000

/**
 * Numbers events and queues them for the endpoints that subscribe to them, in one transaction. Publishers get equal
 * shares of a pass, each starting with its oldest events, so that a flood does not delay other publishers' events.
 * @returns true if there may be more
 */
export async function sequenceEvents(db: Database): Promise<boolean> {
  if (!(await hasUnnumbered(db))) return false
  return db.transaction(async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCK})`
    return numberEvents(tx)
  })
}

async function hasUnnumbered(db: Database): Promise<boolean> {
  // all publishers: one queue
  const rows = await db.reader`select 1 from event_queue limit 1`
  return rows.length === 1
}

/**
 * Moves events from the queue to the feed, deliveries and webhook queues, and updates the count, all in one statement
 * so that no rows leave the database.
 * @returns true if a publisher filled its share
 */
async function numberEvents(tx: Tx): Promise<boolean> {
  const selected = tx`
    select n.publisher_id, e.endpoint_id, n.user_id, n.event_id, n.type, n.sequence
    from numbered n
    join webhook_endpoints e on e.publisher_id = n.publisher_id and e.status = 'enabled' and e.deleted_at is null
    where case when n.endpoint_id is null then coalesce(n.type = any(e.event_types), true) else n.endpoint_id = e.endpoint_id end
    order by n.ordinal, e.endpoint_id`
  const [row] = await tx<{ hasFilled: boolean }[]>`
    -- all publishers: the sequencer empties the whole queue
    with recursive waiting as (
      (select publisher_id from event_queue order by publisher_id limit 1)
      union all
      select (select q.publisher_id from event_queue q where q.publisher_id > w.publisher_id order by q.publisher_id limit 1)
      from waiting w where w.publisher_id is not null
    ),
    shares as materialized (
      select w.publisher_id, greatest(1, ${BATCH_MAX} / count(*) over () / greatest(1, e.count)) as share
      from waiting w
      cross join lateral (
        select count(*) from webhook_endpoints e
        where e.publisher_id = w.publisher_id and e.status = 'enabled' and e.deleted_at is null
      ) as e
      where w.publisher_id is not null
    ),
    taken as (
      delete from event_queue
      where ordinal = any(array(
        select q.ordinal
        from shares s
        cross join lateral (
          select ordinal from event_queue where publisher_id = s.publisher_id order by ordinal limit s.share
        ) as q
      ))
      returning ordinal, publisher_id, user_id, event_id, type, endpoint_id
    ),
    placed as (
      select *, row_number() over (partition by publisher_id order by ordinal) as place,
        count(*) over (partition by publisher_id) as places
      from taken
    ),
    advanced as (
      insert into event_sequences as s (publisher_id, last_sequence)
      select publisher_id, count(*) from taken group by publisher_id
      on conflict (publisher_id) do update set last_sequence = s.last_sequence + excluded.last_sequence
      returning publisher_id, last_sequence
    ),
    numbered as (
      select p.*, a.last_sequence - p.places + p.place as sequence
      from placed p join advanced a on a.publisher_id = p.publisher_id
    ),
    fed as (
      insert into event_feed (publisher_id, sequence, user_id, event_id, type)
      select publisher_id, sequence, user_id, event_id, type from numbered
    ),
    ${insertQueued(tx, selected)},
    counted as (
      insert into list_count_deltas (publisher_id, list, delta)
      select publisher_id, 'webhook_deliveries', count(*) from queued group by publisher_id
    )
    select exists (
      select 1 from placed p join shares s on s.publisher_id = p.publisher_id where p.places >= s.share
    ) as has_filled`
  return row?.hasFilled ?? false
}
