import { asTable, type Reader, type Tx } from '../../../platform/db/database.ts'
import type { PublisherId, UserId } from '../../../platform/ids.ts'
import type { Capacity } from '../../../platform/queue/leased-work.ts'
import type { LinkId } from '../../../sources/cards/index.ts'
import { isMoving } from '../../../tenants/publishers/index.ts'
import { type Item, isHandedOver, selectItemEnvironment } from '../item-queries.ts'
import { ALL_OPERATIONS, SLOT_WAIT_MAX_MS } from './pacing-queries.ts'
import {
  CALL_TRIES_MAX,
  CHECK_EVERY_MS,
  CHECK_LEEWAY_MS,
  CHECK_PACE_MS,
  SYNC_GAP_MS,
  SYNC_LEEWAY_MS,
  SYNC_PACE_MS,
} from './timing.ts'

/** A claimed run on an item. Until the lease ends, no other process does the same kind of work on it. */
export type Run = Item & {
  readonly lease: string
  /** The number of requests for this run at the time of the claim. */
  readonly requests: number
  readonly failures: number
  readonly heardAt: Date | null
}
export type SyncRun = Run & {
  /** True if the run was requested, false if it is a poll. */
  readonly asked: boolean
  readonly hintedAt: Date | null
  readonly lastUpdatedAt: Date | null
}
export type CheckRun = Run & {
  readonly consentEndsAt: Date | null
  readonly disconnectsAt: Date | null
  /** The error code that calls about the item fail with, kept until its feed is read again. */
  readonly fault: string | null
  readonly faultSince: Date | null
}

/** An item to be removed at the provider. */
export type Removal = Omit<Item, 'isHandedOver' | 'generation' | 'cursor'> & {
  readonly removalId: string
  readonly failures: number
  readonly lease: string
}

/** A link token that lets a user finish a link in a browser, without the publisher's app. */
export type HostedLink = Pick<
  Item,
  'publisherId' | 'userId' | 'owner' | 'environment' | 'sealedToken' | 'fingerprint'
> & {
  /** Also the link id under which the token is sealed. */
  readonly hostedId: LinkId
  readonly expiresAt: Date
  readonly failures: number
  readonly lease: string
}

const ITEMS = { table: 'linker_items', key: 'link_id', fingerprint: 'item_fingerprint' } as const
const KINDS = {
  sync: { ...ITEMS, prefix: 'sync_', operation: 'transactions/sync', leewayMs: SYNC_LEEWAY_MS, paceMs: SYNC_PACE_MS },
  check: { ...ITEMS, prefix: 'check_', operation: 'item/get', leewayMs: CHECK_LEEWAY_MS, paceMs: CHECK_PACE_MS },
  removal: {
    table: 'item_removals',
    key: 'removal_id',
    fingerprint: 'item_fingerprint',
    prefix: '',
    operation: 'item/remove',
    leewayMs: null,
  },
  hosted: {
    table: 'hosted_links',
    key: 'hosted_id',
    fingerprint: 'token_fingerprint',
    prefix: '',
    operation: 'link/token/get',
    leewayMs: null,
  },
} as const
type WorkKind = keyof typeof KINDS
export type RunKind = Exclude<WorkKind, 'removal' | 'hosted'>

/**
 * The publisher whose rows a caller is waiting for, ignoring the pace; null for all due rows, within the pace of
 * account and item.
 */
type RunScope = PublisherId | null

function createColumns(reader: Reader, kind: WorkKind) {
  return (name: string) => reader(`${KINDS[kind].prefix}${name}`)
}

/**
 * Builds the condition for a row to be claimed now. An item may run ahead of its pace by up to the leeway. The rows of
 * an account wait while a call under it would not get a slot.
 */
function isDue(reader: Reader, kind: WorkKind, scope: RunScope, now: Date) {
  const { operation, leewayMs } = KINDS[kind]
  const column = createColumns(reader, kind)
  const isFree = reader`
    ${column('due_at')} <= ${now} and (${column('lease_until')} is null or ${column('lease_until')} <= ${now})`
  if (scope !== null) return reader`${isFree} and publisher_id = ${scope}`
  const pacedBefore = new Date(now.getTime() + (leewayMs ?? 0))
  const isInPace = reader`and (${column('paced_until')} is null or ${column('paced_until')} <= ${pacedBefore})`
  const isPaused = reader`(
    (operation = ${ALL_OPERATIONS} and next_at > clock_timestamp())
    or (operation = ${operation} and next_at > clock_timestamp() + ${SLOT_WAIT_MAX_MS} * interval '1 ms'))`
  // all publishers: the worker takes all due work
  return reader`${isFree} and not ${isMoving(reader)} ${leewayMs === null ? reader`` : isInPace}
    and case owner
      when 'service' then publisher_id <> all(array(
        select p.publisher_id from provider_pacing join publishers p on p.environment = account where ${isPaused}))
      else publisher_id::text <> all(array(select account from provider_pacing where ${isPaused})) end`
}

type Fragment = ReturnType<typeof asTable>

/** Builds the update that leases the chosen rows. */
function lease(reader: Reader, kind: WorkKind, leasedUntil: Date, chosen: Fragment) {
  const { table, key, fingerprint } = KINDS[kind]
  const column = createColumns(reader, kind)
  return reader`
    update ${reader(table)} i set ${column('lease')} = gen_random_uuid(), ${column('lease_until')} = ${leasedUntil}
    from (${chosen}) due
    where i.user_id = due.user_id and i.${reader(key)} = due.${reader(key)}
    returning i.publisher_id, i.user_id, i.${reader(key)}, ${column('lease')} as lease, ${column('failures')} as failures,
      i.owner, i.sealed_token, i.${reader(fingerprint)} as fingerprint, ${selectItemEnvironment(reader, 'i')}`
}

/** Selects the rows that have been due longest. */
function firstDue(reader: Reader, kind: WorkKind, scope: RunScope, { free, now }: Capacity) {
  const { table, key } = KINDS[kind]
  return reader`
    select user_id, ${reader(key)} from ${reader(table)}
    where ${isDue(reader, kind, scope, now)}
    order by ${createColumns(reader, kind)('due_at')}
    limit ${free}
    for update skip locked`
}

type SyncCapacity = Capacity & {
  /** The maximum number of concurrent runs per publisher, so that its slow items leave room for other publishers. */
  readonly perPublisher: number
}

/**
 * Claims due syncs. Publishers share the capacity equally, including the runs each already has in progress. Within a
 * publisher, requested syncs go before polls. The recursion finds the publishers by index lookups, because `distinct`
 * would read every row.
 */
export async function claimSyncs(
  reader: Reader,
  scope: RunScope,
  { free, held, perPublisher, now, leasedUntil }: SyncCapacity,
): Promise<SyncRun[]> {
  const due = isDue(reader, 'sync', scope, now)
  const holdings = [...held].map(([publisherId, runs]) => ({ publisherId, runs }))
  // Twice the capacity, because other workers claim the same candidates. The order matches the index, so few rows are
  // read.
  const candidates = (asked: boolean) => reader`
    select user_id, link_id, sync_asked, sync_due_at from linker_items
    where publisher_id = sharer.publisher_id and sync_asked = ${asked} and ${due}
    order by publisher_id, sync_asked, sync_due_at limit ${free * 2}`
  // all publishers: the worker takes all due work
  const chosen = reader`
    select user_id, link_id from linker_items join candidate using (user_id, link_id)
    where ${due} and place <= ${perPublisher}
    order by place, sync_due_at
    limit ${free}
    for update of linker_items skip locked`
  // all publishers: the worker takes all due work
  return reader<SyncRun[]>`
    -- all users: the worker takes all due work
    with recursive sharer (publisher_id) as (
      ${scope === null ? reader`(select publisher_id from linker_items order by publisher_id limit 1)` : reader`select ${scope}::uuid`}
      union all
      select (select i.publisher_id from linker_items i where i.publisher_id > sharer.publisher_id order by 1 limit 1)
      from sharer where sharer.publisher_id is not null and ${scope === null}
    ),
    candidate as (
      select user_id, link_id,
        coalesce(runs, 0) + row_number() over (partition by publisher_id order by sync_asked desc, sync_due_at) as place
      from sharer
      left join ${asTable(reader, holdings, { publisherId: 'uuid', runs: 'int4' })} using (publisher_id)
      cross join lateral ((${candidates(true)}) union all (${candidates(false)})) item
      where sharer.publisher_id is not null
    )
    ${lease(reader, 'sync', leasedUntil, chosen)},
      ${isHandedOver(reader, 'i')}, generation, cursor, heard_at, sync_requests as requests, sync_asked as asked, hinted_at, last_updated_at`
}

export async function claimChecks(reader: Reader, scope: RunScope, capacity: Capacity): Promise<CheckRun[]> {
  return reader<CheckRun[]>`
    ${lease(reader, 'check', capacity.leasedUntil, firstDue(reader, 'check', scope, capacity))},
      ${isHandedOver(reader, 'i')}, generation, cursor, heard_at, check_requests as requests, consent_ends_at, disconnects_at, fault, fault_since`
}

export async function claimRemovals(reader: Reader, scope: RunScope, capacity: Capacity): Promise<Removal[]> {
  return reader<Removal[]>`
    ${lease(reader, 'removal', capacity.leasedUntil, firstDue(reader, 'removal', scope, capacity))}, i.link_id`
}

export async function claimHostedLinks(reader: Reader, scope: RunScope, capacity: Capacity): Promise<HostedLink[]> {
  return reader<HostedLink[]>`
    ${lease(reader, 'hosted', capacity.leasedUntil, firstDue(reader, 'hosted', scope, capacity))},
      i.hosted_id, i.expires_at`
}

/**
 * Renews the leases that these jobs still hold. Rows locked by another transaction are skipped, so that they do not
 * delay the others. A skipped lease is renewed next time, before it expires. A renewal that arrives after a newer one
 * does not shorten the lease.
 */
export async function renewLeases(
  reader: Reader,
  kind: WorkKind,
  jobs: readonly { readonly userId: UserId; readonly lease: string }[],
  leasedUntil: Date,
): Promise<void> {
  const { table } = KINDS[kind]
  const column = createColumns(reader, kind)
  // all publishers: the jobs of this process
  await reader`
    update ${reader(table)} r set ${column('lease_until')} = greatest(r.${column('lease_until')}, ${leasedUntil})
    from (
      select found.user_id, found.${column('lease')} as lease
      from ${asTable(reader, jobs, { userId: 'uuid', lease: 'uuid' })}
      join ${reader(table)} found on found.user_id = given.user_id and found.${column('lease')} = given.lease
      for update of found skip locked
    ) held
    where r.user_id = held.user_id and r.${column('lease')} = held.lease`
}

export type Release = {
  /** When the next run is due; null if only a request makes it due. */
  readonly dueAt: Date | null
  /** The number of provider calls that the run made. */
  readonly calls: number
  /**
   * - done: the run did its work
   * - failed: because of the item; the last call may have been retried several times
   * - postponed: not because of the item, so the run is not counted as a failure
   */
  readonly ended: 'done' | 'failed' | 'postponed'
  readonly failures: number
}

/**
 * Releases a lease and charges the run's calls to the item's pace. A run that was requested again in the meantime is
 * due soon, but a postponed run is not, because the provider would refuse it again. A sync also makes the daily check
 * due. Does nothing if the lease was lost.
 */
export async function releaseRun(
  reader: Reader,
  kind: RunKind,
  run: Run,
  { dueAt, calls, ended, failures }: Release,
  now: Date,
): Promise<void> {
  const { paceMs } = KINDS[kind]
  const column = createColumns(reader, kind)
  const chargedMs = (ended === 'failed' ? calls + CALL_TRIES_MAX - 1 : calls) * paceMs
  const soon = new Date(now.getTime() + (kind === 'sync' ? SYNC_GAP_MS : 0))
  const checkedBefore = new Date(now.getTime() - CHECK_EVERY_MS)
  const dailyCheck = reader`, check_due_at = coalesce(
    check_due_at, case when checked_at is null or checked_at <= ${checkedBefore} then ${now}::timestamptz end)`
  await reader`
    update linker_items set
      ${column('lease')} = null, ${column('lease_until')} = null, ${column('failures')} = ${failures},
      ${column('paced_until')} = greatest(${column('paced_until')}, ${now}) + ${chargedMs} * interval '1 ms',
      ${column('due_at')} = case
        when ${ended !== 'postponed'} and ${column('requests')} <> ${run.requests} then ${soon}::timestamptz
        else ${dueAt}::timestamptz end
      ${kind === 'sync' ? dailyCheck : reader``}
    where user_id = ${run.userId} and publisher_id = ${run.publisherId} and link_id = ${run.linkId}
      and ${column('lease')} = ${run.lease}`
}

/**
 * Locks the item for the commit of a sync. Returns false if the run lost its lease or the item has changed since the
 * claim.
 */
export async function lockRun(tx: Tx, run: SyncRun): Promise<boolean> {
  const rows = await tx`
    select 1 from linker_items
    where user_id = ${run.userId} and publisher_id = ${run.publisherId} and link_id = ${run.linkId}
      and sync_lease = ${run.lease} and generation = ${run.generation} and cursor is not distinct from ${run.cursor}
    for update`
  return rows.length === 1
}

/**
 * Stores the feed's new cursor and records that calls about the item succeed. The caller must hold the lock from
 * lockRun.
 */
export async function markRead(
  tx: Tx,
  run: SyncRun,
  { cursor, heardAt }: Pick<Run, 'cursor' | 'heardAt'>,
  now: Date,
): Promise<void> {
  await tx`
    update linker_items set
      cursor = ${cursor}, synced_at = ${now}, heard_at = ${heardAt}, fault = null, fault_since = null,
      sync_asked = sync_requests <> ${run.requests}
    where user_id = ${run.userId} and publisher_id = ${run.publisherId} and link_id = ${run.linkId}`
}
