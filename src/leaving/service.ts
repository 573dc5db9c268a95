import { openBook } from '../ledger/index.ts'
import type { Reader, Tx } from '../platform/database.ts'
import { decodeId, newUuid, userIdOf } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Publisher } from '../publishers/index.ts'
import { deactivateUser, getUser, lockUser } from '../users/index.ts'
import { renameUser } from './erase-queries.ts'
import type { Erasure } from './erasure.ts'
import type { LeavingRefusal } from './errors.ts'
import * as queries from './queries.ts'

type Asked = {
  readonly publisherUserId: string
  /** The same once more. */
  readonly confirm: string
  /** The key with which it is asked for, or the person; `portal`: the user asks there. */
  readonly by: string
}

/**
 * Orders the erasure of a user, who is deactivated and has the pseudonym from then on; the worker does the rest. What
 * the user has earned stays in the ledger under the pseudonym. Asking again returns the same erasure.
 * @throws Refusal user_not_found, erasure_unconfirmed, redemption_under_way, order_under_way
 */
export async function requestErasure(tx: Tx, publisher: Publisher, asked: Asked, now: Date): Promise<Erasure> {
  const { publisherUserId, confirm, by } = asked
  const userId = userIdOf(publisher.id, publisherUserId)
  // Otherwise two requests at once would both find no erasure, and the second a user deactivated by the first.
  await lockUser(tx, publisher.id, userId)
  const known = await queries.findErasureOf(tx, publisher.id, userId)
  if (known !== null) return known
  const { status } = await getUser(tx, publisher, publisherUserId, now)
  if (confirm !== publisherUserId)
    throw refusal('erasure_unconfirmed', 'confirm must be the identifier in the address.', 'confirm')
  if (status !== 'INACTIVE') await deactivateUser(tx, publisher, publisherUserId, now, { pending: true })
  // Redemptions and orders of the user wait for this lock.
  await openBook(tx, publisher, [userId])
  refuseUnderWay(await queries.countUnderWay(tx, publisher.id, userId))
  const erasureId = newUuid<'erasure'>()
  const pseudonym = `erased-${newUuid()}`
  // Whoever still names the user finds nobody, so nothing begins that the erasure would cut in half.
  const users = await renameUser(tx, { publisherId: publisher.id, userId, pseudonym }, now)
  const ordered = { erasureId, userId, pseudonym, requestedAt: now, requestedBy: by, counts: { users } }
  return queries.insertErasure(tx, publisher.id, ordered)
}

function refuseUnderWay({ redemptions, orders }: queries.UnderWay): void {
  if (redemptions > 0)
    throw refusal('redemption_under_way', 'Money of this user is being paid out; wait for the outcome, or cancel it.')
  if (orders > 0)
    throw refusal('order_under_way', 'Gift cards of this user are being delivered or refunded; wait for the outcome.')
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
