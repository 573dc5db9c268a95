import { asTable, type Reader, selectColumns, type Tx } from '../../platform/db/database.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import { selectPublisherUserId } from '../../users/users/index.ts'
import { DESTINATION, type StoredDestination } from './destination.ts'
import type { DestinationId } from './redemption.ts'

const columns = (reader: Reader) => reader`
  ${selectColumns(reader, 'payout_destinations', DESTINATION.columns)},
  ${selectPublisherUserId(reader, 'payout_destinations')}`

export async function findDestination(
  reader: Reader,
  publisherId: PublisherId,
  userId: UserId,
): Promise<StoredDestination | null> {
  const [row] = await reader<StoredDestination[]>`
    select ${columns(reader)} from payout_destinations
    where publisher_id = ${publisherId} and user_id = ${userId} and removed_at is null`
  return row ?? null
}

export async function hadDestination(reader: Reader, publisherId: PublisherId, userId: UserId): Promise<boolean> {
  const rows = await reader`
    select from payout_destinations where publisher_id = ${publisherId} and user_id = ${userId} limit 1`
  return rows.length > 0
}

/** Lists the destinations with these IDs, both current and removed ones. */
export async function listDestinations(
  reader: Reader,
  publisherId: PublisherId,
  userIds: readonly UserId[],
  destinationIds: readonly DestinationId[],
): Promise<StoredDestination[]> {
  return reader<StoredDestination[]>`
    select ${columns(reader)} from payout_destinations
    where publisher_id = ${publisherId} and user_id = any(${userIds as UserId[]}::uuid[])
      and destination_id = any(${destinationIds as DestinationId[]}::uuid[])`
}

export async function insertDestination(tx: Tx, row: StoredDestination): Promise<void> {
  await tx`insert into payout_destinations ${tx(row, ...DESTINATION.columns)}`
}

/** Removes and returns the users' current destinations, limited to `destinationIds` unless it is null. */
export async function removeDestinations(
  tx: Tx,
  publisherId: PublisherId,
  userIds: readonly UserId[],
  destinationIds: readonly DestinationId[] | null,
  now: Date,
): Promise<StoredDestination[]> {
  return tx<StoredDestination[]>`
    update payout_destinations set removed_at = ${now}
    where publisher_id = ${publisherId} and user_id = any(${userIds as UserId[]}::uuid[]) and removed_at is null
      ${destinationIds === null ? tx`` : tx`and destination_id = any(${destinationIds as DestinationId[]}::uuid[])`}
    returning ${columns(tx)}`
}

/** Destroys the details of removed destinations that no payout in progress uses. */
export async function forgetRemoved(tx: Tx, publisherId: PublisherId, userIds: readonly UserId[]): Promise<void> {
  await tx`
    update payout_destinations d set sealed_details = null
    where d.publisher_id = ${publisherId} and d.user_id = any(${userIds as UserId[]}::uuid[])
      and d.removed_at is not null and d.sealed_details is not null
      and not exists (
        select from redemptions r
        where r.user_id = d.user_id and r.destination_id = d.destination_id and r.status in ('requested', 'approved', 'sent')
      )`
}

/** Lists the next page of current destinations of a publisher's users, ordered by user. */
export async function listPresent(
  reader: Reader,
  publisherId: PublisherId,
  after: UserId,
  limit: number,
): Promise<StoredDestination[]> {
  return reader<StoredDestination[]>`
    -- all users: page by page
    select ${columns(reader)} from payout_destinations
    where publisher_id = ${publisherId} and user_id > ${after} and removed_at is null and sealed_details is not null
    order by user_id
    limit ${limit}`
}

export async function updateFingerprints(
  tx: Tx,
  publisherId: PublisherId,
  destinations: readonly Pick<StoredDestination, 'userId' | 'destinationId' | 'fingerprint'>[],
): Promise<void> {
  await tx`
    update payout_destinations d set fingerprint = given.fingerprint
    from ${asTable(tx, destinations, { userId: 'uuid', destinationId: 'uuid', fingerprint: 'bytea' })}
    where d.publisher_id = ${publisherId} and d.user_id = given.user_id and d.destination_id = given.destination_id`
}
