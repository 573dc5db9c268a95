import type { Database, Tx } from '../platform/database.ts'
import { queued } from './delivery-queries.ts'

/**
 * Events become visible to readers and receivers here, after their commit. Numbers assigned by writers would leave a
 * gap for every rollback and could appear out of order, so a reader could not distinguish "nothing missed" from "not
 * committed yet".
 */

// Any constant works. One process at a time assigns numbers.
const LOCK = 7_265_004
const BATCH_MAX = 1000

/**
 * Numbers the oldest events without a number and queues them for the endpoints that subscribe to them, in one commit.
 * Returns whether there may be more.
 */
export async function sequenceEvents(db: Database): Promise<boolean> {
  if (!(await hasUnnumbered(db))) return false
  const numbered = await db.transaction(async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCK})`
    return numberEvents(tx)
  })
  return numbered === BATCH_MAX
}

async function hasUnnumbered(db: Database): Promise<boolean> {
  // all publishers: one queue
  const rows = await db.reader`select 1 from event_queue limit 1`
  return rows.length === 1
}

/** Queue → feed → deliveries → queues of webhooks and their count, as one statement: the rows stay in the database. */
async function numberEvents(tx: Tx): Promise<number> {
  const selected = tx`
    select n.publisher_id, e.endpoint_id, n.user_id, n.event_id, n.type, n.sequence
    from numbered n
    join webhook_endpoints e on e.publisher_id = n.publisher_id and e.status = 'enabled' and e.deleted_at is null
    where case when n.endpoint_id is null then coalesce(n.type = any(e.event_types), true) else n.endpoint_id = e.endpoint_id end
    order by n.ordinal, e.endpoint_id`
  const [row] = await tx<{ numbered: number }[]>`
    -- all publishers: the sequencer empties the whole queue
    with taken as (
      delete from event_queue
      where ordinal in (select ordinal from event_queue order by ordinal limit ${BATCH_MAX})
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
    ${queued(tx, selected)},
    counted as (
      insert into list_count_deltas (publisher_id, list, delta)
      select publisher_id, 'webhook_deliveries', count(*) from queued group by publisher_id
    )
    select count(*)::int as numbered from taken`
  return row?.numbered ?? 0
}
