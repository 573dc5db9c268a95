import type { Database, Tx } from '../../platform/db/database.ts'

/**
 * Deletes the waiting deliveries of endpoints that were deleted, or stopped for longer than deliveries are retained.
 * These deliveries would never be sent, so their events would be retained forever. A deleted endpoint's history is
 * retained for as long as any other endpoint's.
 */

const BATCH_MAX = 5000

/**
 * @param stoppedBefore deletes the deliveries of endpoints stopped before this time
 * @returns true if there may be more
 */
export async function sweepDeliveries(db: Database, stoppedBefore: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    await markStopped(tx)
    const orphans = await deleteOrphans(tx, stoppedBefore)
    if (orphans === 0) await deleteEmptyEndpoints(tx)
    return orphans === BATCH_MAX
  })
}

/**
 * Corrects stop times, because processes of earlier versions may still stop and enable endpoints without setting them.
 */
async function markStopped(tx: Tx): Promise<void> {
  // all publishers: a sweep
  await tx`
    update webhook_endpoints set stopped_at = case when status = 'enabled' then null else now() end
    where (status = 'enabled') = (stopped_at is not null)`
}

async function deleteOrphans(tx: Tx, stoppedBefore: Date): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    -- all publishers: a sweep of what deleted and stopped endpoints left
    with orphans as materialized (
      select q.endpoint_id, q.user_id from webhook_endpoints e
      join webhook_queues q on q.endpoint_id = e.endpoint_id
      where e.deleted_at is not null or (e.status <> 'enabled' and e.stopped_at < ${stoppedBefore})
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
  // all publishers: a sweep. After a day, no process that still considers the endpoint live can add to it.
  await tx`
    delete from webhook_endpoints e
    where deleted_at < now() - interval '1 day'
      and not exists (select 1 from webhook_queues q where q.endpoint_id = e.endpoint_id)`
}
