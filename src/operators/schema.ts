import Type, { type Static } from 'typebox'
import { enumOf, instantField, nullable } from '../platform/http/index.ts'
import { ROLES } from './operator.ts'
import type { AuditEntry } from './queries.ts'

export const AUDIT_LIMIT_MAX = 500

export const AuditQuery = Type.Object(
  {
    subject: Type.Optional(Type.String({ maxLength: 255, description: 'Only what was done to this.' })),
    actor: Type.Optional(Type.String({ maxLength: 255, description: 'Only what this one did, by id or name.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: AUDIT_LIMIT_MAX, description: 'Default 100.' })),
  },
  { additionalProperties: false },
)

export const AuditSchema = Type.Object({
  content: Type.Array(
    Type.Object({
      at: instantField('When.'),
      actor: Type.String({ description: 'An operator (opr_…), or local: and the account that ran a command.' }),
      actor_name: Type.String(),
      action: Type.String(),
      subject: Type.String(),
      before: nullable(Type.Object({}, { additionalProperties: true })),
      after: nullable(Type.Object({}, { additionalProperties: true })),
    }),
  ),
})

export const WhoSchema = Type.Object({
  operator_id: Type.String(),
  name: Type.String(),
  role: enumOf(ROLES),
})

export function presentAudit(entry: AuditEntry): Static<typeof AuditSchema>['content'][number] {
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
