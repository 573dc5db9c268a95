import { recordEvents } from '../../events/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import type { PublisherId } from '../../platform/ids.ts'
import { listPublishers, type Publisher, publisherNow } from '../../tenants/publishers/index.ts'
import {
  advanceRollout,
  deleteRollout,
  findRequiredRank,
  listAllDocuments,
  listDocuments,
  lockRollout,
  selectBinding,
} from '../terms/index.ts'
import * as queries from './queries.ts'
import { buildUserEvent } from './service.ts'
import { readStatuses } from './status.ts'
import type { User } from './user.ts'

// Limits a transaction to a few hundred milliseconds.
const USERS_MAX = 500

/**
 * Announces `user.updated` for a batch of the users who became PENDING when a document became required. Only the
 * announcements are batched, because status is derived from the documents and changes for all users at once.
 * @returns true if there may be more
 */
export async function requireTerms(db: Database, publisher: Publisher, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    const rollout = await lockRollout(tx, publisher.id, now)
    if (rollout === null) return false
    const users = await queries.lockUsersAfter(tx, publisher.id, rollout, USERS_MAX)
    await announcePending(tx, publisher, users, rollout.requiredFrom, now)
    const last = users.at(-1)
    if (last === undefined) await deleteRollout(tx, publisher.id, rollout.documentId)
    else await advanceRollout(tx, publisher.id, { ...rollout, afterCreatedAt: last.createdAt, afterUser: last.userId })
    return true
  })
}

/**
 * Announces users who were ACTIVE until the document was required and are PENDING now. Other status changes are
 * announced by separate events.
 */
async function announcePending(
  tx: Tx,
  publisher: Publisher,
  users: readonly User[],
  requiredFrom: Date,
  now: Date,
): Promise<void> {
  const ids = users.map((user) => user.userId)
  const statuses = await readStatuses(tx, publisher.id, ids)
  const until = new Date(Math.floor(requiredFrom.getTime() / 1000) * 1000 - 1)
  const pending = ids.filter((id) => statuses.at(id, until) === 'ACTIVE' && statuses.at(id, now) === 'PENDING')
  const changed = new Map((await queries.touchUsers(tx, publisher.id, pending, now)).map((user) => [user.userId, user]))
  const events = users.flatMap((before) => {
    const user = changed.get(before.userId)
    if (user === undefined) return []
    return [buildUserEvent('user.updated', { user, status: 'PENDING' }, { user: before, status: 'ACTIVE' })]
  })
  await recordEvents(tx, publisher, events, now)
}

/** Counts these publishers' users who are ACTIVE now and would be PENDING until they accept a new document. */
export async function countActive(reader: Reader, publisherIds: readonly PublisherId[], clock: Clock): Promise<number> {
  const bound = new Set(publisherIds)
  const required = await listAllRequired(reader, clock)
  return queries.countAccepted(
    reader,
    required.filter(({ publisherId }) => bound.has(publisherId)),
  )
}

/** Lists, for each publisher, the documents that make a user ACTIVE now. Accepting any of them suffices. */
export async function listAllRequired(
  reader: Reader,
  clock: Clock,
): Promise<{ readonly publisherId: PublisherId; readonly documentId: number }[]> {
  const all = await listAllDocuments(reader)
  return (await listPublishers(reader)).flatMap((publisher) => {
    const documents = selectBinding(all, publisher.id)
    const required = Math.max(0, findRequiredRank(documents, publisherNow(publisher, clock)))
    return documents.slice(required).map(({ documentId }) => ({ publisherId: publisher.id, documentId }))
  })
}

/** Lists the documents that make a publisher's user ACTIVE. Accepting any of them suffices. */
export async function listRequiredTerms(reader: Reader, publisherId: PublisherId, now: Date): Promise<number[]> {
  const documents = await listDocuments(reader, publisherId)
  return documents.slice(Math.max(0, findRequiredRank(documents, now))).map(({ documentId }) => documentId)
}
