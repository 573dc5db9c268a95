import type { Tx } from '../../platform/database.ts'
import type { SyncRun } from '../schedule/claim-queries.ts'

/** Locks the item for the commit of a run; false when the run lost its lease or another commit came between. */
export async function lockRun(tx: Tx, run: SyncRun): Promise<boolean> {
  const rows = await tx`
    select 1 from linker_items
    where user_id = ${run.userId} and publisher_id = ${run.publisherId} and link_id = ${run.linkId}
      and sync_lease = ${run.lease} and generation = ${run.generation} and cursor is not distinct from ${run.cursor}
    for update`
  return rows.length === 1
}

/** Stores how far the feed was read, and that calls about the item succeed. The caller holds the run. */
export async function markRead(
  tx: Tx,
  run: SyncRun,
  { cursor, heardAt }: { readonly cursor: string | null; readonly heardAt: Date | null },
  now: Date,
): Promise<void> {
  await tx`
    update linker_items set
      cursor = ${cursor}, synced_at = ${now}, heard_at = ${heardAt}, fault = null, fault_since = null,
      sync_asked = sync_requests <> ${run.requests}
    where user_id = ${run.userId} and publisher_id = ${run.publisherId} and link_id = ${run.linkId}`
}
