import { type Reader, selectColumns, type Tx } from '../../platform/db/database.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import type { QueuedRow, RowQueue } from '../../platform/queue/row-queue.ts'
import { isMoving } from '../../tenants/publishers/index.ts'
import { BOUND_HOURS, ERASURE, type Erasure, type ErasureId } from './erasure.ts'

/** Unfinished erasures. Each job is one step with its own commit, so that erasures take turns. */
export const ERASURES: RowQueue = {
  name: 'erasures',
  table: 'erasures',
  key: 'user_id',
  retryMs: 60_000,
  isOpen: (reader) => reader`done_at is null`,
  isHeldBack: isMoving,
  // Leaves most of the database's capacity for other work.
  atOnce: 1,
}

export type QueuedErasure = QueuedRow & Pick<Erasure, 'publisherId' | 'userId'>

const columns = (reader: Reader) => reader`
  ${selectColumns(reader, 'erasures', ERASURE.columns)},
  case when done_at is null then 'under_way' else 'done' end as status,
  recorded_at + make_interval(hours => ${BOUND_HOURS}) as due_by`

type NewErasure = Pick<Erasure, 'erasureId' | 'userId' | 'pseudonym' | 'requestedAt' | 'requestedBy' | 'counts'>

/** Stores the erasure. The caller has locked the user. */
export async function insertErasure(tx: Tx, publisherId: PublisherId, erasure: NewErasure): Promise<Erasure> {
  const [row] = await tx<[Erasure]>`
    insert into erasures (user_id, erasure_id, publisher_id, pseudonym, requested_at, requested_by, counts)
    values (${erasure.userId}, ${erasure.erasureId}, ${publisherId}, ${erasure.pseudonym}, ${erasure.requestedAt},
      ${erasure.requestedBy}, ${tx.json(erasure.counts)})
    returning ${columns(tx)}`
  return row
}

export async function findErasureByUser(
  reader: Reader,
  publisherId: PublisherId,
  userId: UserId,
): Promise<Erasure | null> {
  const [row] = await reader<Erasure[]>`
    select ${columns(reader)} from erasures where user_id = ${userId} and publisher_id = ${publisherId}`
  return row ?? null
}

export async function findErasure(
  reader: Reader,
  publisherId: PublisherId,
  erasureId: ErasureId,
): Promise<Erasure | null> {
  const [row] = await reader<Erasure[]>`
    -- all users: a publisher names an erasure by its id
    select ${columns(reader)} from erasures where erasure_id = ${erasureId} and publisher_id = ${publisherId}`
  return row ?? null
}

/** Locks the erasure until the transaction ends. Returns null if it is already done. */
export async function lockOpenErasure(tx: Tx, publisherId: PublisherId, userId: UserId): Promise<Erasure | null> {
  const [row] = await tx<Erasure[]>`
    select ${columns(tx)} from erasures
    where user_id = ${userId} and publisher_id = ${publisherId} and done_at is null
    for update`
  return row ?? null
}

export async function saveSalt(tx: Tx, publisherId: PublisherId, userId: UserId, salt: Buffer): Promise<void> {
  await tx`update erasures set salt = ${salt} where user_id = ${userId} and publisher_id = ${publisherId}`
}

export async function saveCounts(tx: Tx, { publisherId, userId, counts }: Erasure): Promise<void> {
  await tx`
    update erasures set counts = ${tx.json(counts)} where user_id = ${userId} and publisher_id = ${publisherId}`
}

export async function markDone(tx: Tx, { publisherId, userId, doneAt, sha256 }: Erasure): Promise<void> {
  await tx`
    update erasures set done_at = ${doneAt}, sha256 = ${sha256}
    where user_id = ${userId} and publisher_id = ${publisherId}`
}

/** Counts of the user's redemptions and orders in progress. */
export type OpenErasure = { readonly redemptions: number; readonly orders: number }

export async function countUnderWay(reader: Reader, publisherId: PublisherId, userId: UserId): Promise<OpenErasure> {
  const [row] = await reader<[OpenErasure]>`
    select
      (select count(*)::int from redemptions
        where user_id = ${userId} and publisher_id = ${publisherId} and status in ('requested', 'approved', 'sent')
      ) as redemptions,
      (select count(*)::int from gift_cards
        where user_id = ${userId} and publisher_id = ${publisherId} and status in ('ordered', 'refunding')
      ) as orders`
  return row
}
