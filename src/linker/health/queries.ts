import type { Reader } from '../../platform/database.ts'

// Beyond this the number says only that far too many are waiting, and would cost more to find.
const BACKLOG_MAX = 100_000

export type Backlog = { readonly due: number; readonly oldest: Date | null }

export async function findBacklog(reader: Reader, now: Date): Promise<Backlog> {
  // all publishers: what the worker has before it
  const [row] = await reader<[Backlog]>`
    select
      (select count(*)::integer from (
        select 1 from linker_items where sync_due_at <= ${now} limit ${BACKLOG_MAX}) due) as due,
      (select min(sync_due_at) from linker_items where sync_due_at <= ${now}) as oldest`
  return row
}

export type StateCount = { readonly kind: 'error' | 'fault'; readonly name: string; readonly count: number }

/** Only what is not well is counted, and stands in indexes of its own. */
export async function countByState(reader: Reader): Promise<StateCount[]> {
  // all publishers: how the links stand on the whole
  return reader<StateCount[]>`
    select 'error' as kind, error as name, count(*)::integer as count
    from links where error is not null and unlinked_at is null group by error
    union all
    select 'fault', fault, count(*)::integer from linker_items where fault is not null group by fault`
}
