import Type from 'typebox'
import type { Database } from '../../platform/db/database.ts'
import { createConcurrencyLimit } from '../../platform/http/concurrency-limit.ts'
import { type App, namedObject } from '../../platform/http/index.ts'
import { encodeId } from '../../platform/ids.ts'
import { type OperationDeps, type PublisherOperation, publisherOperations } from '../../tenants/access/index.ts'
import { getUser } from '../../users/users/index.ts'
import { streamArchive } from './archive.ts'
import { ERASURE } from './erasure.ts'
import { ArchiveQuery, ErasureBody, ErasureParams, LeaverParams, presentErasure } from './schema.ts'
import { getErasure, requestErasure } from './service.ts'

type Deps = OperationDeps & { readonly reports: Database }

export function leavingRoutes(app: App, deps: Deps): void {
  const operation = publisherOperations(app, deps, 'Users')
  archiveRoute(app, operation, deps)
  erasureRoutes(operation, deps)
}

const archiveExample = {
  svc_user_id: 'usr_6n8m1v3w9f8x2r5t7y0qzkc4ha',
  created_at: '2026-11-21T10:15:30.000Z',
  sections: { acceptances: [{ accepted_at: '2026-11-21T10:15:30+00:00', document_id: 1 }] },
}
const csvExample =
  'archive,usr_6n8m1v3w9f8x2r5t7y0qzkc4ha,2026-11-21T10:15:30.000Z\r\n\r\nsection,acceptances\r\n' +
  'accepted_at,document_id\r\n2026-11-21T10:15:30+00:00,1\r\n'

function archiveRoute(app: App, operation: PublisherOperation, deps: Deps): void {
  const limit = createConcurrencyLimit(
    'Each publisher can read only one archive at a time; finish reading the current one first.',
  )
  operation('GET /users/:publisher_user_id/archive', {
    config: { scope: 'users:read' },
    id: 'getUserArchive',
    summary: 'Export everything about a user as one archive',
    description:
      'Streamed as stored: amounts in minor units, IDs without their prefix, times in RFC 3339. Card and account numbers are masked; codes are omitted. CSV is RFC 4180 with one table per section: a row `section,name`, a header row, the rows, an empty line. The stream is cut off if less than 1 MiB is read in a minute, and in any case after ten minutes.',
    params: LeaverParams,
    query: ArchiveQuery,
    content: {
      'application/json': {
        schema: namedObject('UserArchive', {
          svc_user_id: Type.String(),
          created_at: Type.String(),
          sections: Type.Record(Type.String(), Type.Array(Type.Object({}, { additionalProperties: true })), {
            description: 'The rows of each section.',
          }),
        }),
        example: archiveExample,
      },
      'text/csv': { schema: Type.String(), example: csvExample },
    },
    refusals: ['user_not_found'],
    handler: async ({ params, query, publisher, now, reply }) => {
      const { format = 'json' } = query
      const { user } = await getUser(deps.db.reader, publisher, params.publisher_user_id, now)
      const end = limit.start(publisher.id)
      const whose = { publisherId: publisher.id, userId: user.userId, now }
      const { stream, begun, ended } = streamArchive({ ...deps, givingWay: app.givingWay }, whose, format)
      ended.then(end)
      // Until the stream has begun, the request can still be refused.
      await begun
      reply.header('Content-Type', format === 'json' ? 'application/json; charset=utf-8' : 'text/csv; charset=utf-8')
      const name = `archive_${encodeId('usr', user.userId)}.${format}`
      reply.header('Content-Disposition', `attachment; filename="${name}"`)
      return reply.send(stream)
    },
  })
}

function erasureRoutes(operation: PublisherOperation, deps: Deps): void {
  operation('POST /users/:publisher_user_id/erase', {
    config: { scope: 'users:write' },
    id: 'eraseUser',
    summary: 'Erase a user',
    description:
      'Cannot be undone. The user is deactivated, and everything that identifies them is erased within a day, usually within seconds. Amounts, days, brands and states are kept under a pseudonym, so that balances and statements still add up. The available balance stays in the ledger, where nobody can redeem it: pay it out first if it is due to the user. Refused while a redemption or gift card order is in progress. The identifier cannot be registered again. Repeating the request returns the same erasure.',
    params: LeaverParams,
    body: ErasureBody,
    answer: ERASURE.schema,
    example: { ...ERASURE.example, status: 'under_way', done_at: null, sha256: null, counts: {} },
    bodyExample: { confirm: 'user-1' },
    refusals: ['erasure_unconfirmed', 'user_not_found', 'user_not_active', 'redemption_under_way', 'order_under_way'],
    handler: ({ params, body, request, publisher, now, once }) => {
      const by = request.actor?.id ?? request.caller?.['key_id'] ?? ''
      const asked = { publisherUserId: params.publisher_user_id, confirm: body.confirm, by }
      return once(async (tx) => presentErasure(tx, publisher, await requestErasure(tx, publisher, asked, now)))
    },
  })

  operation('GET /erasures/:erasure_id', {
    config: { scope: 'users:read' },
    id: 'getErasure',
    summary: 'Get the proof of an erasure',
    description:
      'When the erasure was requested and completed, how many rows it changed, and a hash of these fields. The event `user.erased` announces its completion.',
    params: ErasureParams,
    answer: ERASURE.schema,
    example: ERASURE.example,
    refusals: ['erasure_not_found'],
    handler: async ({ params, publisher }) =>
      presentErasure(deps.db.reader, publisher, await getErasure(deps.db.reader, publisher, params.erasure_id)),
  })
}
