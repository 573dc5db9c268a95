import { given, type Reader } from '../../platform/database.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import type { Room } from '../../platform/leased-work.ts'
import type { Item } from '../item-queries.ts'
import type { Removal } from '../links/removal-queries.ts'
import { CHECK_LEEWAY_MS, SYNC_LEEWAY_MS } from './bounds.ts'
import { ALL_OPERATIONS, SLOT_WAIT_MAX_MS } from './pacing.ts'

/** A claimed run on an item. Until the lease ends no other process works on the same. */
export type Run = Item & {
  readonly lease: string
  /** How often the run had been asked for at the time of the claim. */
  readonly requests: number
  readonly failures: number
  readonly heardAt: Date | null
}
export type SyncRun = Run & {
  /** Whether somebody or something asked for this run; otherwise it is a poll. */
  readonly asked: boolean
  readonly hintedAt: Date | null
  readonly lastUpdatedAt: Date | null
}
export type CheckRun = Run & {
  readonly consentEndsAt: Date | null
  readonly disconnectsAt: Date | null
  /** The code with which calls about the item fail, until its feed is read again. */
  readonly fault: string | null
}

const KINDS = {
  sync: { operation: 'transactions/sync', leewayMs: SYNC_LEEWAY_MS },
  check: { operation: 'item/get', leewayMs: CHECK_LEEWAY_MS },
} as const
export type RunKind = keyof typeof KINDS

const columns = (reader: Reader) => reader`
  i.publisher_id, i.user_id, i.link_id, owner, sealed_token, item_fingerprint as fingerprint, generation, cursor, heard_at`

/** All of one publisher when a caller waits for it; else what is due of any, as far as the pace of account and item allows. */
type Scope = PublisherId | null

/**
 * Whether a run may be claimed now. An item's pace may be ahead by the leeway; the items of an account wait while a call of
 * it would not get a slot.
 */
function isDue(reader: Reader, kind: RunKind, scope: Scope, now: Date) {
  const { operation, leewayMs } = KINDS[kind]
  const column = (name: string) => reader(`${kind}_${name}`)
  const isFree = reader`
    ${column('due_at')} <= ${now} and (${column('lease_until')} is null or ${column('lease_until')} <= ${now})`
  if (scope !== null) return reader`${isFree} and publisher_id = ${scope}`
  return reader`${isFree}
    and (${column('paced_until')} is null or ${column('paced_until')} <= ${new Date(now.getTime() + leewayMs)})
    and ${isAccountFree(reader, operation)}`
}

function isAccountFree(reader: Reader, operation: string) {
  return reader`
    case owner when 'service' then 'service' else publisher_id::text end <> all(array(
      select account from provider_pacing
      where (operation = ${ALL_OPERATIONS} and next_at > clock_timestamp())
        or (operation = ${operation} and next_at > clock_timestamp() + ${SLOT_WAIT_MAX_MS} * interval '1 ms')))`
}

export type SyncRoom = Room & {
  /** At most so many of one publisher, so that its slow items leave room for those of others. */
  readonly perPublisher: number
}

/**
 * Claims due syncs. Publishers share the room equally, counting what each has running already; within one, what was asked
 * for goes before polls.
 */
export async function claimSyncs(
  reader: Reader,
  scope: Scope,
  { free, held, perPublisher, now, leasedUntil }: SyncRoom,
): Promise<SyncRun[]> {
  const due = isDue(reader, 'sync', scope, now)
  const holdings = [...held].map(([publisherId, runs]) => ({ publisherId, runs }))
  // Twice the room, because other workers look at the same candidates. Ordered as the index is, so that not all are looked at.
  const candidates = (asked: boolean) => reader`
    select user_id, link_id, sync_asked, sync_due_at from linker_items
    where publisher_id = sharer.publisher_id and sync_asked = ${asked} and ${due}
    order by publisher_id, sync_asked, sync_due_at limit ${free * 2}`
  // all publishers: the worker takes whatever is due
  return reader<SyncRun[]>`
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
      left join ${given(reader, holdings, { publisherId: 'uuid', runs: 'int4' })} using (publisher_id)
      cross join lateral ((${candidates(true)}) union all (${candidates(false)})) item
      where sharer.publisher_id is not null
    )
    update linker_items i set sync_lease = gen_random_uuid(), sync_lease_until = ${leasedUntil}
    from (
      select user_id, link_id from linker_items join candidate using (user_id, link_id)
      where ${due} and place <= ${perPublisher}
      order by place, sync_due_at
      limit ${free}
      for update of linker_items skip locked
    ) due
    where i.user_id = due.user_id and i.link_id = due.link_id
    returning ${columns(reader)}, sync_lease as lease, sync_requests as requests, sync_failures as failures,
      sync_asked as asked, hinted_at, last_updated_at`
}

export async function claimChecks(reader: Reader, scope: Scope, { free, now, leasedUntil }: Room): Promise<CheckRun[]> {
  // all publishers: the worker takes whatever is due
  return reader<CheckRun[]>`
    update linker_items i set check_lease = gen_random_uuid(), check_lease_until = ${leasedUntil}
    from (
      select user_id, link_id from linker_items
      where ${isDue(reader, 'check', scope, now)}
      order by check_due_at
      limit ${free}
      for update skip locked
    ) due
    where i.user_id = due.user_id and i.link_id = due.link_id
    returning ${columns(reader)}, check_lease as lease, check_requests as requests, check_failures as failures,
      consent_ends_at, disconnects_at, fault`
}

export async function claimRemovals(
  reader: Reader,
  scope: Scope,
  { free, now, leasedUntil }: Room,
): Promise<Removal[]> {
  // all publishers: the worker takes whatever is due
  return reader<Removal[]>`
    update item_removals r set lease = gen_random_uuid(), lease_until = ${leasedUntil}
    from (
      select user_id, removal_id from item_removals
      where due_at <= ${now} and (lease_until is null or lease_until <= ${now})
        and ${scope === null ? isAccountFree(reader, 'item/remove') : reader`publisher_id = ${scope}`}
      order by due_at
      limit ${free}
      for update skip locked
    ) due
    where r.user_id = due.user_id and r.removal_id = due.removal_id
    returning r.publisher_id, r.user_id, r.removal_id, link_id, owner, sealed_token, item_fingerprint as fingerprint,
      failures, lease`
}

const LEASES = {
  sync: { table: 'linker_items', lease: 'sync_lease', until: 'sync_lease_until' },
  check: { table: 'linker_items', lease: 'check_lease', until: 'check_lease_until' },
  removal: { table: 'item_removals', lease: 'lease', until: 'lease_until' },
} as const

/**
 * Renews leases that still stand. Skips a row that another transaction holds, so that the rest need not wait: it is renewed the
 * next time, well before its lease ends. A renewal that arrives late, after a newer one, shortens no lease.
 */
export async function renewLeases(
  reader: Reader,
  kind: keyof typeof LEASES,
  jobs: readonly { readonly userId: UserId; readonly lease: string }[],
  leasedUntil: Date,
): Promise<void> {
  const { table, lease, until } = LEASES[kind]
  // all publishers: the jobs of this process
  await reader`
    update ${reader(table)} r set ${reader(until)} = greatest(r.${reader(until)}, ${leasedUntil})
    from (
      select found.user_id, found.${reader(lease)} as lease
      from ${given(reader, jobs, { userId: 'uuid', lease: 'uuid' })}
      join ${reader(table)} found on found.user_id = given.user_id and found.${reader(lease)} = given.lease
      for update of found skip locked
    ) held
    where r.user_id = held.user_id and r.${reader(lease)} = held.lease`
}
