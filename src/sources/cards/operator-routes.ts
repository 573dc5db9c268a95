import Type from 'typebox'
import {
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
import { type OperatorDeps, type OperatorOperation, publisherIdIn } from '../../tenants/access/index.ts'
import { walkBrokenLogins } from './across-queries.ts'
import { CARD_ERRORS } from './queries.ts'

const BrokenLoginSchema = namedObject('BrokenLogin', {
  publisher_id: Type.String(),
  svc_user_id: Type.String(),
  publisher_user_id: Type.String(),
  card_ids: Type.Array(Type.String(), { description: 'Cards linked through this login (crd_…).' }),
  institution_name: Type.String(),
  error: enumOf(CARD_ERRORS, 'NEED_AUTHENTICATION: the user must sign in again.'),
  linked_at: Type.String({ description: 'When it was linked.' }),
  broken_since: nullable(
    Type.String({ description: 'When the user was asked to repair it, or null if they were not.' }),
  ),
  reauthentication_deadline: nullable(
    Type.String({ description: 'Deadline for the user to sign in again, or null if none is known.' }),
  ),
})

/** Registers the route for broken logins of all publishers. */
export function operatorLoginRoutes(operation: OperatorOperation, { db: { reader } }: OperatorDeps): void {
  operation('GET /operator/logins/broken', {
    config: { permission: 'users:read' },
    id: 'listBrokenLogins',
    summary: 'List broken logins of all publishers, newest first',
    description:
      'Only the user can repair a login, through a link that the publisher opens with `POST /linker/link-token`. Unlinked logins are omitted.',
    query: strictObject({
      publisher_id: Type.Optional(idField('Only logins of this publisher.')),
      error: Type.Optional(enumOf(CARD_ERRORS)),
      ...sortQuery(['-linked_at', 'linked_at']),
      ...walkQuery,
    }),
    answer: walkSchema(BrokenLoginSchema),
    example: walkExample([
      {
        publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v',
        svc_user_id: 'usr_6n8m1v3w9f8x2r5t7y0qzkc4ha',
        publisher_user_id: 'user-1',
        card_ids: ['crd_01kbjyt5v3f4nvj5yq5yfypr9v'],
        institution_name: 'First Platypus Bank',
        error: 'NEED_AUTHENTICATION',
        linked_at: '2026-10-01T10:15:30.000Z',
        broken_since: '2026-11-21T10:15:30.000Z',
        reauthentication_deadline: null,
      },
    ]),
    refusals: ['publisher_not_found'],
    handler: async ({ query }) => {
      const { publisher_id, error = null, sort = '-linked_at' } = query
      const publisherId = publisher_id === undefined ? null : publisherIdIn(publisher_id)
      const found = await walkBrokenLogins(reader, { publisherId, error }, walkOf(query, sort, 'instant'))
      return walkedPage(found, sort, (login) => ({
        publisher_id: encodeId('pub', login.publisherId),
        svc_user_id: encodeId('usr', login.userId),
        publisher_user_id: login.publisherUserId,
        card_ids: login.cardIds.map((cardId) => encodeId('crd', cardId)),
        institution_name: login.institutionName,
        error: login.error,
        linked_at: login.linkedAt.toISOString(),
        broken_since: login.brokenSince?.toISOString() ?? null,
        reauthentication_deadline: login.reauthenticationDeadline?.toISOString() ?? null,
      }))
    },
  })
}
