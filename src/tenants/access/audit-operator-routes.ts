import Type, { type Static } from 'typebox'
import type { Reader } from '../../platform/db/database.ts'
import {
  instantField,
  namedObject,
  nullable,
  strictObject,
  walkExample,
  walkedPage,
  walkOf,
  walkQuery,
  walkSchema,
} from '../../platform/http/index.ts'
import { type AuditEntry, walkAudit } from '../accounts/index.ts'
import { withActorNames } from './actor-names.ts'
import type { OperatorDeps } from './operator-deps.ts'
import type { OperatorOperation } from './operator-operations.ts'

const AUDIT_LIMIT = 100
const AUDIT_ORDER = '-at'
const AUDIT_LIMIT_MAX = 500

const AuditQuery = strictObject({
  subject: Type.Optional(Type.String({ maxLength: 255, description: 'Only entries about this subject.' })),
  actor: Type.Optional(
    Type.String({ maxLength: 255, description: 'Only entries by this actor, given by id or name.' }),
  ),
  action: Type.Optional(
    Type.String({ maxLength: 255, description: 'Only entries for this action, such as key.created.' }),
  ),
  from: Type.Optional(instantField('Only entries at or after this time.')),
  to: Type.Optional(instantField('Only entries before this time.')),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: AUDIT_LIMIT_MAX, description: 'Defaults to 100.' })),
  cursor: walkQuery.cursor,
})

const AuditEntrySchema = namedObject('AuditEntry', {
  at: instantField('When the action happened.'),
  actor: Type.String({ description: 'An operator (opr_…), or local: followed by the account that ran the command.' }),
  actor_name: Type.String({ description: 'Name of the operator or account.' }),
  action: Type.String({ description: 'The action, as `thing.done`.' }),
  subject: Type.String({ description: 'ID of the subject.' }),
  subject_name: nullable(
    Type.String({ description: 'Name of the person or operator the entry is about, or null for any other subject.' }),
  ),
  before: nullable(Type.Object({}, { additionalProperties: true, description: 'Relevant state before the action.' })),
  after: nullable(Type.Object({}, { additionalProperties: true, description: 'Relevant state after the action.' })),
})
const AuditSchema = walkSchema(AuditEntrySchema)

/** Registers the route for the audit log, including the names of the people it is about. */
export function auditRoute(operation: OperatorOperation, deps: OperatorDeps): void {
  operation('GET /operator/audit', {
    config: { permission: 'audit:read' },
    id: 'listAudit',
    summary: 'List audit log entries, newest first',
    description: 'Each entry is written in the same commit as its action and never changed.',
    query: AuditQuery,
    answer: AuditSchema,
    example: walkExample([
      {
        at: '2026-11-21T10:15:30.000Z',
        actor: 'opr_01kbjyt5v3f4nvj5yq5yfypr9v',
        actor_name: 'Ada',
        action: 'catalog.imported',
        subject: 'catalog',
        subject_name: null,
        before: null,
        after: { version: 17, offers_changed: 2 },
      },
    ]),
    handler: async ({ query }) => {
      const { subject = null, actor = null, action = null, from, to, limit = AUDIT_LIMIT } = query
      const asked = {
        subject,
        actor,
        action,
        from: from === undefined ? null : new Date(from),
        until: to === undefined ? null : new Date(to),
      }
      const found = await walkAudit(deps.db.reader, asked, walkOf({ ...query, limit }, AUDIT_ORDER, 'id'))
      const { content, next_cursor } = walkedPage(found, AUDIT_ORDER, presentAudit)
      return { content: await withSubjectNames(deps.db.reader, content), next_cursor }
    },
  })
}

type ShownEntry = Static<typeof AuditEntrySchema>

/** Adds the names of subjects that are people or operators. Other subjects have none. */
async function withSubjectNames(
  reader: Reader,
  entries: readonly Omit<ShownEntry, 'subject_name'>[],
): Promise<ShownEntry[]> {
  const named = await withActorNames(reader, entries, 'subject')
  return named.map((entry) => ({
    ...entry,
    subject_name: entry.subject_name === entry.subject ? null : entry.subject_name,
  }))
}

function presentAudit(entry: AuditEntry): Omit<ShownEntry, 'subject_name'> {
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
