import Type from 'typebox'
import { type Reader, selectColumns } from '../../../platform/db/database.ts'
import { instantField, nullable } from '../../../platform/http/index.ts'
import { buildFirstUuid } from '../../../platform/ids.ts'
import { instant, json, text } from '../../../platform/resource/fields.ts'
import { column, type ResourceRow, resource } from '../../../platform/resource/resource.ts'
import { actorName } from '../actor-names.ts'
import { equals, type OperatorList, unindexed } from '../list-queries.ts'

export const AUDIT_ENTRY = resource(
  'AuditEntry',
  {
    at: {
      ...instant({ example: '2026-11-21T10:15:30.000Z' }),
      schema: instantField('When the action happened.'),
    },
    actor: text({
      example: 'opr_01kbjyt5v3f4nvj5yq5yfypr9v',
      description: 'An operator (opr_…), or local: followed by the account that ran the command.',
    }),
    actor_name: text({ example: 'Ada', description: 'Name of the operator or account.' }),
    action: text({ example: 'catalog.imported', description: 'The action, as `thing.done`.' }),
    subject: text({ example: 'catalog', description: 'ID of the subject.' }),
    subject_name: {
      ...actorName({ of: 'subject', example: null }),
      schema: nullable(
        Type.String({
          description: 'Name of the person or operator the entry is about, or null for any other subject.',
        }),
      ),
    },
    before: json({ nullable: true, example: null, description: 'Relevant state before the action.' }),
    after: json({
      nullable: true,
      example: { version: 17, offers_changed: 2 },
      description: 'Relevant state after the action.',
    }),
  },
  { auditId: column<string>() },
)

// Entry IDs are time-ordered, so they work for both sorting and filtering by date.
const BY_ID = { type: 'id', column: 'audit_id' } as const
const nameParameter = (description: string) => Type.String({ maxLength: 255, description })

/** The audit log, newest first. */
export const AUDIT_LIST: OperatorList<ResourceRow<typeof AUDIT_ENTRY>> = {
  table: 'audit_log',
  id: 'auditId',
  columns: (reader) => selectColumns(reader, 'audit_log', AUDIT_ENTRY.columns),
  sorts: { '-at': BY_ID, at: BY_ID },
  filters: {
    subject: equals('subject', nameParameter('Only entries about this subject.')),
    actor: {
      parameter: nameParameter('Only entries by this actor, identified by id or name.'),
      unindexed: true,
      where: (reader: Reader, table: string, value: string) =>
        reader`${value} in (${reader(table)}.actor, ${reader(table)}.actor_name)`,
    },
    action: unindexed(equals('action', nameParameter('Only entries for this action, such as key.created.'))),
    from: {
      parameter: instantField('Only entries at or after this time.'),
      where: (reader: Reader, table: string, value: string) =>
        reader`${reader(table)}.audit_id >= ${buildFirstUuid(new Date(value))}`,
    },
    to: {
      parameter: instantField('Only entries before this time.'),
      where: (reader: Reader, table: string, value: string) =>
        reader`${reader(table)}.audit_id < ${buildFirstUuid(new Date(value))}`,
    },
  },
}
