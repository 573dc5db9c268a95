import Type, { type Static } from 'typebox'
import { enumOf, instantField, nullable } from '../platform/http/index.ts'
import { ROLES } from './operator.ts'
import type { AuditEntry } from './queries.ts'

const AUDIT_LIMIT_MAX = 500

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
      actor_name: Type.String({ description: 'What the operator or account is called.' }),
      action: Type.String({ description: 'What was done, as `thing.done`.' }),
      subject: Type.String({ description: 'Identifier of what it was done to.' }),
      before: nullable(
        Type.Object({}, { additionalProperties: true, description: 'What it was, as far as that tells.' }),
      ),
      after: nullable(Type.Object({}, { additionalProperties: true, description: 'What it became, likewise.' })),
    }),
    { description: 'What was done, the newest first.' },
  ),
})

export const WhoSchema = Type.Object({
  operator_id: Type.String({ description: 'Identifier of the operator.' }),
  name: Type.String({ description: 'Whom the key is for.' }),
  role: enumOf(ROLES, 'An admin may do everything; `catalog` changes what `support` may only look at.'),
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
