import { presentRows } from '../actor-names.ts'
import type { OperatorDeps } from '../operator-deps.ts'
import { listOperation } from '../operator-lists.ts'
import type { OperatorOperation } from '../operator-operations.ts'
import { AUDIT_ENTRY, AUDIT_LIST } from './queries.ts'

/** Registers the route for the audit log, including the names of the people it is about. */
export function auditRoute(operation: OperatorOperation, { db }: OperatorDeps): void {
  listOperation(operation, db, {
    route: 'GET /operator/audit',
    permission: 'audit:read',
    id: 'listAudit',
    summary: 'List audit log entries, newest first',
    description: 'Each entry is written in the same commit as its action and never changed.',
    list: AUDIT_LIST,
    resource: AUDIT_ENTRY,
    present: async (rows) => {
      const entries = await presentRows(db.reader, AUDIT_ENTRY, rows)
      // For a subject that is neither a person nor an operator, the lookup returns the subject unchanged.
      return entries.map((entry) => ({
        ...entry,
        subject_name: entry.subject_name === entry.subject ? null : entry.subject_name,
      }))
    },
  })
}
