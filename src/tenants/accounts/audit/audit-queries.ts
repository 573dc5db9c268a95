import type { Reader, Tx } from '../../../platform/db/database.ts'
import { type Walk, type Walked, walk } from '../../../platform/db/keyset.ts'
import { firstUuidAt } from '../../../platform/ids.ts'

export type AuditEntry = {
  readonly auditId: string
  readonly at: Date
  readonly actor: string
  readonly actorName: string
  readonly action: string
  readonly subject: string
  readonly before: unknown
  readonly after: unknown
}

export async function insertAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const json = (value: unknown) => (value === null ? null : tx.json(value as never))
  await tx`
    insert into audit_log (audit_id, at, actor, actor_name, action, subject, before, after)
    values (${entry.auditId}, ${entry.at}, ${entry.actor}, ${entry.actorName}, ${entry.action}, ${entry.subject},
      ${json(entry.before)}, ${json(entry.after)})`
}

type AuditFilter = { readonly subject: string | null; readonly actor: string | null; readonly limit: number }

/** Lists entries, newest first. */
export async function listAudit(reader: Reader, { subject, actor, limit }: AuditFilter): Promise<AuditEntry[]> {
  return reader<AuditEntry[]>`
    select audit_id, at, actor, actor_name, action, subject, before, after
    from audit_log
    where (${subject}::text is null or subject = ${subject}) and (${actor}::text is null or ${actor} in (actor, actor_name))
    order by audit_id desc
    limit ${limit}`
}

type AuditAsked = {
  readonly subject: string | null
  /** Matches the actor's ID or name. */
  readonly actor: string | null
  readonly action: string | null
  /** The period: `from` is inclusive, `until` exclusive. */
  readonly from: Date | null
  readonly until: Date | null
}

/** Returns a page of the log. Entry IDs are time-ordered, so the period is filtered by ID. */
export async function walkAudit(reader: Reader, asked: AuditAsked, paging: Walk): Promise<Walked<AuditEntry>> {
  const { subject, actor, action, from, until } = asked
  return walk<AuditEntry>(
    reader,
    {
      columns: reader`a.audit_id, a.at, a.actor, a.actor_name, a.action, a.subject, a.before, a.after`,
      table: 'audit_log',
      alias: 'a',
      id: reader`a.audit_id`,
      key: { column: reader`a.audit_id`, type: 'id' },
      indexed: reader`
        true
        ${subject === null ? reader`` : reader`and a.subject = ${subject}`}
        ${from === null ? reader`` : reader`and a.audit_id >= ${firstUuidAt(from)}`}
        ${until === null ? reader`` : reader`and a.audit_id < ${firstUuidAt(until)}`}`,
      others:
        actor === null && action === null
          ? null
          : reader`
            ${actor === null ? reader`` : reader`and ${actor} in (a.actor, a.actor_name)`}
            ${action === null ? reader`` : reader`and a.action = ${action}`}`,
    },
    paging,
  )
}
