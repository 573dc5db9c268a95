import Type, { type Static } from 'typebox'
import { addDays, startOfDay } from '../../platform/calendar.ts'
import {
  dayField,
  emailField,
  enumOf,
  idField,
  namedObject,
  nullable,
  sortQuery,
  strictObject,
  walkExample,
  walkedPage,
  walkOf,
  walkQuery,
  walkSchema,
} from '../../platform/http/index.ts'
import { encodeId } from '../../platform/ids.ts'
import { type OperatorDeps, type OperatorOperation, publisherIdIn, userIdIn } from '../../tenants/access/index.ts'
import { type UserOfPublisher, walkUsers } from './across-queries.ts'

const STATUSES = ['ACTIVE', 'INACTIVE', 'PENDING'] as const

const UserQuery = strictObject({
  publisher_id: Type.Optional(idField('Only users of this publisher.')),
  publisher_user_id: Type.Optional(idField('Only users with this id at their publisher.')),
  svc_user_id: Type.Optional(idField('Only this user (usr_…).')),
  email: Type.Optional(emailField()),
  status: Type.Optional(enumOf(STATUSES, 'Only users with this status.')),
  start_date: Type.Optional(dayField('Created on this day or later, in UTC.')),
  end_date: Type.Optional(dayField('Created on this day or earlier, in UTC.')),
  ...sortQuery(['-created_at', 'created_at']),
  ...walkQuery,
})

const OperatorUserSchema = namedObject('OperatorUser', {
  publisher_id: Type.String(),
  svc_user_id: Type.String(),
  publisher_user_id: Type.String(),
  email: nullable(Type.String()),
  primary_zip_code: nullable(Type.String()),
  account_status: enumOf(STATUSES),
  created_at: Type.String(),
  updated_at: Type.String(),
})

const example: Static<typeof OperatorUserSchema> = {
  publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v',
  svc_user_id: 'usr_6n8m1v3w9f8x2r5t7y0qzkc4ha',
  publisher_user_id: 'user-1',
  email: 'ada@example.com',
  primary_zip_code: '10001',
  account_status: 'ACTIVE',
  created_at: '2026-11-21T10:15:30.000Z',
  updated_at: '2026-11-21T10:15:30.000Z',
}

/** Registers the routes for the users of all publishers. */
export function operatorUserRoutes(operation: OperatorOperation, { db: { reader }, clock }: OperatorDeps): void {
  operation('GET /operator/users', {
    config: { permission: 'users:read' },
    id: 'listAllUsers',
    summary: 'List users of all publishers, newest first',
    description: 'For full details of a user, name its publisher in `Laurel-Publisher` and read `GET /users/{…}`.',
    query: UserQuery,
    answer: walkSchema(OperatorUserSchema),
    example: walkExample([example]),
    refusals: ['publisher_not_found'],
    handler: async ({ query }) => {
      const { publisher_id, svc_user_id, publisher_user_id = null, email = null, status = null } = query
      const { start_date, end_date, sort = '-created_at' } = query
      const filter = {
        publisherUserId: publisher_user_id,
        email,
        status,
        publisherId: publisher_id === undefined ? null : publisherIdIn(publisher_id),
        userId: svc_user_id === undefined ? null : userIdIn(svc_user_id),
        from: start_date === undefined ? null : startOfDay(start_date, 'UTC'),
        until: end_date === undefined ? null : startOfDay(addDays(end_date, 1), 'UTC'),
      }
      const found = await walkUsers(reader, filter, walkOf(query, sort, 'instant'), clock)
      return walkedPage(found, sort, presentOperatorUser)
    },
  })
}

function presentOperatorUser(user: UserOfPublisher): Static<typeof OperatorUserSchema> {
  return {
    publisher_id: encodeId('pub', user.publisherId),
    svc_user_id: encodeId('usr', user.userId),
    publisher_user_id: user.publisherUserId,
    email: user.email,
    primary_zip_code: user.primaryZipCode,
    account_status: user.status,
    created_at: user.createdAt.toISOString(),
    updated_at: user.updatedAt.toISOString(),
  }
}
