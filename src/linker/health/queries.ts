import type { Reader, Tx } from '../../platform/database.ts'
import type { Item } from '../item-queries.ts'
import type { CheckRun } from '../schedule/claim-queries.ts'

// Beyond this the number says only that far too many are waiting, and would cost more to find.
const BACKLOG_MAX = 100_000

type Backlog = { readonly due: number; readonly oldest: Date | null }

export async function findBacklog(reader: Reader, now: Date): Promise<Backlog> {
  // all publishers: what the worker has before it
  const [row] = await reader<[Backlog]>`
    select
      (select count(*)::integer from (
        select 1 from linker_items where sync_due_at <= ${now} limit ${BACKLOG_MAX}) due) as due,
      (select min(sync_due_at) from linker_items where sync_due_at <= ${now}) as oldest`
  return row
}

type StateCount = { readonly kind: 'error' | 'fault'; readonly name: string; readonly count: number }

/** Only what is not well is counted, and stands in indexes of its own. */
export async function countByState(reader: Reader): Promise<StateCount[]> {
  // all publishers: how the links stand on the whole
  return reader<StateCount[]>`
    select 'error' as kind, error as name, count(*)::integer as count
    from links where error is not null and unlinked_at is null group by error
    union all
    select 'fault', fault, count(*)::integer from linker_items where fault is not null group by fault`
}

/** Stores what the provider answered about an item. */
export async function markChecked(
  tx: Tx,
  run: CheckRun,
  {
    lastUpdatedAt,
    consentEndsAt,
    isDisconnectSettled,
  }: {
    readonly lastUpdatedAt: Date | null
    readonly consentEndsAt: Date | null
    readonly isDisconnectSettled: boolean
  },
  now: Date,
): Promise<void> {
  await tx`
    update linker_items set
      checked_at = ${now}, last_updated_at = coalesce(${lastUpdatedAt}, last_updated_at), consent_ends_at = ${consentEndsAt},
      disconnect_settled_at = case when ${isDisconnectSettled} then ${run.disconnectsAt} else disconnect_settled_at end,
      disconnects_at = case when ${isDisconnectSettled} and disconnects_at = ${run.disconnectsAt} then null else disconnects_at end
    where user_id = ${run.userId} and publisher_id = ${run.publisherId} and link_id = ${run.linkId}
      and generation = ${run.generation}`
}

/** Stores with which code calls about the item fail; returns since when. */
export async function markFault(reader: Reader, run: Item, code: string, now: Date): Promise<Date> {
  const [row] = await reader<{ since: Date }[]>`
    update linker_items set
      fault_since = case when fault = ${code} then fault_since else ${now}::timestamptz end, fault = ${code}
    where user_id = ${run.userId} and publisher_id = ${run.publisherId} and link_id = ${run.linkId}
      and generation = ${run.generation}
    returning fault_since as since`
  return row?.since ?? now
}

/** How many items of the same account at the provider fail with one of these codes; counted up to a limit. */
export async function countAtFault(
  reader: Reader,
  { publisherId, owner }: Pick<Item, 'publisherId' | 'owner'>,
  codes: readonly string[],
  limit: number,
): Promise<number> {
  // all publishers: the service's own account is one for all of them
  const [row] = await reader<{ count: number }[]>`
    select count(*)::integer as count from (
      select 1 from linker_items
      where fault = any(${codes as string[]}::text[]) and owner = ${owner}
        and (owner = 'service' or publisher_id = ${publisherId})
      limit ${limit}
    ) counted`
  return row?.count ?? 0
}
