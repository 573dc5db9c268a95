import type { PendingQuery, Row } from 'postgres'
import { asTable, type Reader, selectColumns, type Tx } from '../../platform/db/database.ts'
import { readListCount } from '../../platform/db/list-counts.ts'
import type { Paging } from '../../platform/http/index.ts'
import { buildPageClauses } from '../../platform/http/lists/page-clauses.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import { USER, type User } from './user.ts'

export const USER_SORTS = ['created_at', 'updated_at', 'publisher_user_id', 'email', 'svc_user_id'] as const
type UserSort = (typeof USER_SORTS)[number]

// A user's status is derived, so it has no column.
const COLUMNS = USER.columns as readonly (keyof User)[]
const userColumns = (reader: Reader) => selectColumns(reader, 'users', COLUMNS)

export async function findUser(reader: Reader, publisherId: PublisherId, userId: UserId): Promise<User | null> {
  const [row] = await reader<User[]>`
    select ${userColumns(reader)} from users where user_id = ${userId} and publisher_id = ${publisherId}`
  return row ?? null
}

/** Locks the user until the transaction ends. */
export async function lockUser(tx: Tx, publisherId: PublisherId, userId: UserId): Promise<void> {
  await tx`select from users where user_id = ${userId} and publisher_id = ${publisherId} for update`
}

/** Maps users to the publisher's own IDs for them. Omits users of other publishers. */
export async function listUserNames(
  reader: Reader,
  publisherId: PublisherId,
  userIds: readonly UserId[],
): Promise<Map<UserId, string>> {
  const rows = await reader<Pick<User, 'userId' | 'publisherUserId'>[]>`
    select user_id, publisher_user_id from users
    where publisher_id = ${publisherId} and user_id = any(${userIds as UserId[]}::uuid[])`
  return new Map(rows.map((user) => [user.userId, user.publisherUserId]))
}

type OfUser = { readonly publisherId: PublisherId; readonly userId: UserId }

/** Returns the publishers' own IDs for the users of these rows, with one query per publisher. */
export async function readUserNames(reader: Reader, rows: readonly OfUser[]): Promise<ReadonlyMap<UserId, string>> {
  const byPublisher: Map<PublisherId, OfUser[]> = Map.groupBy(rows, ({ publisherId }) => publisherId)
  const names = await Promise.all(
    [...byPublisher].map(([publisherId, of]) =>
      listUserNames(reader, publisherId, [...new Set(of.map(({ userId }) => userId))]),
    ),
  )
  return new Map(names.flatMap((one) => [...one]))
}

/** Selects the publisher's ID for the user of a row as `publisher_user_id`. */
export function selectPublisherUserId(reader: Reader, table: string): PendingQuery<Row[]> {
  return reader`(
    select u.publisher_user_id from users u
    where u.user_id = ${reader(table)}.user_id and u.publisher_id = ${reader(table)}.publisher_id) as publisher_user_id`
}

/** Returns the salts of those users who have been erased and whose references have been replaced. */
export async function listSalts(
  reader: Reader,
  publisherId: PublisherId,
  userIds: readonly UserId[],
): Promise<Map<UserId, Buffer>> {
  if (userIds.length === 0) return new Map()
  const rows = await reader<{ userId: UserId; salt: Buffer }[]>`
    select user_id, salt from erasures
    where publisher_id = ${publisherId} and user_id = any(${userIds as UserId[]}::uuid[]) and salt is not null`
  return new Map(rows.map(({ userId, salt }) => [userId, salt]))
}

/** @returns false if a user with this ID exists */
export async function insertUser(tx: Tx, publisherId: PublisherId, user: User): Promise<boolean> {
  const { count } = await tx`
    insert into users ${tx({ publisherId, ...user }, 'publisherId', ...COLUMNS)} on conflict do nothing`
  return count === 1
}

export async function updateUser(tx: Tx, publisherId: PublisherId, user: User): Promise<void> {
  await tx`
    update users set
      email = ${user.email}, primary_zip_code = ${user.primaryZipCode}, attributes = ${user.attributes},
      version = ${user.version}, updated_at = ${user.updatedAt}
    where user_id = ${user.userId} and publisher_id = ${publisherId}`
}

type Position = { readonly afterCreatedAt: Date | null; readonly afterUser: UserId | null; readonly requiredFrom: Date }

/** Locks and returns the next users created before the terms became required, in order of creation. */
export async function lockUsersAfter(
  tx: Tx,
  publisherId: PublisherId,
  { afterCreatedAt, afterUser, requiredFrom }: Position,
  limit: number,
): Promise<User[]> {
  return tx<User[]>`
    -- all users: terms bind all users of a publisher
    select ${userColumns(tx)} from users
    where publisher_id = ${publisherId} and created_at < ${requiredFrom}
      ${afterCreatedAt === null ? tx`` : tx`and (created_at, user_id) > (${afterCreatedAt}, ${afterUser})`}
    order by created_at, user_id
    limit ${limit}
    for update`
}

/** Increments these users' versions and returns the users. */
export async function touchUsers(
  tx: Tx,
  publisherId: PublisherId,
  userIds: readonly UserId[],
  now: Date,
): Promise<User[]> {
  return tx<User[]>`
    update users set version = version + 1, updated_at = greatest(${now}, updated_at + interval '1 millisecond')
    where publisher_id = ${publisherId} and user_id = any(${userIds as UserId[]}::uuid[])
    returning ${userColumns(tx)}`
}

type Accepted = { readonly publisherId: PublisherId; readonly documentId: number }

/** Counts the users who are not deactivated and have accepted one of these documents since their last reactivation. */
export async function countAccepted(reader: Reader, documents: readonly Accepted[]): Promise<number> {
  const [row] = await reader<{ total: bigint }[]>`
    -- all users: terms bind all users of a publisher
    select count(distinct a.user_id) as total
    from ${asTable(reader, documents, { publisherId: 'uuid', documentId: 'int4' })}
    join terms_acceptances a using (publisher_id, document_id)
    where not exists (
      select 1 from user_deactivations d
      where d.user_id = a.user_id and (d.reactivated_at is null or d.reactivated_at > a.accepted_at)
    )`
  return Number(row?.total ?? 0)
}

/**
 * SQL for the current status of users `u`, equivalent to `deriveStatusAt`. Contains no parameters, so that it also
 * works in statements that do not allow them.
 * @param documentIds the documents that make a user ACTIVE; accepting any of them suffices
 */
export const deriveCurrentStatus = (reader: Reader, documentIds: readonly number[]) =>
  statusWhere(reader, reader`a.document_id = any(${reader.unsafe(`'{${documentIds.join()}}'::integer[]`)})`)

const statusWhere = (reader: Reader, suffices: PendingQuery<Row[]>) => reader`
  case
    when ${isDeactivated(reader)} then 'INACTIVE'
    when ${hasAccepted(reader, suffices)} then 'ACTIVE'
    else 'PENDING'
  end`

/**
 * SQL for the status of users `u`, and for each status, a condition that is true for users who have it. The database
 * can evaluate such a condition without computing every user's status.
 * @param suffices a condition that is true if acceptance `a` is of the required document or a newer one
 */
export function statusBy(reader: Reader, suffices: PendingQuery<Row[]>) {
  const [deactivated, accepted] = [isDeactivated(reader), hasAccepted(reader, suffices)]
  const having = {
    INACTIVE: deactivated,
    ACTIVE: reader`not ${deactivated} and ${accepted}`,
    PENDING: reader`not ${deactivated} and not ${accepted}`,
  }
  return { status: statusWhere(reader, suffices), having }
}

const isDeactivated = (reader: Reader) => reader`
  exists (
    select from user_deactivations d
    where d.user_id = u.user_id and d.publisher_id = u.publisher_id and d.reactivated_at is null
  )`

const hasAccepted = (reader: Reader, suffices: PendingQuery<Row[]>) => reader`
  exists (
    select from terms_acceptances a
    where a.user_id = u.user_id and a.publisher_id = u.publisher_id and ${suffices}
      and not exists (
        select from user_deactivations d where d.user_id = a.user_id and d.reactivated_at > a.accepted_at
      )
  )`

type ListedUsers = { readonly email: string | null; readonly userId: UserId | null }

export async function listUsers(
  reader: Reader,
  publisherId: PublisherId,
  filter: ListedUsers,
  paging: Paging<UserSort>,
): Promise<User[]> {
  // Each of these columns has an index.
  const columns = {
    created_at: reader`created_at`,
    updated_at: reader`updated_at`,
    publisher_user_id: reader`publisher_user_id`,
    email: reader`lower(email)`,
    svc_user_id: reader`user_id`,
  }
  const page = buildPageClauses(reader, columns, paging, { field: 'created_at', descending: false }, reader`user_id`)
  return reader<User[]>`
    select ${userColumns(reader)} from users
    where publisher_id = ${publisherId} ${conditions(reader, filter)}
    ${page}`
}

/** Counts the users that match the filter. The unfiltered list has a stored count. */
export async function countUsers(reader: Reader, publisherId: PublisherId, filter: ListedUsers): Promise<number> {
  if (filter.email === null && filter.userId === null) return readListCount(reader, publisherId, 'users')
  const [row] = await reader<{ total: bigint }[]>`
    select count(*) as total from users where publisher_id = ${publisherId} ${conditions(reader, filter)}`
  return Number(row?.total ?? 0)
}

const conditions = (reader: Reader, { email, userId }: ListedUsers) => reader`
  ${email === null ? reader`` : reader`and lower(email) = lower(${email})`}
  ${userId === null ? reader`` : reader`and user_id = ${userId}`}`

type Deactivation = { readonly userId: UserId; readonly from: Date; readonly until: Date | null }

export async function listDeactivations(
  reader: Reader,
  publisherId: PublisherId,
  userIds: readonly UserId[],
): Promise<Deactivation[]> {
  return reader<Deactivation[]>`
    select user_id, deactivated_at as "from", reactivated_at as "until"
    from user_deactivations
    where publisher_id = ${publisherId} and user_id = any(${userIds as UserId[]}::uuid[])`
}

export async function insertDeactivation(tx: Tx, publisherId: PublisherId, userId: UserId, now: Date): Promise<void> {
  await tx`insert into user_deactivations (user_id, deactivated_at, publisher_id) values (${userId}, ${now}, ${publisherId})`
}

export async function markReactivated(tx: Tx, publisherId: PublisherId, userId: UserId, now: Date): Promise<void> {
  await tx`
    update user_deactivations set reactivated_at = ${now}
    where user_id = ${userId} and publisher_id = ${publisherId} and reactivated_at is null`
}
