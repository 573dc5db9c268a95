import type { Reader, Tx } from '../platform/database.ts'
import type { PublisherId } from '../platform/ids.ts'
import type { Item } from './item-queries.ts'

/** A claimed run: nobody else works on this link until the lease ends. */
export type SyncRun = Item & { readonly lease: string; readonly requests: number; readonly failures: number }
export type CheckRun = Item & { readonly requests: number; readonly failures: number }

const columns = (reader: Reader) => reader`
  i.publisher_id as "publisherId", i.user_id as "userId", i.link_id as "linkId", owner, sealed_token as "sealedToken",
  item_fingerprint as fingerprint, generation, cursor`

/** Claims due syncs, of one publisher or of all. */
export async function claimSyncs(
  reader: Reader,
  publisherId: PublisherId | null,
  { limit, leaseMs }: { readonly limit: number; readonly leaseMs: number },
  now: Date,
): Promise<SyncRun[]> {
  // all publishers: the worker takes whatever is due
  return reader<SyncRun[]>`
    update linker_items i set sync_lease = gen_random_uuid(), sync_lease_until = ${new Date(now.getTime() + leaseMs)}
    from (
      select user_id, link_id from linker_items
      where sync_due_at <= ${now} and (sync_lease_until is null or sync_lease_until <= ${now})
        ${publisherId === null ? reader`` : reader`and publisher_id = ${publisherId}`}
      order by sync_due_at
      limit ${limit}
      for update skip locked
    ) due
    where i.user_id = due.user_id and i.link_id = due.link_id
    returning ${columns(reader)}, sync_lease as lease, sync_requests as requests, sync_failures as failures`
}

/** Takes the item for the commit of a run; false when the run lost its lease, or another commit came between. */
export async function holdRun(tx: Tx, publisherId: PublisherId, run: SyncRun): Promise<boolean> {
  const rows = await tx`
    select 1 from linker_items
    where user_id = ${run.userId} and publisher_id = ${publisherId} and link_id = ${run.linkId}
      and sync_lease = ${run.lease} and generation = ${run.generation} and cursor is not distinct from ${run.cursor}
    for update`
  return rows.length === 1
}

/** Ends a run that went well; it is due again at once if another sync was asked for meanwhile. */
export async function finishSync(
  tx: Tx,
  publisherId: PublisherId,
  run: SyncRun,
  { cursor, nextAt }: { readonly cursor: string | null; readonly nextAt: Date },
  now: Date,
): Promise<void> {
  await tx`
    update linker_items set
      cursor = ${cursor}, synced_at = ${now}, sync_failures = 0, sync_lease = null, sync_lease_until = null,
      sync_due_at = case when sync_requests = ${run.requests} then ${nextAt}::timestamptz else ${now}::timestamptz end
    where user_id = ${run.userId} and publisher_id = ${publisherId} and link_id = ${run.linkId} and sync_lease = ${run.lease}`
}

/** Ends a run that failed, to be tried again later. */
export async function failSync(reader: Reader, publisherId: PublisherId, run: SyncRun, nextAt: Date): Promise<void> {
  await reader`
    update linker_items set
      sync_failures = sync_failures + 1, sync_lease = null, sync_lease_until = null, sync_due_at = ${nextAt}
    where user_id = ${run.userId} and publisher_id = ${publisherId} and link_id = ${run.linkId} and sync_lease = ${run.lease}`
}

export async function claimChecks(
  reader: Reader,
  publisherId: PublisherId | null,
  { limit, leaseMs }: { readonly limit: number; readonly leaseMs: number },
  now: Date,
): Promise<CheckRun[]> {
  // all publishers: the worker takes whatever is due
  return reader<CheckRun[]>`
    update linker_items i set check_lease_until = ${new Date(now.getTime() + leaseMs)}
    from (
      select user_id, link_id from linker_items
      where check_due_at <= ${now} and (check_lease_until is null or check_lease_until <= ${now})
        ${publisherId === null ? reader`` : reader`and publisher_id = ${publisherId}`}
      order by check_due_at
      limit ${limit}
      for update skip locked
    ) due
    where i.user_id = due.user_id and i.link_id = due.link_id
    returning ${columns(reader)}, check_requests as requests, check_failures as failures`
}

/** Ends a check: done (null) unless another was asked for meanwhile, or to be tried again. */
export async function finishCheck(
  reader: Reader,
  publisherId: PublisherId,
  run: CheckRun,
  retryAt: Date | null,
  now: Date,
): Promise<void> {
  await reader`
    update linker_items set
      check_lease_until = null, check_failures = ${retryAt === null ? 0 : run.failures + 1},
      check_due_at = case when check_requests = ${run.requests} then ${retryAt}::timestamptz else ${now}::timestamptz end
    where user_id = ${run.userId} and publisher_id = ${publisherId} and link_id = ${run.linkId}
      and generation = ${run.generation}`
}
