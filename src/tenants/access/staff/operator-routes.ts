import { changePerson, inviteAgain, invitePerson, listPeople, PERSON, ROLES } from '../../accounts/index.ts'
import type { OperatorDeps } from '../operator-deps.ts'
import type { OperatorOperation } from '../operator-operations.ts'
import { AccountParams, buildStaffSchemas, PeopleSchema, parseAccountId } from './schema.ts'

const { InvitationSchema, ChangeSchema } = buildStaffSchemas('Staff', ROLES)

/** Registers the routes for the operating company's staff, who sign in at the console. */
export function staffRoutes(operation: OperatorOperation, { db, clock }: OperatorDeps): void {
  operation('GET /operator/staff', {
    config: { permission: 'staff:read' },
    id: 'listStaff',
    summary: "List the operating company's staff",
    description: 'Includes people who are invited or disabled. Keys used by programs are not listed.',
    answer: PeopleSchema,
    example: { content: [PERSON.example] },
    handler: async () => ({ content: (await listPeople(db.reader, null)).map(PERSON.present) }),
  })
  operation('POST /operator/staff', {
    config: { permission: 'staff:change' },
    id: 'inviteStaff',
    summary: 'Invite a staff member',
    description: 'They receive an email with a link to set their password within seven days.',
    body: InvitationSchema,
    bodyExample: { email: 'mara@example.com', role: 'support' },
    answer: PERSON.schema,
    example: { ...PERSON.example, status: 'invited' },
    refusals: ['email_taken'],
    handler: async ({ body, actor, once }) =>
      once(async (tx) => PERSON.present(await invitePerson(tx, { ...body, publisherId: null }, actor, clock.now()))),
  })
  operation('POST /operator/staff/:account_id/invite', {
    config: { permission: 'staff:change' },
    id: 'inviteStaffAgain',
    summary: 'Resend an invitation',
    description: 'The previous link keeps working until it is seven days old.',
    params: AccountParams,
    answer: PERSON.schema,
    example: { ...PERSON.example, status: 'invited' },
    refusals: ['account_not_found', 'account_active'],
    handler: async ({ params, actor, once }) =>
      once(async (tx) => PERSON.present(await inviteAgain(tx, toTarget(params), actor, clock.now()))),
  })
  operation('PATCH /operator/staff/:account_id', {
    config: { permission: 'staff:change' },
    id: 'changeStaff',
    summary: "Change a staff member's role or disable them",
    description:
      'Ends their sessions, so the change takes effect immediately. Nobody can change their own account this way.',
    params: AccountParams,
    body: ChangeSchema,
    bodyExample: { disabled: true },
    answer: PERSON.schema,
    example: { ...PERSON.example, status: 'disabled' },
    refusals: ['account_not_found', 'own_account'],
    handler: async ({ params, body, actor, once }) =>
      once(async (tx) => PERSON.present(await changePerson(tx, { ...toTarget(params), ...body }, actor, clock.now()))),
  })
}

const toTarget = ({ account_id: uid }: { readonly account_id: string }) => ({
  accountId: parseAccountId(uid),
  publisherId: null,
})
