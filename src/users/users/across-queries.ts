import type { Clock } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Walk, type Walked, walk } from '../../platform/db/keyset.ts'
import { type PublisherId, type UserId, userIdOf } from '../../platform/ids.ts'
import { listPublishers } from '../../tenants/publishers/index.ts'
import { statusBy, type User } from './queries.ts'
import { listAllRequired } from './require-terms.ts'
import type { AccountStatus } from './rules.ts'

type AcrossFilter = {
  readonly publisherId: PublisherId | null
  readonly userId: UserId | null
  readonly publisherUserId: string | null
  readonly email: string | null
  readonly status: AccountStatus | null
  /** The period of registration: `from` is inclusive, `until` exclusive. */
  readonly from: Date | null
  readonly until: Date | null
}
export type UserOfPublisher = Pick<
  User,
  'userId' | 'publisherUserId' | 'email' | 'primaryZipCode' | 'createdAt' | 'updatedAt'
> & { readonly publisherId: PublisherId; readonly status: AccountStatus }

/** Returns a page of users of all publishers, with their current status. */
export async function walkUsers(
  reader: Reader,
  filter: AcrossFilter,
  paging: Walk,
  clock: Clock,
): Promise<Walked<UserOfPublisher>> {
  const [publishers, required] = await Promise.all([listPublishers(reader), listAllRequired(reader, clock)])
  const documents = Map.groupBy(required, ({ publisherId }) => publisherId)
  // Looked up by each user's publisher, so that having many publishers costs nothing.
  const byPublisher = Object.fromEntries(
    [...documents].map(([publisherId, of]) => [publisherId, of.map(({ documentId }) => documentId)]),
  )
  const { status, having } = statusBy(
    reader,
    reader`(${reader.json(byPublisher)}::jsonb -> a.publisher_id::text) @> to_jsonb(a.document_id)`,
  )
  const publisherIds = publishers.map(({ id }) => id)
  return walk<UserOfPublisher>(
    reader,
    {
      columns: reader`
        u.user_id, u.publisher_id, u.publisher_user_id, u.email, u.primary_zip_code, u.created_at, u.updated_at,
        ${status} as status`,
      table: 'users',
      alias: 'u',
      id: reader`u.user_id`,
      key: { column: reader`u.created_at`, type: 'instant' },
      indexed: indexed(reader, filter, publisherIds),
      others: filter.status === null ? null : reader`and ${having[filter.status]}`,
    },
    paging,
  )
}

/** @param all the IDs of all publishers, because the index on email addresses starts with the publisher */
function indexed(reader: Reader, filter: AcrossFilter, all: readonly PublisherId[]) {
  const { publisherId, userId, publisherUserId, email, from, until } = filter
  const named = publisherUserId === null ? null : all.map((one) => userIdOf(one, publisherUserId))
  const inPublisher =
    publisherId !== null
      ? reader`and u.publisher_id = ${publisherId}`
      : email !== null
        ? reader`and u.publisher_id = any(${all as PublisherId[]}::uuid[])`
        : reader``
  return reader`
    true ${inPublisher}
    ${userId === null ? reader`` : reader`and u.user_id = ${userId}`}
    ${named === null ? reader`` : reader`and u.user_id = any(${named}::uuid[]) and u.publisher_user_id = ${publisherUserId}`}
    ${email === null ? reader`` : reader`and lower(u.email) = lower(${email})`}
    ${from === null ? reader`` : reader`and u.created_at >= ${from}`}
    ${until === null ? reader`` : reader`and u.created_at < ${until}`}`
}
