import type { FastifyRequest } from 'fastify'
import type { App } from '../../../platform/http/index.ts'
import { encodeId } from '../../../platform/ids.ts'
import {
  type Actor,
  changePerson,
  inviteAgain,
  invitePerson,
  listPeople,
  PERSON,
  STAFF_ROLES,
} from '../../accounts/index.ts'
import type { Publisher } from '../../publishers/index.ts'
import { type OperationDeps, publisherOperations } from '../publisher-operations.ts'
import { AccountParams, buildStaffSchemas, PeopleSchema, parseAccountId } from './schema.ts'

const { InvitationSchema, ChangeSchema } = buildStaffSchemas('PublisherStaff', STAFF_ROLES)
const example = { ...PERSON.example, publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v' }
// The account verbs write their own audit entries, with the state before and after, as they do for operators.
const CHANGES = { scope: 'staff:write', isAuditedByVerb: true } as const

/** Registers the operations on the publisher's staff, who sign in at the console and see only their own publisher. */
export function publisherStaffRoutes(app: App, deps: OperationDeps): void {
  const { db, clock } = deps
  const operation = publisherOperations(app, deps, 'Accounts')
  operation('GET /staff', {
    config: { scope: 'staff:read' },
    id: 'listPublisherStaff',
    summary: "List the publisher's staff",
    description: 'Includes people who are invited or disabled, but not portal users.',
    answer: PeopleSchema,
    example: { content: [example] },
    handler: async ({ publisher }) => ({ content: (await listPeople(db.reader, publisher.id)).map(PERSON.present) }),
  })
  operation('POST /staff', {
    config: CHANGES,
    id: 'invitePublisherStaff',
    summary: "Invite a person to the publisher's staff",
    description:
      'Sends an email with a link for setting a password within seven days. The response does not reveal whether the address has an account at another company; only the email does.',
    body: InvitationSchema,
    bodyExample: { email: 'mara@example.com', role: 'support' },
    answer: PERSON.schema,
    example: { ...example, status: 'invited' },
    refusals: ['email_taken'],
    handler: async ({ body, publisher, request, once }) =>
      once(async (tx) =>
        PERSON.present(
          await invitePerson(tx, { ...body, publisherId: publisher.id }, readActor(request, publisher), clock.now()),
        ),
      ),
  })
  operation('POST /staff/:account_id/invite', {
    config: CHANGES,
    id: 'invitePublisherStaffAgain',
    summary: "Resend an invitation to a member of the publisher's staff",
    description: 'The previous link keeps working until it is seven days old.',
    params: AccountParams,
    answer: PERSON.schema,
    example: { ...example, status: 'invited' },
    refusals: ['account_not_found', 'account_active'],
    handler: async ({ params, publisher, request, once }) => {
      const target = { accountId: parseAccountId(params.account_id), publisherId: publisher.id }
      return once(async (tx) =>
        PERSON.present(await inviteAgain(tx, target, readActor(request, publisher), clock.now())),
      )
    },
  })
  operation('PATCH /staff/:account_id', {
    config: CHANGES,
    id: 'changePublisherStaff',
    summary: "Change the role of a member of the publisher's staff, or disable them",
    description:
      'Ends their sessions, so the change takes effect immediately. Nobody can change their own account this way.',
    params: AccountParams,
    body: ChangeSchema,
    bodyExample: { disabled: true },
    answer: PERSON.schema,
    example: { ...example, status: 'disabled' },
    refusals: ['account_not_found', 'own_account'],
    handler: async ({ params, body, publisher, request, once }) => {
      const change = { accountId: parseAccountId(params.account_id), publisherId: publisher.id, ...body }
      return once(async (tx) =>
        PERSON.present(await changePerson(tx, change, readActor(request, publisher), clock.now())),
      )
    },
  })
}

/** Returns the actor behind a publisher's request: a person, or a program with the publisher's key. */
export function readActor({ actor, caller }: FastifyRequest, { id, name }: Publisher): Actor {
  return actor ?? { id: caller?.['key_id'] ?? encodeId('pub', id), name }
}
