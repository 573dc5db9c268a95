import Type from 'typebox'
import { readWallets } from '../../ledger/index.ts'
import {
  type App,
  buildPage,
  emailField,
  idField,
  pageExample,
  pageQuery,
  pageSchema,
  readPaging,
  strictObject,
} from '../../platform/http/index.ts'
import { toUserId } from '../../platform/ids.ts'
import { type OperationDeps, type PublisherOperation, publisherOperations } from '../../tenants/access/index.ts'
import { listAccepted } from '../terms/index.ts'
import { formatAttributes } from './attributes.ts'
import { marketingRoutes } from './marketing/routes.ts'
import { countUsers, listUsers, USER_SORTS } from './queries.ts'
import {
  ACCEPTED_TERMS,
  AcceptedSchema,
  DeleteQuery,
  NewUserSchema,
  presentStatus,
  statusExample,
  UserChangesSchema,
  UserParams,
  UserStatusSchema,
} from './schema.ts'
import * as service from './service.ts'
import { presentUser, USER } from './user.ts'

const EVERYONE = { email: null, userId: null }

export function userRoutes(app: App, deps: OperationDeps): void {
  const operation = publisherOperations(app, deps, 'Users')
  registrationRoute(operation)
  listRoutes(operation, deps)
  detailRoutes(operation, deps)
  changeRoutes(operation)
  marketingRoutes(operation, deps)
  acceptanceRoutes(publisherOperations(app, deps, 'Terms'), deps)
}

function registrationRoute(operation: PublisherOperation): void {
  operation('POST /users', {
    config: { scope: 'users:write' },
    id: 'createUser',
    summary: 'Register a user',
    description:
      'The user is PENDING until they accept the terms. If the identifier is taken, the response is a conflict that contains the existing user.',
    body: NewUserSchema,
    answer: USER.schema,
    example: { ...USER.example, account_status: 'PENDING' },
    bodyExample: {
      publisher_user_id: 'user-1',
      email: 'ada@example.com',
      primary_zip_code: '10001',
      attributes: { plan: 'gold' },
    },
    refusals: ['attributes_invalid', 'user_erased', 'user_already_exists'],
    handler: async ({ body, publisher, now, once }) => {
      const { publisher_user_id, email, primary_zip_code, attributes } = body
      const input = {
        publisherUserId: publisher_user_id,
        email: email ?? null,
        primaryZipCode: primary_zip_code ?? null,
        attributes: attributes === undefined ? null : formatAttributes(attributes),
      }
      return once(async (tx) => presentUser(publisher, await service.createUser(tx, publisher, input, now)))
    },
  })
}

const Acceptance = {
  publisher_user_id: idField("The publisher's ID for the user."),
  tnc_id: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'ID of the terms, from GET /terms.' }),
}

function acceptanceRoutes(operation: PublisherOperation, { db }: OperationDeps): void {
  operation('GET /users/:publisher_user_id/acceptances', {
    config: { scope: 'terms:read' },
    id: 'listAcceptances',
    summary: 'List the terms that a user has accepted, oldest acceptance first',
    description: 'Acceptances are kept when terms are revised and when the user is deactivated.',
    params: UserParams,
    answer: Type.Object({ content: Type.Array(ACCEPTED_TERMS.schema) }),
    example: { content: [ACCEPTED_TERMS.example] },
    refusals: ['user_not_found'],
    handler: async ({ params, publisher }) => {
      const { userId } = await service.getNamedUser(db.reader, publisher, params.publisher_user_id)
      return { content: (await listAccepted(db.reader, publisher.id, userId)).map(ACCEPTED_TERMS.present) }
    },
  })

  operation('POST /terms/accept', {
    config: { scope: 'terms:write' },
    id: 'acceptTerms',
    summary: 'Accept the terms for a user',
    answer: AcceptedSchema,
    refusals: ['terms_not_found', 'user_not_found', 'user_not_active', 'terms_superseded'],
    description: 'Both parameters can be passed in the JSON body or in the query string.',
    body: strictObject(Acceptance),
    query: Type.Partial(strictObject(Acceptance), { additionalProperties: false }),
    bodyExample: { publisher_user_id: 'user-1', tnc_id: 1 },
    example: { publisher_user_id: 'user-1', email: 'ada@example.com', account_status: 'ACTIVE' },
    preValidation: async (request) => {
      // Query parameters apply only if the body omits them.
      const { tnc_id, ...rest } = request.query as Record<string, unknown>
      const id = typeof tnc_id === 'string' && /^\d{1,10}$/.test(tnc_id) ? Number(tnc_id) : tnc_id
      if (request.body === undefined || request.body === null || typeof request.body === 'object') {
        request.body = {
          ...rest,
          ...(tnc_id === undefined ? {} : { tnc_id: id }),
          ...(request.body as object | undefined),
        } as never
      }
    },
    handler: async ({ body, publisher, now, once }) => {
      const { publisher_user_id, tnc_id } = body
      return once(async (tx) => {
        const { user, status } = await service.acceptTerms(tx, publisher, publisher_user_id, tnc_id, now)
        return { publisher_user_id: user.publisherUserId, email: user.email, account_status: status }
      })
    },
  })
}

function listRoutes(operation: PublisherOperation, deps: OperationDeps): void {
  operation('GET /users', {
    config: { scope: 'users:read' },
    id: 'listUsers',
    summary: 'List users',
    description: 'All users of the publisher, including deactivated ones.',
    answer: pageSchema(USER.schema),
    example: pageExample([USER.example]),
    query: strictObject({
      email: Type.Optional(emailField()),
      publisher_user_id: Type.Optional(idField("The publisher's ID for the user.")),
      ...pageQuery,
    }),
    handler: async ({ query, publisher, now }) => {
      const paging = readPaging(query, USER_SORTS)
      const { email = null, publisher_user_id } = query
      const userId = publisher_user_id === undefined ? null : toUserId(publisher.id, publisher_user_id)
      const [users, total] = await Promise.all([
        listUsers(deps.db.reader, publisher.id, { email, userId }, paging),
        countUsers(deps.db.reader, publisher.id, { email, userId }),
      ])
      const shown = await service.addStatus(deps.db.reader, publisher, users, now)
      const content = shown.map((one) => presentUser(publisher, one))
      return buildPage(content, total, paging)
    },
  })

  operation('GET /users/status', {
    config: { scope: 'users:read' },
    id: 'listUserStatus',
    summary: 'List the status and reward totals of all users',
    description: 'A page of all users with their reward totals.',
    answer: pageSchema(UserStatusSchema),
    query: strictObject(pageQuery),
    example: pageExample([statusExample]),
    handler: async ({ query, publisher, now }) => {
      const paging = readPaging(query, USER_SORTS)
      const [users, total] = await Promise.all([
        listUsers(deps.db.reader, publisher.id, EVERYONE, paging),
        countUsers(deps.db.reader, publisher.id, EVERYONE),
      ])
      const userIds = users.map((user) => user.userId)
      const [shown, wallets] = await Promise.all([
        service.addStatus(deps.db.reader, publisher, users, now),
        readWallets(deps.db.reader, publisher, userIds),
      ])
      const content = shown.map((one) => presentStatus(publisher, one, wallets.get(one.user.userId)))
      return buildPage(content, total, paging)
    },
  })
}

function detailRoutes(operation: PublisherOperation, deps: OperationDeps): void {
  operation('GET /users/status/:publisher_user_id', {
    config: { scope: 'users:read' },
    id: 'getUserStatus',
    summary: 'Get the status and reward totals of a user',
    description: 'The totals include everything booked so far.',
    params: UserParams,
    answer: UserStatusSchema,
    example: statusExample,
    refusals: ['user_not_found'],
    handler: async ({ params, publisher, now }) => {
      const found = await service.getUser(deps.db.reader, publisher, params.publisher_user_id, now)
      const wallets = await readWallets(deps.db.reader, publisher, [found.user.userId])
      return presentStatus(publisher, found, wallets.get(found.user.userId))
    },
  })

  operation('GET /users/:publisher_user_id', {
    config: { scope: 'users:read' },
    id: 'getUser',
    summary: 'Get a user',
    description:
      'The user with their current status. To get a user whose identifier is `status`, use `GET /users?publisher_user_id=status`, because this path belongs to another operation.',
    params: UserParams,
    answer: USER.schema,
    example: USER.example,
    refusals: ['user_not_found'],
    handler: async ({ params, publisher, now }) =>
      presentUser(publisher, await service.getUser(deps.db.reader, publisher, params.publisher_user_id, now)),
  })
}

function changeRoutes(operation: PublisherOperation): void {
  operation('PATCH /users/:publisher_user_id', {
    config: { scope: 'users:write' },
    id: 'changeUser',
    summary: 'Update a user',
    description: 'Changes only the fields you send. Null clears a value.',
    params: UserParams,
    body: UserChangesSchema,
    answer: USER.schema,
    example: USER.example,
    refusals: ['attributes_invalid', 'user_not_found'],
    bodyExample: { email: 'ada@example.com' },
    handler: async ({ params, body, publisher, now, once }) => {
      const { email, primary_zip_code, attributes } = body
      const changes = {
        ...(email === undefined ? {} : { email }),
        ...(primary_zip_code === undefined ? {} : { primaryZipCode: primary_zip_code }),
        ...(attributes === undefined ? {} : { attributes: attributes === null ? null : formatAttributes(attributes) }),
      }
      return once(async (tx) =>
        presentUser(publisher, await service.changeUser(tx, publisher, params.publisher_user_id, changes, now)),
      )
    },
  })

  operation('DELETE /users/:publisher_user_id', {
    config: { scope: 'users:write' },
    id: 'deleteUser',
    summary: 'Deactivate a user',
    description:
      'Only for ACTIVE users and, with `pending=true`, users who have not accepted the terms. Cards are unlinked. Pending rewards still become available, but nothing new is earned. The status is INVALID in this response and INACTIVE in later ones.',
    params: UserParams,
    query: DeleteQuery,
    answer: USER.schema,
    example: { ...USER.example, account_status: 'INVALID' },
    refusals: ['user_not_found', 'user_not_active'],
    handler: ({ params, query, publisher, now, once }) =>
      once(async (tx) => {
        const pending = query.pending === 'true'
        const { user } = await service.deactivateUser(tx, publisher, params.publisher_user_id, now, { pending })
        // The user is INACTIVE from now on. Only this response has the status INVALID.
        return presentUser(publisher, { user, status: 'INVALID' })
      }),
  })

  operation('POST /users/:publisher_user_id/reactivate', {
    config: { scope: 'users:write' },
    id: 'reactivateUser',
    summary: 'Reactivate a user',
    description: 'The user is PENDING until they accept the current terms. Cards must be linked again.',
    params: UserParams,
    answer: USER.schema,
    example: { ...USER.example, account_status: 'PENDING' },
    refusals: ['user_not_found', 'user_not_inactive'],
    handler: ({ params, publisher, now, once }) =>
      once(async (tx) =>
        presentUser(publisher, await service.reactivateUser(tx, publisher, params.publisher_user_id, now)),
      ),
  })
}
