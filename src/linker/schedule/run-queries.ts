import type { Reader, Tx } from '../../platform/database.ts'
import type { PublisherId } from '../../platform/ids.ts'
import type { Item } from '../item-queries.ts'
import {
  CALL_TRIES_MAX,
  CHECK_EVERY_MS,
  CHECK_LEEWAY_MS,
  CHECK_PACE_MS,
  SYNC_GAP_MS,
  SYNC_LEEWAY_MS,
  SYNC_PACE_MS,
} from './bounds.ts'
import type { Room } from './pool.ts'

/** A claimed run: nobody else works on this link until the lease ends. */
export type SyncRun = Item & {
  readonly lease: string
  readonly requests: number
  readonly failures: number
  /** Whether somebody or something asked for this reading; otherwise it is a poll. */
  readonly asked: boolean
  readonly heardAt: Date | null
  readonly hintedAt: Date | null
  readonly lastUpdatedAt: Date | null
}
export type CheckRun = Item & {
  readonly requests: number
  readonly failures: number
  readonly heardAt: Date | null
  readonly consentEndsAt: Date | null
  readonly disconnectsAt: Date | null
  /** The code with which calls about the item fail, until its feed is read again. */
  readonly fault: string | null
}

const columns = (reader: Reader) => reader`
  i.publisher_id, i.user_id, i.link_id, owner, sealed_token,
  item_fingerprint as fingerprint, generation, cursor, heard_at`

export type SyncClaim = Room & {
  readonly leaseMs: number
  /** Accounts at the provider that are not to be used now. */
  readonly resting: readonly string[]
}

/**
 * Claims due syncs, of one publisher or of all. Publishers take turns, counting what each has under way already; within
 * one, what was asked for goes before what is merely polled.
 */
export async function claimSyncs(
  reader: Reader,
  publisherId: PublisherId | null,
  { free, underWay, perPublisher, leaseMs, resting }: SyncClaim,
  now: Date,
): Promise<SyncRun[]> {
  const isDue = reader`
    sync_due_at <= ${now} and (sync_lease_until is null or sync_lease_until <= ${now})
      and case owner when 'service' then 'service' else publisher_id::text end <> all(${resting as string[]}::text[])`
  // Several workers look at the same candidates and skip what another has just taken. Ordered as the index is: else all
  // items that are due would be looked at.
  const candidates = (asked: boolean) => reader`
    select user_id, link_id, sync_asked, sync_due_at from linker_items
    where publisher_id = sharer.publisher_id and sync_asked = ${asked} and ${isDue}
    order by publisher_id, sync_asked, sync_due_at limit ${free * 2}`
  // all publishers: the worker takes whatever is due
  return reader<SyncRun[]>`
    with recursive sharer (publisher_id) as (
      ${publisherId === null ? reader`(select publisher_id from linker_items order by publisher_id limit 1)` : reader`select ${publisherId}::uuid`}
      union all
      select (select i.publisher_id from linker_items i where i.publisher_id > sharer.publisher_id order by 1 limit 1)
      from sharer where sharer.publisher_id is not null and ${publisherId === null}
    ),
    candidate as (
      select user_id, link_id,
        coalesce(held, 0) + row_number() over (partition by publisher_id order by sync_asked desc, sync_due_at) as turn
      from sharer
      left join unnest(${[...underWay.keys()]}::uuid[], ${[...underWay.values()]}::integer[]) as busy (publisher_id, held)
        using (publisher_id)
      cross join lateral ((${candidates(true)}) union all (${candidates(false)})) item
      where sharer.publisher_id is not null
    )
    update linker_items i set sync_lease = gen_random_uuid(), sync_lease_until = ${new Date(now.getTime() + leaseMs)}
    from (
      select user_id, link_id from linker_items join candidate using (user_id, link_id)
      where ${isDue} and turn <= ${perPublisher}
      order by turn, sync_due_at
      limit ${free}
      for update of linker_items skip locked
    ) due
    where i.user_id = due.user_id and i.link_id = due.link_id
    returning ${columns(reader)}, sync_lease as lease, sync_requests as requests, sync_failures as failures,
      sync_asked as asked, hinted_at, last_updated_at`
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

export type SyncEnd = {
  readonly cursor: string | null
  readonly nextAt: Date
  /** Calls of the provider that the run took. */
  readonly calls: number
  readonly heardAt: Date | null
  /** The provider has nothing to read yet. */
  readonly isEarly: boolean
}

/**
 * Ends a run that went well; it is due again soon if another sync was asked for meanwhile. With it rides the question
 * how the login is, once a day.
 */
export async function finishSync(
  tx: Tx,
  publisherId: PublisherId,
  run: SyncRun,
  { cursor, nextAt, calls, heardAt, isEarly }: SyncEnd,
  now: Date,
): Promise<void> {
  const pacedUntil = tx`greatest(sync_paced_until, ${now}) + ${calls * SYNC_PACE_MS} * interval '1 millisecond'`
  await tx`
    update linker_items set
      cursor = ${cursor}, synced_at = ${now}, sync_failures = ${isEarly ? run.failures + 1 : 0}, sync_lease = null,
      sync_lease_until = null, heard_at = ${heardAt}, fault = null, fault_since = null,
      sync_paced_until = ${pacedUntil}, sync_asked = sync_requests <> ${run.requests},
      sync_due_at = case when sync_requests = ${run.requests} then ${nextAt}::timestamptz else
        greatest(${new Date(now.getTime() + SYNC_GAP_MS)}, ${pacedUntil} - ${SYNC_LEEWAY_MS} * interval '1 millisecond') end,
      check_due_at = ${orDaily(tx, now)}
    where user_id = ${run.userId} and publisher_id = ${publisherId} and link_id = ${run.linkId} and sync_lease = ${run.lease}`
}

export type SyncFailure = {
  readonly nextAt: Date
  readonly calls: number
  /** Not the item's fault: the run counts as not made. */
  readonly isPostponed: boolean
}

/** Ends a run that failed, to be tried again later; not sooner than the calls allow that it may have made. */
export async function failSync(
  reader: Reader,
  publisherId: PublisherId,
  run: SyncRun,
  { nextAt, calls, isPostponed }: SyncFailure,
  now: Date,
): Promise<void> {
  const made = isPostponed ? calls : calls + CALL_TRIES_MAX - 1
  const pacedUntil = reader`greatest(sync_paced_until, ${now}) + ${made * SYNC_PACE_MS} * interval '1 millisecond'`
  await reader`
    update linker_items set
      sync_failures = sync_failures + ${isPostponed ? 0 : 1}, sync_lease = null, sync_lease_until = null,
      sync_paced_until = ${pacedUntil},
      sync_due_at = greatest(${nextAt}, ${pacedUntil} - ${SYNC_LEEWAY_MS} * interval '1 millisecond'),
      check_due_at = ${orDaily(reader, now)}
    where user_id = ${run.userId} and publisher_id = ${publisherId} and link_id = ${run.linkId} and sync_lease = ${run.lease}`
}

function orDaily(reader: Reader, now: Date) {
  const before = new Date(now.getTime() - CHECK_EVERY_MS)
  return reader`coalesce(check_due_at, case when checked_at is null or checked_at <= ${before} then ${now}::timestamptz end)`
}

export async function claimChecks(
  reader: Reader,
  publisherId: PublisherId | null,
  {
    limit,
    leaseMs,
    resting,
  }: { readonly limit: number; readonly leaseMs: number; readonly resting: readonly string[] },
  now: Date,
): Promise<CheckRun[]> {
  // all publishers: the worker takes whatever is due
  return reader<CheckRun[]>`
    update linker_items i set check_lease_until = ${new Date(now.getTime() + leaseMs)}
    from (
      select user_id, link_id from linker_items
      where check_due_at <= ${now} and (check_lease_until is null or check_lease_until <= ${now})
        and case owner when 'service' then 'service' else publisher_id::text end <> all(${resting as string[]}::text[])
        ${publisherId === null ? reader`` : reader`and publisher_id = ${publisherId}`}
      order by check_due_at
      limit ${limit}
      for update skip locked
    ) due
    where i.user_id = due.user_id and i.link_id = due.link_id
    returning ${columns(reader)}, check_requests as requests, check_failures as failures,
      consent_ends_at, disconnects_at, fault`
}

/** What the provider said of an item that could be asked. */
export async function markChecked(
  tx: Tx,
  publisherId: PublisherId,
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
    where user_id = ${run.userId} and publisher_id = ${publisherId} and link_id = ${run.linkId}
      and generation = ${run.generation}`
}

export type CheckEnd = {
  /** Null when it is done. */
  readonly retryAt: Date | null
  readonly isPostponed: boolean
}

/** Ends a check: done unless another was asked for meanwhile, or to be tried again. */
export async function finishCheck(
  reader: Reader,
  publisherId: PublisherId,
  run: CheckRun,
  { retryAt, isPostponed }: CheckEnd,
  now: Date,
): Promise<void> {
  const made = retryAt === null || isPostponed ? 1 : CALL_TRIES_MAX
  const pacedUntil = reader`greatest(check_paced_until, ${now}) + ${made * CHECK_PACE_MS} * interval '1 millisecond'`
  const dueAgain = reader`greatest(${now}, ${pacedUntil} - ${CHECK_LEEWAY_MS} * interval '1 millisecond')`
  const failures = retryAt === null ? 0 : isPostponed ? run.failures : run.failures + 1
  await reader`
    update linker_items set
      check_lease_until = null, check_failures = ${failures}, check_paced_until = ${pacedUntil},
      check_due_at = case
        when check_requests <> ${run.requests} then ${dueAgain}
        when ${retryAt}::timestamptz is not null then greatest(${retryAt}::timestamptz, ${dueAgain}) end
    where user_id = ${run.userId} and publisher_id = ${publisherId} and link_id = ${run.linkId}
      and generation = ${run.generation}`
}

/** Notes with which code calls about the item fail; answers since when they do. */
export async function noteFault(
  reader: Reader,
  publisherId: PublisherId,
  run: Item,
  code: string,
  now: Date,
): Promise<Date> {
  const [row] = await reader<{ since: Date }[]>`
    update linker_items set
      fault_since = case when fault = ${code} then fault_since else ${now}::timestamptz end, fault = ${code}
    where user_id = ${run.userId} and publisher_id = ${publisherId} and link_id = ${run.linkId}
      and generation = ${run.generation}
    returning fault_since as since`
  return row?.since ?? now
}

/** How many items under the same account at the provider fail with one of these codes; counted up to a limit. */
export async function countAtFault(
  reader: Reader,
  publisherId: PublisherId,
  owner: Item['owner'],
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
