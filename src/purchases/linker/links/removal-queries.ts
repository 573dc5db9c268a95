import { asTable, type Reader, type Tx } from '../../../platform/db/database.ts'
import { newUuid, type PublisherId } from '../../../platform/ids.ts'
import { selectItemEnvironment } from '../item-queries.ts'
import type { Removal } from '../schedule/run-queries.ts'

/** Queues items that no link uses anymore for removal, except handed-over items, which the publisher removes. */
export async function insertRemovals(
  reader: Reader,
  publisherId: PublisherId,
  removals: readonly Pick<Removal, 'userId' | 'linkId' | 'owner' | 'sealedToken' | 'fingerprint'>[],
  dueAt: Date,
): Promise<void> {
  const rows = removals.map((removal) => ({ ...removal, removalId: newUuid() }))
  await reader`
    insert into item_removals (user_id, removal_id, publisher_id, link_id, owner, sealed_token, item_fingerprint, due_at)
    select user_id, removal_id, ${publisherId}, link_id, owner, sealed_token, fingerprint, ${dueAt}
    from ${asTable(reader, rows, {
      userId: 'uuid',
      removalId: 'uuid',
      linkId: 'uuid',
      owner: 'plain',
      sealedToken: 'bytea',
      fingerprint: 'bytea',
    })}
    where not exists (
      select 1 from handed_over_items
      where publisher_id = ${publisherId} and item_fingerprint = fingerprint)`
}

/**
 * Records an item of the publisher's own account whose token the publisher also has, so only the publisher removes it.
 */
export async function insertHandedOver(tx: Tx, publisherId: PublisherId, fingerprint: Buffer): Promise<void> {
  await tx`
    insert into handed_over_items (publisher_id, item_fingerprint)
    values (${publisherId}, ${fingerprint})
    on conflict do nothing`
}

export async function wasHandedOver(reader: Reader, publisherId: PublisherId, fingerprint: Buffer): Promise<boolean> {
  const rows = await reader`
    select 1 from handed_over_items where publisher_id = ${publisherId} and item_fingerprint = ${fingerprint}`
  return rows.length > 0
}

/** Makes the removal of an item due, because it will not be linked after all. */
export async function makeRemovalDue(
  tx: Tx,
  publisherId: PublisherId,
  { userId, fingerprint }: Pick<Removal, 'userId' | 'fingerprint'>,
  dueAt: Date,
): Promise<void> {
  await tx`
    update item_removals set due_at = least(due_at, ${dueAt})
    where user_id = ${userId} and publisher_id = ${publisherId} and item_fingerprint = ${fingerprint}`
}

/**
 * Postpones the removal of an item that may still be linked. Returns null if the removal is in progress, done or due.
 */
export async function postponeRemoval(
  reader: Reader,
  publisherId: PublisherId,
  { userId, fingerprint }: Pick<Removal, 'userId' | 'fingerprint'>,
  dueAt: Date,
  now: Date,
): Promise<Pick<Removal, 'publisherId' | 'userId' | 'linkId' | 'owner' | 'environment' | 'sealedToken'> | null> {
  const [row] = await reader<Removal[]>`
    update item_removals set due_at = greatest(due_at, ${dueAt})
    where user_id = ${userId} and publisher_id = ${publisherId} and item_fingerprint = ${fingerprint}
      and due_at > ${now} and failures = 0
    returning publisher_id, user_id, link_id, owner, sealed_token, ${selectItemEnvironment(reader, 'item_removals')}`
  return row ?? null
}

/** Destroys the token of a completed removal. A later removal of the same item has its own token. */
export async function endRemoval(reader: Reader, removal: Removal): Promise<void> {
  await reader`
    delete from item_removals
    where user_id = ${removal.userId} and publisher_id = ${removal.publisherId} and removal_id = ${removal.removalId}`
}

/** Destroys the token, because the item is in use after all or must not be removed. */
export async function deleteRemoval(
  reader: Reader,
  publisherId: PublisherId,
  { userId, fingerprint }: Pick<Removal, 'userId' | 'fingerprint'>,
): Promise<void> {
  await reader`
    delete from item_removals
    where user_id = ${userId} and publisher_id = ${publisherId} and item_fingerprint = ${fingerprint}`
}

export async function failRemoval(reader: Reader, removal: Removal, dueAt: Date): Promise<void> {
  await reader`
    update item_removals set failures = failures + 1, lease = null, lease_until = null, due_at = ${dueAt}
    where user_id = ${removal.userId} and publisher_id = ${removal.publisherId} and removal_id = ${removal.removalId}
      and lease = ${removal.lease}`
}
