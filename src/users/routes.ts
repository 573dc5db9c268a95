import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { balancesOf } from '../ledger/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import {
  type App,
  emailField,
  idField,
  operation,
  pageExample,
  pageOf,
  pageQuery,
  pageSchema,
  sortOf,
  strictObject,
} from '../platform/http/index.ts'
import { listCountOf } from '../platform/list-counts.ts'
import { answerOnce, publisherNow, publisherOf } from '../publishers/index.ts'
import type { Vault } from '../secrets/index.ts'
import { attributesText } from './attributes.ts'
import { countUsersByEmail, listUsers, USER_SORTS } from './queries.ts'
import {
  AcceptedSchema,
  NewUserSchema,
  presentStatus,
  presentUser,
  UserChangesSchema,
  UserParams,
  UserSchema,
  UserStatusSchema,
} from './schema.ts'
import * as service from './service.ts'

type Deps = { readonly db: Database; readonly clock: Clock; readonly vault: Vault }

const example = {
  svc_user_id: 'usr_6n8m1v3w9f8x2r5t7y0qzkc4ha',
  publisher_user_id: 'user-1',
  email: 'ada@example.com',
  primary_zip_code: '10001',
  account_status: 'ACTIVE',
  attributes: '{"plan":"gold"}',
  created_at: '2026-11-21T10:15:30:Z',
  updated_at: '2026-11-21T10:15:30:Z',
}
const statusExample = {
  publisher_user_id: 'user-1',
  email: 'ada@example.com',
  account_status: 'ACTIVE',
  pending_cashback: 3.5,
  available_cashback: 12,
  total_earned_cashback: 15.5,
}

export function userRoutes(app: App, deps: Deps): void {
  registrationRoutes(app, deps)
  listRoutes(app, deps)
  lifeRoutes(app, deps)
}

/** The publisher of a request, and the instant by its clock. */
function askedOf(request: FastifyRequest, { clock }: Deps) {
  const publisher = publisherOf(request)
  return { publisher, now: publisherNow(publisher, clock) }
}

function registrationRoutes(app: App, deps: Deps): void {
  app.post(
    '/users',
    operation({
      config: { scope: 'users:write' },
      id: 'createUser',
      summary: 'Register a user',
      tag: 'Users',
      body: NewUserSchema,
      answer: UserSchema,
      example: { ...example, account_status: 'PENDING' },
      bodyExample: {
        publisher_user_id: 'user-1',
        email: 'ada@example.com',
        primary_zip_code: '10001',
        attributes: { plan: 'gold' },
      },
      refusals: [409, 422],
    }),
    async (request, reply) => {
      const { publisher, now } = askedOf(request, deps)
      const { publisher_user_id, email, primary_zip_code, attributes } = request.body
      const input = {
        publisherUserId: publisher_user_id,
        email: email ?? null,
        primaryZipCode: primary_zip_code ?? null,
        attributes: attributes === undefined ? null : attributesText(attributes),
      }
      return answerOnce(deps, request, reply, async (tx) => {
        const { user, status } = await service.createUser(tx, publisher, input, now)
        return presentUser(publisher, user, status)
      })
    },
  )

  const Acceptance = {
    publisher_user_id: idField("The publisher's identifier of the user."),
    tnc_id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
  }
  app.post(
    '/terms/accept',
    {
      ...operation({
        config: { scope: 'terms:write' },
        id: 'acceptTerms',
        summary: 'Accept the terms for a user',
        tag: 'Terms',
        answer: AcceptedSchema,
        refusals: [404, 409, 422],
        description: 'Both parameters are accepted in the JSON body or in the query.',
        body: strictObject(Acceptance),
        query: Type.Partial(strictObject(Acceptance), { additionalProperties: false }),
        bodyExample: { publisher_user_id: 'user-1', tnc_id: 1 },
        example: { publisher_user_id: 'user-1', email: 'ada@example.com', account_status: 'ACTIVE' },
      }),
      preValidation: async (request) => {
        // Parameters of the query apply where the body has none.
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
    },
    async (request, reply) => {
      const { publisher, now } = askedOf(request, deps)
      const { publisher_user_id, tnc_id } = request.body
      return answerOnce(deps, request, reply, async (tx) => {
        const { user, status } = await service.acceptTerms(tx, publisher, publisher_user_id, tnc_id, now)
        return { publisher_user_id: user.publisherUserId, email: user.email, account_status: status }
      })
    },
  )
}

function listRoutes(app: App, deps: Deps): void {
  app.get(
    '/users',
    operation({
      config: { scope: 'users:read' },
      id: 'listUsers',
      summary: 'List users',
      tag: 'Users',
      answer: pageSchema(UserSchema),
      example: pageExample([example]),
      query: strictObject({ email: Type.Optional(emailField()), ...pageQuery }),
    }),
    async (request) => {
      const { publisher, now } = askedOf(request, deps)
      const paging = sortOf(request.query, USER_SORTS)
      const email = request.query.email ?? null
      const users = await listUsers(deps.db.reader, publisher.id, { email, ...paging })
      const total =
        email === null
          ? await listCountOf(deps.db.reader, publisher.id, 'users')
          : await countUsersByEmail(deps.db.reader, publisher.id, email)
      const shown = await service.withStatus(deps.db.reader, publisher, users, now)
      const content = shown.map(({ user, status }) => presentUser(publisher, user, status))
      return pageOf(content, total, paging)
    },
  )

  app.get(
    '/users/status',
    operation({
      config: { scope: 'users:read' },
      id: 'listUserStatus',
      summary: 'Status and reward totals of all users',
      tag: 'Users',
      answer: pageSchema(UserStatusSchema),
      query: strictObject(pageQuery),
      example: pageExample([statusExample]),
    }),
    async (request) => {
      const { publisher, now } = askedOf(request, deps)
      const paging = sortOf(request.query, USER_SORTS)
      const users = await listUsers(deps.db.reader, publisher.id, { email: null, ...paging })
      const shown = await service.withStatus(deps.db.reader, publisher, users, now)
      const userIds = users.map((user) => user.userId)
      const balances = await balancesOf(deps.db.reader, publisher, userIds)
      const total = await listCountOf(deps.db.reader, publisher.id, 'users')
      const content = shown.map(({ user, status }) => presentStatus(publisher, user, status, balances.get(user.userId)))
      return pageOf(content, total, paging)
    },
  )
}

function lifeRoutes(app: App, deps: Deps): void {
  app.get(
    '/users/status/:publisher_user_id',
    operation({
      config: { scope: 'users:read' },
      id: 'getUserStatus',
      summary: 'Status and reward totals of one user',
      tag: 'Users',
      params: UserParams,
      answer: UserStatusSchema,
      example: statusExample,
      refusals: [404],
    }),
    async (request) => {
      const { publisher, now } = askedOf(request, deps)
      const { user, status } = await service.getUser(deps.db.reader, publisher, request.params.publisher_user_id, now)
      const balances = await balancesOf(deps.db.reader, publisher, [user.userId])
      return presentStatus(publisher, user, status, balances.get(user.userId))
    },
  )

  app.get(
    '/users/:publisher_user_id',
    operation({
      config: { scope: 'users:read' },
      id: 'getUser',
      summary: 'One user',
      tag: 'Users',
      params: UserParams,
      answer: UserSchema,
      example,
      refusals: [404],
    }),
    async (request) => {
      const { publisher, now } = askedOf(request, deps)
      const { user, status } = await service.getUser(deps.db.reader, publisher, request.params.publisher_user_id, now)
      return presentUser(publisher, user, status)
    },
  )

  app.patch(
    '/users/:publisher_user_id',
    operation({
      config: { scope: 'users:write' },
      id: 'changeUser',
      summary: 'Change a user',
      tag: 'Users',
      params: UserParams,
      body: UserChangesSchema,
      answer: UserSchema,
      example,
      refusals: [404],
      bodyExample: { email: 'ada@example.com' },
    }),
    async (request) => {
      const { publisher, now } = askedOf(request, deps)
      const { email, primary_zip_code, attributes } = request.body
      const changes = {
        ...(email === undefined ? {} : { email }),
        ...(primary_zip_code === undefined ? {} : { primaryZipCode: primary_zip_code }),
        ...(attributes === undefined ? {} : { attributes: attributes === null ? null : attributesText(attributes) }),
      }
      return deps.db.transaction(async (tx) => {
        const { user, status } = await service.changeUser(tx, publisher, request.params.publisher_user_id, changes, now)
        return presentUser(publisher, user, status)
      })
    },
  )

  app.delete(
    '/users/:publisher_user_id',
    operation({
      config: { scope: 'users:write' },
      id: 'deleteUser',
      summary: 'Deactivate a user',
      tag: 'Users',
      params: UserParams,
      answer: UserSchema,
      example: { ...example, account_status: 'INVALID' },
      refusals: [404, 409],
    }),
    async (request, reply) => {
      const { publisher, now } = askedOf(request, deps)
      return answerOnce(deps, request, reply, async (tx) => {
        const { user } = await service.deactivateUser(tx, publisher, request.params.publisher_user_id, now)
        // INACTIVE from now on; only this response says INVALID.
        return presentUser(publisher, user, 'INVALID')
      })
    },
  )

  app.post(
    '/users/:publisher_user_id/reactivate',
    operation({
      config: { scope: 'users:write' },
      id: 'reactivateUser',
      summary: 'Reactivate a user',
      tag: 'Users',
      params: UserParams,
      answer: UserSchema,
      example: { ...example, account_status: 'PENDING' },
      refusals: [404, 409],
    }),
    async (request, reply) => {
      const { publisher, now } = askedOf(request, deps)
      return answerOnce(deps, request, reply, async (tx) => {
        const { user, status } = await service.reactivateUser(tx, publisher, request.params.publisher_user_id, now)
        return presentUser(publisher, user, status)
      })
    },
  )
}
