import { asTable, type Reader, type Tx } from '../../platform/db/database.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import type { LinkId, LinkKey } from '../../sources/cards/index.ts'
import type { Environment } from '../../tenants/publishers/index.ts'

/** The provider's side of a link. */
export type Item = {
  readonly publisherId: PublisherId
  readonly userId: UserId
  readonly linkId: LinkId
  /** The owner of the provider account that the item belongs to. */
  readonly owner: 'service' | 'publisher'
  /**
   * True if the publisher created the item and also has its token. The item's webhooks go to the publisher, and only
   * the publisher removes the item.
   */
  readonly isHandedOver: boolean
  /** The publisher's environment, which never changes. */
  readonly environment: Environment
  readonly sealedToken: Buffer
  readonly fingerprint: Buffer
  readonly generation: number
  readonly cursor: string | null
}
type StoredItem = Item & {
  /** True if a webhook announced accounts that the user has not been asked to share. */
  readonly newAccountsHinted: boolean
}

const columns = (reader: Reader) => reader`
  publisher_id, user_id, link_id, owner, sealed_token, item_fingerprint as fingerprint, generation, cursor,
  new_accounts_hinted, ${selectItemEnvironment(reader, 'linker_items')}, ${isHandedOver(reader, 'linker_items')}`

export function selectItemEnvironment(reader: Reader, table: string) {
  return reader`(
    select environment from publishers where publishers.publisher_id = ${reader(table)}.publisher_id) as environment`
}

export function isHandedOver(reader: Reader, table: string) {
  return reader`${handedOver(reader, table)} as is_handed_over`
}

function handedOver(reader: Reader, table: string) {
  return reader`exists (
    select 1 from handed_over_items h
    where h.publisher_id = ${reader(table)}.publisher_id and h.item_fingerprint = ${reader(table)}.item_fingerprint)`
}

export async function listItems(reader: Reader, publisherId: PublisherId, userId: UserId): Promise<StoredItem[]> {
  return reader<StoredItem[]>`
    select ${columns(reader)} from linker_items where user_id = ${userId} and publisher_id = ${publisherId}`
}

/** Filters out accounts whose consent the user has revoked since last choosing accounts. */
export async function filterRevoked<Account extends { readonly accountId: string }>(
  reader: Reader,
  publisherId: PublisherId,
  { userId, linkId }: LinkKey,
  accounts: readonly Account[],
): Promise<Account[]> {
  const [row] = await reader<{ revoked: string[] }[]>`
    select revoked_accounts as revoked from linker_items
    where user_id = ${userId} and publisher_id = ${publisherId} and link_id = ${linkId}`
  return accounts.filter(({ accountId }) => row?.revoked.includes(accountId) !== true)
}

type ItemHolder = Pick<Item, 'publisherId' | 'userId'>

/** Lists the users with a link to this item. */
export async function listHolders(reader: Reader, fingerprint: Buffer): Promise<ItemHolder[]> {
  // all publishers: an item in use must not be removed, whichever publisher uses it
  return reader<ItemHolder[]>`select publisher_id, user_id from linker_items where item_fingerprint = ${fingerprint}`
}

/** Stores a link's item, replacing any previous one. The new item's feed is read from the beginning. */
export async function putItem(
  tx: Tx,
  publisherId: PublisherId,
  item: Omit<Item, 'isHandedOver' | 'generation' | 'cursor' | 'publisherId' | 'environment'>,
  now: Date,
): Promise<void> {
  await tx`
    insert into linker_items (
      user_id, link_id, publisher_id, owner, sealed_token, item_fingerprint, sync_due_at, sync_asked, checked_at, heard_at)
    values (
      ${item.userId}, ${item.linkId}, ${publisherId}, ${item.owner}, ${item.sealedToken}, ${item.fingerprint}, ${now}, true,
      ${now}, ${now})
    on conflict (user_id, link_id) do update set
      owner = excluded.owner, sealed_token = excluded.sealed_token, item_fingerprint = excluded.item_fingerprint,
      generation = linker_items.generation + 1, cursor = null, sync_due_at = excluded.sync_due_at, sync_lease = null,
      sync_lease_until = null, sync_failures = 0, sync_requests = linker_items.sync_requests + 1,
      sync_asked = true, check_due_at = null, check_lease = null, check_lease_until = null, check_failures = 0, checked_at = excluded.checked_at,
      heard_at = excluded.heard_at, last_updated_at = null, consent_ends_at = null, disconnects_at = null,
      disconnect_settled_at = null, new_accounts_hinted = false, revoked_accounts = '{}', fault = null,
      fault_since = null`
}

/** Makes a run due. A run already in progress is followed by another. */
const requested = (reader: Reader, kind: 'sync' | 'check', now: Date) =>
  kind === 'sync'
    ? reader`sync_requests = sync_requests + 1, sync_asked = true, sync_due_at = least(sync_due_at, ${now})`
    : reader`check_requests = check_requests + 1, check_due_at = least(check_due_at, ${now})`

/** Stores the latest token of the same item and requests a sync and a check, because the user has just signed in. */
export async function refreshItem(
  tx: Tx,
  publisherId: PublisherId,
  item: Pick<Item, 'userId' | 'linkId' | 'sealedToken'>,
  now: Date,
): Promise<void> {
  await tx`
    update linker_items set
      sealed_token = ${item.sealedToken}, sync_failures = 0, new_accounts_hinted = false, revoked_accounts = '{}',
      ${requested(tx, 'sync', now)}, ${requested(tx, 'check', now)},
      disconnect_settled_at = coalesce(disconnects_at, disconnect_settled_at), disconnects_at = null
    where user_id = ${item.userId} and publisher_id = ${publisherId} and link_id = ${item.linkId}`
}

const selectKeys = (reader: Reader, links: readonly LinkKey[]) =>
  reader`(select user_id, link_id from ${asTable(reader, links, { userId: 'uuid', linkId: 'uuid' })})`

export async function deleteItems(tx: Tx, publisherId: PublisherId, links: readonly LinkKey[]): Promise<Item[]> {
  return tx<Item[]>`
    delete from linker_items where (user_id, link_id) in ${selectKeys(tx, links)} and publisher_id = ${publisherId}
    returning ${columns(tx)}`
}

/**
 * Requests a sync or a check of these logins. Takes a transaction because locking several items can deadlock, and
 * transactions are retried.
 */
export async function requestRuns(
  tx: Tx,
  publisherId: PublisherId,
  kind: 'sync' | 'check',
  links: readonly LinkKey[],
  now: Date,
): Promise<void> {
  await tx`
    update linker_items set ${requested(tx, kind, now)}
    where (user_id, link_id) in ${selectKeys(tx, links)} and publisher_id = ${publisherId}`
}

/**
 * Lists a page of the publisher's items, ordered by link. Skips items that the publisher handed over. Covers one user,
 * or all if `userId` is null.
 */
export async function listItemsNotHandedOver(
  reader: Reader,
  publisherId: PublisherId,
  { userId, after, limit }: { readonly userId: UserId | null; readonly after: LinkId | null; readonly limit: number },
): Promise<Item[]> {
  return reader<Item[]>`
    select ${columns(reader)} from linker_items
    where publisher_id = ${publisherId} and not ${handedOver(reader, 'linker_items')}
      ${userId === null ? reader`` : reader`and user_id = ${userId}`}
      ${after === null ? reader`` : reader`and link_id > ${after}`}
    order by link_id
    limit ${limit}`
}

/** Stores an item's new token with its link or, if it was unlinked in the meantime, among the items to remove. */
export async function updateToken(tx: Tx, publisherId: PublisherId, item: Item): Promise<void> {
  const { userId, linkId, sealedToken, fingerprint } = item
  await tx`
    update linker_items set sealed_token = ${sealedToken}
    where user_id = ${userId} and publisher_id = ${publisherId} and link_id = ${linkId}
      and item_fingerprint = ${fingerprint}`
  // Runs after the first statement, so any concurrent unlink has committed by now.
  await tx`
    update item_removals set sealed_token = ${sealedToken}
    where user_id = ${userId} and publisher_id = ${publisherId} and link_id = ${linkId}
      and item_fingerprint = ${fingerprint}`
}

/** Makes the next sync of these logins read from the beginning. A sync already in progress stores nothing. */
export async function forgetCursors(
  tx: Tx,
  publisherId: PublisherId,
  links: readonly LinkKey[],
  now: Date,
): Promise<number> {
  const { count } = await tx`
    update linker_items set
      cursor = null, ${requested(tx, 'sync', now)}, sync_failures = 0, sync_lease = null, sync_lease_until = null
    where (user_id, link_id) in ${selectKeys(tx, links)} and publisher_id = ${publisherId}`
  return count
}

/** Requests a sync and a check of the publisher's items, least recently synced first. See `requestRuns`. */
export async function requestByPublisher(tx: Tx, publisherId: PublisherId, limit: number, now: Date): Promise<void> {
  await tx`
    update linker_items set ${requested(tx, 'sync', now)}, ${requested(tx, 'check', now)}
    where publisher_id = ${publisherId} and (user_id, link_id) in (
      select user_id, link_id from linker_items
      where publisher_id = ${publisherId}
      order by synced_at nulls first, user_id, link_id
      limit ${limit})`
}

/** Returns true if one of the publisher's requested items is being read or is due to be read by `soon`. */
export async function isReading(reader: Reader, publisherId: PublisherId, soon: Date, now: Date): Promise<boolean> {
  const rows = await reader`
    select 1 from linker_items
    where publisher_id = ${publisherId} and sync_asked and (sync_lease_until > ${now} or sync_due_at <= ${soon})
    limit 1`
  return rows.length > 0
}

/**
 * Counts the publisher's requested items that have not been read since `askedAt`, including items that fail or are
 * still being read.
 */
export async function countUnread(reader: Reader, publisherId: PublisherId, askedAt: Date, now: Date): Promise<number> {
  const [row] = await reader<[{ count: number }]>`
    select count(*)::integer as count from linker_items
    where publisher_id = ${publisherId} and sync_asked
      and (synced_at is null or synced_at < ${askedAt} or fault is not null or sync_lease_until > ${now})`
  return row.count
}
