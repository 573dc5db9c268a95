import Type from 'typebox'
import { field, id, oneOf, text } from '../../platform/resource/fields.ts'
import { column, type ResourceRow, resource } from '../../platform/resource/resource.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { type AccountStatus, STATUSES } from './rules.ts'

// The API's own format has a colon before Z. RFC 3339 has none.
const TIMESTAMP = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d:?Z$'
const FORMAT =
  'UTC, such as 2026-11-21T10:15:30:Z; with the publisher setting timestamp_format rfc3339, 2026-11-21T10:15:30Z.'

/**
 * An instant in UTC, in the API's own format (yyyy-MM-dd'T'HH:mm:ss:z with z written Z), or in RFC 3339 if the publisher
 * chose that.
 */
const timestamp = (description: string) =>
  field(
    Type.String({ pattern: TIMESTAMP, description: `${description} ${FORMAT}` }),
    { example: '2026-11-21T10:15:30:Z' },
    (instant: Date, { timestampFormat }: Pick<Publisher, 'timestampFormat'>) => {
      const seconds = instant.toISOString().slice(0, 19)
      return timestampFormat === 'rfc3339' ? `${seconds}Z` : `${seconds}:Z`
    },
  )

export const USER = resource(
  'User',
  {
    svc_user_id: id('usr', { property: 'userId', example: 'usr_6n8m1v3w9f8x2r5t7y0qzkc4ha' }),
    publisher_user_id: text({ example: 'user-1' }),
    email: text({ nullable: true, example: 'ada@example.com' }),
    primary_zip_code: text({ nullable: true, example: '10001' }),
    // INVALID appears only in the response that deletes the user.
    account_status: oneOf([...STATUSES, 'INVALID'], { property: 'status', joined: true, example: 'ACTIVE' }),
    attributes: text({ nullable: true, example: '{"plan":"gold"}', description: 'The attributes as JSON text.' }),
    created_at: timestamp('When the user was created.'),
    updated_at: timestamp('When the user was last changed.'),
  },
  { version: column<number>() },
)

/** The fields that identify a resource's user. Queries select the publisher's own ID with `selectPublisherUserId`. */
export const USER_FIELDS = {
  publisher_user_id: text({ joined: true, example: 'user-1' }),
  svc_user_id: USER.fields.svc_user_id,
}

export type User = Omit<ResourceRow<typeof USER>, 'status'>

/** A user and their status at the time of the request. */
export type UserWithStatus = { readonly user: User; readonly status: AccountStatus }

export function presentUser(
  { timestampFormat }: Pick<Publisher, 'timestampFormat'>,
  { user, status }: { readonly user: User; readonly status: AccountStatus | 'INVALID' },
) {
  const row = { ...user, status, timestampFormat }
  return USER.present(row)
}
