import type { LinkId } from '../../cards/index.ts'
import type { Reader, Tx } from '../../platform/database.ts'
import { newUuid, type PublisherId, type UserId } from '../../platform/ids.ts'
import type { Item } from '../item-queries.ts'

/** An item that is to be removed at the provider. */
export type Removal = {
  readonly publisherId: PublisherId
  readonly userId: UserId
  readonly removalId: string
  readonly linkId: LinkId
  readonly owner: Item['owner']
  readonly sealedToken: Buffer
  readonly fingerprint: Buffer
  readonly failures: number
}

export async function insertRemovals(
  reader: Reader,
  publisherId: PublisherId,
  removals: readonly Pick<Removal, 'userId' | 'linkId' | 'owner' | 'sealedToken' | 'fingerprint'>[],
  dueAt: Date,
): Promise<void> {
  await reader`
    insert into item_removals (user_id, removal_id, publisher_id, link_id, owner, sealed_token, item_fingerprint, due_at)
    select user_id, removal_id, ${publisherId}, link_id, owner, decode(sealed_token, 'hex'), decode(item_fingerprint, 'hex'), ${dueAt}
    from unnest(
      ${removals.map((one) => one.userId)}::uuid[], ${removals.map(() => newUuid())}::uuid[],
      ${removals.map((one) => one.linkId)}::uuid[], ${removals.map((one) => one.owner)}::text[], ${removals.map((one) => one.sealedToken.toString('hex'))}::text[],
      ${removals.map((one) => one.fingerprint.toString('hex'))}::text[]
    ) as given (user_id, removal_id, link_id, owner, sealed_token, item_fingerprint)`
}

/** Puts the items of links that end here, except for those that the publisher handed over: it has their tokens. */
export async function insertRemovalsOf(
  tx: Tx,
  publisherId: PublisherId,
  items: readonly Item[],
  dueAt: Date,
): Promise<void> {
  if (items.length === 0) return
  const fingerprints = items.map((item) => item.fingerprint.toString('hex'))
  const rows = await tx<{ fingerprint: string }[]>`
    select encode(item_fingerprint, 'hex') as fingerprint from handed_over_items
    where publisher_id = ${publisherId}
      and item_fingerprint in (select decode(given, 'hex') from unnest(${fingerprints}::text[]) as given)`
  const handedOver = new Set(rows.map((row) => row.fingerprint))
  const ours = items.filter((item) => item.owner === 'service' || !handedOver.has(item.fingerprint.toString('hex')))
  await insertRemovals(tx, publisherId, ours, dueAt)
}

/** The item that was put here ahead is not going to be stored. */
export async function hastenRemovals(
  tx: Tx,
  publisherId: PublisherId,
  userId: UserId,
  fingerprint: Buffer,
  dueAt: Date,
): Promise<void> {
  await tx`
    update item_removals set due_at = least(due_at, ${dueAt})
    where user_id = ${userId} and publisher_id = ${publisherId} and item_fingerprint = ${fingerprint}`
}

/** Puts off the removal of an item that was put here ahead; null when that is under way, or done, or due for another reason. */
export async function postponeRemoval(
  reader: Reader,
  publisherId: PublisherId,
  { userId, fingerprint }: Pick<Removal, 'userId' | 'fingerprint'>,
  dueAt: Date,
  now: Date,
): Promise<Pick<Removal, 'publisherId' | 'userId' | 'linkId' | 'owner' | 'sealedToken'> | null> {
  const [row] = await reader<Removal[]>`
    update item_removals set due_at = greatest(due_at, ${dueAt})
    where user_id = ${userId} and publisher_id = ${publisherId} and item_fingerprint = ${fingerprint}
      and due_at > ${now} and failures = 0
    returning publisher_id, user_id, link_id, owner, sealed_token`
  return row ?? null
}

/** The item is in use after all, or gone. */
export async function deleteRemovalsOf(
  tx: Tx,
  publisherId: PublisherId,
  userId: UserId,
  fingerprint: Buffer,
): Promise<void> {
  await tx`
    delete from item_removals
    where user_id = ${userId} and publisher_id = ${publisherId} and item_fingerprint = ${fingerprint}`
}

export async function claimRemovals(
  reader: Reader,
  publisherId: PublisherId | null,
  { limit, leaseMs }: { readonly limit: number; readonly leaseMs: number },
  now: Date,
): Promise<Removal[]> {
  // all publishers: the worker takes whatever is due
  return reader<Removal[]>`
    update item_removals r set lease_until = ${new Date(now.getTime() + leaseMs)}
    from (
      select user_id, removal_id from item_removals
      where due_at <= ${now} and (lease_until is null or lease_until <= ${now})
        ${publisherId === null ? reader`` : reader`and publisher_id = ${publisherId}`}
      order by due_at
      limit ${limit}
      for update skip locked
    ) due
    where r.user_id = due.user_id and r.removal_id = due.removal_id
    returning r.publisher_id, r.user_id, r.removal_id, link_id,
      owner, sealed_token, item_fingerprint as fingerprint, failures`
}

/** Destroys the token: the item is gone at the provider, or is not to be removed. */
export async function deleteRemoval(reader: Reader, publisherId: PublisherId, removal: Removal): Promise<void> {
  await reader`
    delete from item_removals
    where user_id = ${removal.userId} and publisher_id = ${publisherId} and removal_id = ${removal.removalId}`
}

export async function failRemoval(
  reader: Reader,
  publisherId: PublisherId,
  removal: Removal,
  nextAt: Date,
): Promise<void> {
  await reader`
    update item_removals set failures = failures + 1, lease_until = null, due_at = ${nextAt}
    where user_id = ${removal.userId} and publisher_id = ${publisherId} and removal_id = ${removal.removalId}`
}
