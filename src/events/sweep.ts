import type { Database, Tx } from '../platform/database.ts'

/**
 * Deletes the pending deliveries of deleted endpoints, and finished deliveries after 90 days. The history of a deleted
 * endpoint stays until then.
 */

const BATCH_MAX = 5000

/** Returns whether there may be more. */
export async function sweepDeliveries(db: Database): Promise<boolean> {
  return db.transaction(async (tx) => {
    const orphans = await deleteOrphans(tx)
    if (orphans === 0) await deleteEmptyEndpoints(tx)
    return orphans === BATCH_MAX || (await deleteOld(tx)) === BATCH_MAX
  })
}

async function deleteOrphans(tx: Tx): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    -- all publishers: a sweep of what deleted endpoints left
    with orphans as materialized (
      select q.endpoint_id, q.user_id from webhook_endpoints e
      join webhook_queues q on q.endpoint_id = e.endpoint_id
      where e.deleted_at is not null
      order by q.endpoint_id, q.user_id
      limit ${BATCH_MAX}
      for update of q
    ),
    queues as (
      delete from webhook_queues q using orphans o where q.endpoint_id = o.endpoint_id and q.user_id = o.user_id
    ),
    deliveries as (
      delete from webhook_deliveries d using orphans o
      where d.endpoint_id = o.endpoint_id and d.user_id = o.user_id and d.status = 'pending'
      returning d.publisher_id
    ),
    counted as (
      insert into list_count_deltas (publisher_id, list, delta)
      select publisher_id, 'webhook_deliveries', -count(*) from deliveries group by publisher_id
    )
    select count(*)::int as count from orphans`
  return row?.count ?? 0
}

async function deleteEmptyEndpoints(tx: Tx): Promise<void> {
  // all publishers: a sweep. After a day nothing that still knew the endpoint as living can add to it.
  await tx`
    delete from webhook_endpoints e
    where deleted_at < now() - interval '1 day'
      and not exists (select 1 from webhook_queues q where q.endpoint_id = e.endpoint_id)`
}

async function deleteOld(tx: Tx): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    -- all publishers: a sweep by age
    with gone as (
      delete from webhook_deliveries
      where (publisher_id, delivery_id) in (
        select publisher_id, delivery_id from webhook_deliveries
        where created_at < now() - interval '90 days' and status <> 'pending'
        limit ${BATCH_MAX}
      )
      returning publisher_id
    ),
    counted as (
      insert into list_count_deltas (publisher_id, list, delta)
      select publisher_id, 'webhook_deliveries', -count(*) from gone group by publisher_id
    )
    select count(*)::int as count from gone`
  return row?.count ?? 0
}
