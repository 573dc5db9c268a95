import type { Reader, Tx } from '../../../platform/db/database.ts'

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
