import type { Reader } from '../../platform/database.ts'
import type { Removal } from '../links/removal-queries.ts'
import type { CheckRun, SyncRun } from './run-queries.ts'

/**
 * A row that somebody holds is left out, for he may hold it long, and the others must not wait with it: it is renewed
 * the next time, well before its lease ends. A renewal that comes late, after a newer one, shortens no lease.
 */

export async function renewSyncs(reader: Reader, runs: readonly SyncRun[], until: Date): Promise<void> {
  // all publishers: the runs of this process, whoever's they are
  await reader`
    update linker_items i set sync_lease_until = greatest(i.sync_lease_until, ${until})
    from (
      select user_id, link_id
      from unnest(
        ${runs.map((run) => run.userId)}::uuid[], ${runs.map((run) => run.linkId)}::uuid[],
        ${runs.map((run) => run.lease)}::uuid[]
      ) as kept (user_id, link_id, sync_lease)
      join linker_items using (user_id, link_id, sync_lease)
      for update of linker_items skip locked
    ) held
    where i.user_id = held.user_id and i.link_id = held.link_id`
}

export async function renewChecks(reader: Reader, runs: readonly CheckRun[], until: Date, now: Date): Promise<void> {
  // all publishers: the runs of this process, whoever's they are
  await reader`
    update linker_items i set check_lease_until = greatest(i.check_lease_until, ${until})
    from (
      select user_id, link_id
      from unnest(
        ${runs.map((run) => run.userId)}::uuid[], ${runs.map((run) => run.linkId)}::uuid[],
        ${runs.map((run) => run.generation)}::integer[]
      ) as kept (user_id, link_id, generation)
      join linker_items using (user_id, link_id, generation)
      where check_lease_until > ${now}
      for update of linker_items skip locked
    ) held
    where i.user_id = held.user_id and i.link_id = held.link_id`
}

export async function renewRemovals(reader: Reader, runs: readonly Removal[], until: Date, now: Date): Promise<void> {
  // all publishers: the runs of this process, whoever's they are
  await reader`
    update item_removals r set lease_until = greatest(r.lease_until, ${until})
    from (
      select user_id, removal_id
      from unnest(${runs.map((run) => run.userId)}::uuid[], ${runs.map((run) => run.removalId)}::uuid[])
        as kept (user_id, removal_id)
      join item_removals using (user_id, removal_id)
      where lease_until > ${now}
      for update of item_removals skip locked
    ) held
    where r.user_id = held.user_id and r.removal_id = held.removal_id`
}
