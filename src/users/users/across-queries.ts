import type { Clock } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { emailField, enumField, idField } from '../../platform/http/index.ts'
import { type PublisherId, toUserId } from '../../platform/ids.ts'
import { instant, oneOf } from '../../platform/resource/fields.ts'
import { type ResourceRow, resource } from '../../platform/resource/resource.ts'
import {
  dayFilters,
  type OperatorList,
  PUBLISHER_FIELD,
  parseUserId,
  publisherFilter,
} from '../../tenants/access/index.ts'
import { listPublishers } from '../../tenants/publishers/index.ts'
import { statusBy } from './queries.ts'
import { listAllRequired } from './require-terms.ts'
import { type AccountStatus, STATUSES } from './rules.ts'
import { USER } from './user.ts'

export const OPERATOR_USER = resource('OperatorUser', {
  publisher_id: PUBLISHER_FIELD,
  svc_user_id: USER.fields.svc_user_id,
  publisher_user_id: USER.fields.publisher_user_id,
  email: USER.fields.email,
  primary_zip_code: USER.fields.primary_zip_code,
  account_status: oneOf(STATUSES, { property: 'status', example: 'ACTIVE' }),
  created_at: instant({ example: '2026-11-21T10:15:30.000Z' }),
  updated_at: instant({ example: '2026-11-21T10:15:30.000Z' }),
})

type UserOfPublisher = ResourceRow<typeof OPERATOR_USER>

type Publishers = {
  readonly publisherIds: readonly PublisherId[]
  /** The documents that make a user ACTIVE, by publisher. Accepting any of them suffices. */
  readonly documents: Readonly<Record<string, readonly number[]>>
}

/** Reads the publishers and the currently required documents, on which the list of users depends. */
export async function readPublishers(reader: Reader, clock: Clock): Promise<Publishers> {
  const [publishers, required] = await Promise.all([listPublishers(reader), listAllRequired(reader, clock)])
  const documents = Map.groupBy(required, ({ publisherId }) => publisherId)
  return {
    publisherIds: publishers.map(({ id }) => id),
    documents: Object.fromEntries(
      [...documents].map(([publisherId, of]) => [publisherId, of.map(({ documentId }) => documentId)]),
    ),
  }
}

/** Builds the list of all publishers' users, newest first, with their current status. */
export function buildUserList({ publisherIds, documents }: Publishers): OperatorList<UserOfPublisher> {
  // Looked up by each user's publisher, so the number of publishers does not affect performance.
  const statuses = (reader: Reader) =>
    statusBy(reader, reader`(${reader.json(documents)}::jsonb -> a.publisher_id::text) @> to_jsonb(a.document_id)`)
  return {
    table: 'u',
    from: (reader) => reader`users`,
    id: 'userId',
    columns: (reader) => reader`
      u.user_id, u.publisher_id, u.publisher_user_id, u.email, u.primary_zip_code, u.created_at, u.updated_at,
      ${statuses(reader).status} as status`,
    sorts: { '-created_at': 'instant', created_at: 'instant' },
    filters: {
      ...publisherFilter,
      publisher_user_id: {
        parameter: idField('Only users with this id at their publisher.'),
        where: (reader, _table, name: string) => reader`
          u.user_id = any(${publisherIds.map((id) => toUserId(id, name))}::uuid[]) and u.publisher_user_id = ${name}`,
      },
      svc_user_id: {
        parameter: idField('Only this user (usr_…).'),
        where: (reader, _table, userId: string) => reader`u.user_id = ${parseUserId(userId)}`,
      },
      email: {
        parameter: emailField(),
        // The publisher is the leading column of the index on email addresses.
        where: (reader, _table, email: string) => reader`
          u.publisher_id = any(${publisherIds as PublisherId[]}::uuid[]) and lower(u.email) = lower(${email})`,
      },
      status: {
        parameter: enumField(STATUSES, 'Only users with this status.'),
        unindexed: true,
        where: (reader, _table, status: AccountStatus) => statuses(reader).having[status],
      },
      ...dayFilters('created_at', 'First day of creation'),
    },
  }
}
