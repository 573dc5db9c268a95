import Type, { type Static } from 'typebox'
import { type AuditEntry, ROLES } from '../accounts/index.ts'
import {
  enumOf,
  instantField,
  namedObject,
  nullable,
  strictObject,
  walkQuery,
  walkSchema,
} from '../platform/http/index.ts'
import { PERMISSIONS } from './permissions.ts'

const AUDIT_LIMIT_MAX = 500

export const AuditQuery = strictObject({
  subject: Type.Optional(Type.String({ maxLength: 255, description: 'Only entries on this subject.' })),
  actor: Type.Optional(Type.String({ maxLength: 255, description: 'Only entries of this actor, by id or name.' })),
  action: Type.Optional(
    Type.String({ maxLength: 255, description: 'Only entries of this action, such as key.created.' }),
  ),
  from: Type.Optional(instantField('Only entries made then or later.')),
  to: Type.Optional(instantField('Only entries made earlier.')),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: AUDIT_LIMIT_MAX, description: 'Default 100.' })),
  cursor: walkQuery.cursor,
})

const AuditEntrySchema = namedObject('AuditEntry', {
  at: instantField('When.'),
  actor: Type.String({ description: 'An operator (opr_…), or local: and the account that ran a command.' }),
  actor_name: Type.String({ description: 'Name of the operator or account.' }),
  action: Type.String({ description: 'The action, as `thing.done`.' }),
  subject: Type.String({ description: 'Identifier of the subject.' }),
  before: nullable(Type.Object({}, { additionalProperties: true, description: 'The relevant state before.' })),
  after: nullable(Type.Object({}, { additionalProperties: true, description: 'The relevant state after.' })),
})
export const AuditSchema = walkSchema(AuditEntrySchema)

export const WhoSchema = namedObject('Operator', {
  operator_id: Type.String({ description: 'Identifier of the operator.' }),
  name: Type.String({ description: 'Name of the operator.' }),
  role: enumOf(ROLES, 'What they do; an admin may do everything.'),
  permissions: Type.Array(enumOf(PERMISSIONS), { description: 'What the role allows.' }),
})

export function presentAudit(entry: AuditEntry): Static<typeof AuditEntrySchema> {
  return {
    at: entry.at.toISOString(),
    actor: entry.actor,
    actor_name: entry.actorName,
    action: entry.action,
    subject: entry.subject,
    before: entry.before as Record<string, unknown> | null,
    after: entry.after as Record<string, unknown> | null,
  }
}
