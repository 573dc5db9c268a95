import type { Reader, Tx } from '../../../platform/db/database.ts'
import type { PublisherId } from '../../../platform/ids.ts'
import type { Item } from '../item-queries.ts'
import type { ProviderItem } from '../provider.ts'
import type { CheckRun } from '../schedule/run-queries.ts'

// Counting a larger backlog costs more and reveals nothing more.
const BACKLOG_MAX = 100_000

type Backlog = { readonly due: number; readonly oldest: Date | null }

export async function findBacklog(reader: Reader, now: Date): Promise<Backlog> {
  // all publishers: the worker's backlog
  const [row] = await reader<[Backlog]>`
    select count(*)::integer as due, min(sync_due_at) as oldest
    from (
      select sync_due_at from linker_items where sync_due_at <= ${now} order by sync_due_at limit ${BACKLOG_MAX}) due`
  return row
}

type StateCount = { readonly kind: 'error' | 'fault'; readonly name: string; readonly count: number }

/** Counts only links and items in error, which have their own indexes. */
export async function countByState(reader: Reader): Promise<StateCount[]> {
  // all publishers: totals for metrics
  return reader<StateCount[]>`
    select 'error' as kind, error as name, count(*)::integer as count
    from links where error is not null and unlinked_at is null group by error
    union all
    select 'fault', fault, count(*)::integer from linker_items where fault is not null group by fault`
}

/** Stores the findings of a check. */
export async function markChecked(
  tx: Tx,
  run: CheckRun,
  found: Pick<ProviderItem, 'lastUpdatedAt' | 'consentEndsAt'> & {
    readonly isDisconnectSettled: boolean
    /** True if new accounts have been announced. */
    readonly newAccountsHinted: boolean
  },
  now: Date,
): Promise<void> {
  await tx`
    update linker_items set
      checked_at = ${now}, last_updated_at = coalesce(${found.lastUpdatedAt}, last_updated_at),
      consent_ends_at = ${found.consentEndsAt}, new_accounts_hinted = new_accounts_hinted and not ${found.newAccountsHinted},
      disconnect_settled_at = case when ${found.isDisconnectSettled} then ${run.disconnectsAt} else disconnect_settled_at end,
      disconnects_at = case when ${found.isDisconnectSettled} and disconnects_at = ${run.disconnectsAt} then null else disconnects_at end
    where user_id = ${run.userId} and publisher_id = ${run.publisherId} and link_id = ${run.linkId}
      and generation = ${run.generation}`
}

/** Records the error code that calls about the item fail with. Returns when the item began failing with that code. */
export async function markFault(reader: Reader, run: Item, code: string, now: Date): Promise<Date> {
  const [row] = await reader<{ since: Date }[]>`
    update linker_items set
      fault_since = case when fault = ${code} then fault_since else ${now}::timestamptz end, fault = ${code}
    where user_id = ${run.userId} and publisher_id = ${run.publisherId} and link_id = ${run.linkId}
      and generation = ${run.generation}
    returning fault_since as since`
  return row?.since ?? now
}

/** Counts the items of the same provider account that are failing with one of these codes, up to a limit. */
export async function countAtFault(
  reader: Reader,
  { publisherId, owner, environment }: Pick<Item, 'publisherId' | 'owner' | 'environment'>,
  codes: readonly string[],
  limit: number,
): Promise<number> {
  // all publishers: they share the service's account of their environment
  const [row] = await reader<{ count: number }[]>`
    select count(*)::integer as count from (
      select 1 from linker_items join publishers using (publisher_id)
      where fault = any(${codes as string[]}::text[]) and owner = ${owner} and environment = ${environment}
        and (owner = 'service' or publisher_id = ${publisherId})
      limit ${limit}
    ) counted`
  return row?.count ?? 0
}

type FeedFreshness = {
  readonly linked: number
  readonly readLately: number
  readonly neverRead: number
  readonly oldestReadAt: Date | null
}

/**
 * Counts the feeds of linked logins that have been read since an instant. Scans an index of all logins, which takes
 * about 60 ms per million.
 * @param publisherId null for all publishers
 */
export async function findFeedFreshness(
  reader: Reader,
  publisherId: PublisherId | null,
  since: Date,
): Promise<FeedFreshness> {
  const [row] = await reader<[FeedFreshness]>`
    -- all publishers: all users: the operators' overview
    select count(*)::integer as linked, count(*) filter (where synced_at >= ${since})::integer as read_lately,
      count(*) filter (where synced_at is null)::integer as never_read, min(synced_at) as oldest_read_at
    from linker_items
    ${publisherId === null ? reader`` : reader`where publisher_id = ${publisherId}`}`
  return row
}
