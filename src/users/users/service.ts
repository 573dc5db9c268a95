import { diffMembers, type EventRecord, recordEvents } from '../../events/index.ts'
import { openBalances } from '../../ledger/index.ts'
import { awaitAll, type Reader, type Tx } from '../../platform/db/database.ts'
import { addToListCount } from '../../platform/db/list-counts.ts'
import { encodeId, type PublisherId, toUserId, type UserId } from '../../platform/ids.ts'
import { recordFact } from '../../platform/queue/outbox.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { findRank, findRequiredRank, insertAcceptance, type TermsRefusal } from '../terms/index.ts'
import type { UserRefusal } from './errors.ts'
import * as queries from './queries.ts'
import type { AccountStatus } from './rules.ts'
import { readStatuses } from './status.ts'
import { presentUser, type User, type UserWithStatus } from './user.ts'

type NewUser = Pick<User, 'publisherUserId' | 'email' | 'primaryZipCode' | 'attributes'>

/**
 * Registers a user, who is PENDING until they accept the terms.
 * @throws Refusal user_already_exists with the existing user; user_erased if a user with this ID was erased, because
 * the new user would inherit the old one's books
 */
export async function createUser(tx: Tx, publisher: Publisher, input: NewUser, now: Date): Promise<UserWithStatus> {
  const user: User = {
    ...input,
    userId: toUserId(publisher.id, input.publisherUserId),
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  if (!(await queries.insertUser(tx, publisher.id, user))) {
    const taken = await getKnownUser(tx, publisher.id, user.userId)
    if (taken.publisherUserId !== input.publisherUserId)
      throw new Refusal<UserRefusal>(
        'user_erased',
        'The user with this identifier was erased. Choose a different identifier.',
        {
          field: 'publisher_user_id',
        },
      )
    const existing = await getUser(tx, publisher, input.publisherUserId, now)
    throw new Refusal<UserRefusal>('user_already_exists', 'A user with this publisher_user_id already exists.', {
      field: 'publisher_user_id',
      members: {
        svc_user_id: encodeId('usr', user.userId),
        publisher_user_id: input.publisherUserId,
        account_status: existing.status,
      },
    })
  }
  await openBalances(tx, publisher, [user.userId])
  await addToListCount(tx, publisher.id, 'users', 1)
  await recordUserEvent(tx, publisher, 'user.created', { user, status: 'PENDING' }, null, now)
  return { user, status: 'PENDING' }
}

/** @throws Refusal user_not_found */
export async function getUser(
  reader: Reader,
  publisher: Publisher,
  publisherUserId: string,
  now: Date,
): Promise<UserWithStatus> {
  const userId = toUserId(publisher.id, publisherUserId)
  const [user, statuses] = await awaitAll([
    getNamedUser(reader, publisher, publisherUserId),
    readStatuses(reader, publisher.id, [userId]),
  ])
  return { user, status: statuses.at(userId, now) }
}

/** Returns the users with their statuses, in the given order. */
export async function addStatus(
  reader: Reader,
  publisher: Publisher,
  users: readonly User[],
  now: Date,
): Promise<UserWithStatus[]> {
  const statuses = await readStatuses(
    reader,
    publisher.id,
    users.map((user) => user.userId),
  )
  return users.map((user) => ({ user, status: statuses.at(user.userId, now) }))
}

type UserChanges = Partial<Pick<User, 'email' | 'primaryZipCode' | 'attributes'>>

/** @throws Refusal user_not_found */
export async function changeUser(
  tx: Tx,
  publisher: Publisher,
  publisherUserId: string,
  changes: UserChanges,
  requestedAt: Date,
): Promise<UserWithStatus> {
  const { before, now } = await lockKnownUser(tx, publisher, publisherUserId, requestedAt)
  return saveUser(tx, publisher, 'user.updated', before, { ...changes, status: before.status }, now)
}

/**
 * Accepts a terms document. Accepting again changes nothing. A document older than the required one is rejected,
 * because it would leave the user PENDING.
 * @throws Refusal user_not_found, terms_not_found, terms_superseded, user_not_active (a deactivated user)
 */
export async function acceptTerms(
  tx: Tx,
  publisher: Publisher,
  publisherUserId: string,
  documentId: number,
  requestedAt: Date,
): Promise<UserWithStatus> {
  const { before, statuses, now } = await lockKnownUser(tx, publisher, publisherUserId, requestedAt)
  if (before.status === 'INACTIVE') {
    throw new Refusal<UserRefusal>('user_not_active', 'This user is deactivated. Reactivate the user first.', {
      field: 'publisher_user_id',
    })
  }
  const { documents } = statuses
  const rank = findRank(documents, documentId)
  if (rank < 0) {
    throw new Refusal<TermsRefusal>('terms_not_found', 'There is no terms document with this id.', { field: 'tnc_id' })
  }
  const required = findRequiredRank(documents, now)
  if (rank < required) {
    const { documentId: current } = documents[required] ?? {}
    throw new Refusal<TermsRefusal>('terms_superseded', `These terms were replaced. Accept document ${current}.`, {
      field: 'tnc_id',
    })
  }
  const { userId } = before.user
  if (statuses.hasAccepted(userId, documentId)) return before
  await insertAcceptance(tx, publisher.id, { userId, documentId, acceptedAt: now })
  return saveUser(tx, publisher, 'user.terms_accepted', before, { status: 'ACTIVE' }, now)
}

/**
 * Deactivates an ACTIVE user, or a PENDING one if the caller requests it. The user's cards are unlinked, and the user
 * earns no new rewards, but pending rewards still mature.
 * @throws Refusal user_not_found, user_not_active
 */
export async function deactivateUser(
  tx: Tx,
  publisher: Publisher,
  publisherUserId: string,
  requestedAt: Date,
  { pending = false }: { readonly pending?: boolean } = {},
): Promise<UserWithStatus> {
  const { before, now } = await lockKnownUser(tx, publisher, publisherUserId, requestedAt)
  if (before.status !== 'ACTIVE' && !(pending && before.status === 'PENDING')) {
    const remedy = before.status === 'PENDING' ? ' To delete the user anyway, add pending=true.' : ''
    const detail = `Only ACTIVE users can be deleted, and this user is ${before.status}.${remedy}`
    throw wrongStatus('user_not_active', detail, before)
  }
  await queries.insertDeactivation(tx, publisher.id, before.user.userId, now)
  const after = await saveUser(tx, publisher, 'user.deactivated', before, { status: 'INACTIVE' }, now)
  await recordFact(tx, publisher.id, 'user.deactivated', { userId: before.user.userId })
  return after
}

/**
 * Makes an INACTIVE user PENDING, so that they must accept the terms again.
 * @throws Refusal user_not_found, user_not_inactive
 */
export async function reactivateUser(
  tx: Tx,
  publisher: Publisher,
  publisherUserId: string,
  requestedAt: Date,
): Promise<UserWithStatus> {
  const { before, now } = await lockKnownUser(tx, publisher, publisherUserId, requestedAt)
  if (before.status !== 'INACTIVE') {
    const detail = `Only INACTIVE users can be reactivated, and this user is ${before.status}.`
    throw wrongStatus('user_not_inactive', detail, before)
  }
  await queries.markReactivated(tx, publisher.id, before.user.userId, now)
  return saveUser(tx, publisher, 'user.updated', before, { status: 'PENDING' }, now)
}

/**
 * Locks a user for a change. `now` is the time of the change. It is always later than that of the previous change, even
 * if that change was requested later but got the lock first, because the status depends on the order of acceptances,
 * deactivations and reactivations.
 * @throws Refusal user_not_found
 */
async function lockKnownUser(tx: Tx, publisher: Publisher, publisherUserId: string, requestedAt: Date) {
  const userId = toUserId(publisher.id, publisherUserId)
  await queries.lockUser(tx, publisher.id, userId)
  const [user, statuses] = await awaitAll([
    getNamedUser(tx, publisher, publisherUserId),
    readStatuses(tx, publisher.id, [userId]),
  ])
  const now = new Date(Math.max(requestedAt.getTime(), user.updatedAt.getTime() + 1))
  const before: UserWithStatus = { user, status: statuses.at(userId, now) }
  return { before, statuses, now }
}

/** Stores a change to a user as a new version and records its event. */
async function saveUser(
  tx: Tx,
  publisher: Publisher,
  type: UserEventType,
  before: UserWithStatus,
  { status, ...changes }: UserChanges & { readonly status: AccountStatus },
  now: Date,
): Promise<UserWithStatus> {
  const user = { ...before.user, ...changes, version: before.user.version + 1, updatedAt: now }
  await queries.updateUser(tx, publisher.id, user)
  await recordUserEvent(tx, publisher, type, { user, status }, before, now)
  return { user, status }
}

function wrongStatus(code: UserRefusal, detail: string, { status }: UserWithStatus): Refusal<UserRefusal> {
  return new Refusal(code, detail, { field: 'publisher_user_id', members: { account_status: status } })
}

/** @throws Refusal user_not_found */
export async function getKnownUser(reader: Reader, publisherId: PublisherId, userId: UserId): Promise<User> {
  const user = await queries.findUser(reader, publisherId, userId)
  if (user === null) throw userNotFound()
  return user
}

/**
 * Finds a user by the publisher's ID for them. An erased user has a new ID, so the old one is not found even if a
 * caller still uses it.
 * @throws Refusal user_not_found
 */
export async function getNamedUser(reader: Reader, publisher: Publisher, publisherUserId: string): Promise<User> {
  const user = await getKnownUser(reader, publisher.id, toUserId(publisher.id, publisherUserId))
  if (user.publisherUserId !== publisherUserId) throw userNotFound()
  return user
}

/** The topic announced when an identifier no longer refers to its user, as after an erasure. */
export const USER_RENAMED = 'user_renamed'

export function userNotFound(): Refusal<UserRefusal> {
  return new Refusal<UserRefusal>('user_not_found', 'There is no user with this publisher_user_id.', {
    field: 'publisher_user_id',
  })
}

type UserEventType = 'user.created' | 'user.updated' | 'user.terms_accepted' | 'user.deactivated'

async function recordUserEvent(
  tx: Tx,
  publisher: Publisher,
  type: UserEventType,
  after: UserWithStatus,
  before: UserWithStatus | null,
  now: Date,
): Promise<void> {
  await recordEvents(tx, publisher, [buildUserEvent(type, after, before)], now)
}

/** Builds the event for a change to a user. */
export function buildUserEvent(type: UserEventType, after: UserWithStatus, before: UserWithStatus | null): EventRecord {
  // Responses may use the API's own time format. Events always use RFC 3339.
  const shown = (one: UserWithStatus) => ({
    ...presentUser({ timestampFormat: 'rfc3339' }, one),
    version: one.user.version,
  })
  const data = shown(after)
  return { type, userId: after.user.userId, data, previous: before && diffMembers(shown(before), data) }
}
