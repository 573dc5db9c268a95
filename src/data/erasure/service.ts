import { openBook } from '../../ledger/index.ts'
import { announce, type Reader, type Tx } from '../../platform/db/database.ts'
import { decodeId, newUuid, toUserId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { deactivateUser, getUser, lockUser, USER_RENAMED } from '../../users/users/index.ts'
import { renameUser } from './erase-queries.ts'
import type { Erasure } from './erasure.ts'
import type { LeavingRefusal } from './errors.ts'
import * as queries from './queries.ts'

type Asked = {
  readonly publisherUserId: string
  /** The user's identifier again, as confirmation. */
  readonly confirm: string
  /** The API key or person requesting the erasure, or `portal` if the user requests it in the portal. */
  readonly by: string
}

/**
 * Requests the erasure of a user. The user is immediately deactivated and renamed to a pseudonym; the worker does the
 * rest. The user's earnings stay in the ledger under the pseudonym. A repeated request returns the same erasure.
 * @throws Refusal user_not_found, erasure_unconfirmed, redemption_under_way, order_under_way
 */
export async function requestErasure(tx: Tx, publisher: Publisher, asked: Asked, now: Date): Promise<Erasure> {
  const { publisherUserId, confirm, by } = asked
  const userId = toUserId(publisher.id, publisherUserId)
  // Without this lock, two concurrent requests would both find no erasure, and the second would find a user that the
  // first had deactivated.
  await lockUser(tx, publisher.id, userId)
  const known = await queries.findErasureByUser(tx, publisher.id, userId)
  if (known !== null) return known
  const { status } = await getUser(tx, publisher, publisherUserId, now)
  if (confirm !== publisherUserId)
    throw refusal('erasure_unconfirmed', 'confirm must match the identifier in the path.', 'confirm')
  if (status !== 'INACTIVE') await deactivateUser(tx, publisher, publisherUserId, now, { pending: true })
  // Blocks this user's redemptions and orders.
  await openBook(tx, publisher, [userId])
  refuseUnderWay(await queries.countUnderWay(tx, publisher.id, userId))
  const erasureId = newUuid<'erasure'>()
  const pseudonym = `erased-${newUuid()}`
  // From now on, the old identifier finds no user, so nothing that the erasure would interrupt can start.
  const users = await renameUser(tx, { publisherId: publisher.id, userId, pseudonym }, now)
  await announce(tx, USER_RENAMED)
  const ordered = { erasureId, userId, pseudonym, requestedAt: now, requestedBy: by, counts: { users } }
  return queries.insertErasure(tx, publisher.id, ordered)
}

function refuseUnderWay({ redemptions, orders }: queries.OpenErasure): void {
  if (redemptions > 0)
    throw refusal('redemption_under_way', 'A payout to this user is in progress. Wait for its outcome, or cancel it.')
  if (orders > 0)
    throw refusal('order_under_way', "This user's gift cards are being delivered or refunded. Wait for the outcome.")
}

/** @throws Refusal erasure_not_found */
export async function getErasure(reader: Reader, publisher: Publisher, text: string): Promise<Erasure> {
  const erasureId = decodeId<'erasure'>('era', text)
  const erasure = erasureId && (await queries.findErasure(reader, publisher.id, erasureId))
  if (erasure === null) throw refusal('erasure_not_found', 'There is no such erasure.')
  return erasure
}

function refusal(code: LeavingRefusal, text: string, field?: string): Refusal<LeavingRefusal> {
  return new Refusal<LeavingRefusal>(code, text, field === undefined ? {} : { field })
}
