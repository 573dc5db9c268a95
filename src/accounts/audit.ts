import type { Tx } from '../platform/database.ts'
import { newUuid } from '../platform/ids.ts'
import type { Actor } from './actor.ts'
import { insertAudit } from './audit-queries.ts'

/** An entry of the audit log: `action` is `thing.done`, `subject` the id of the thing. */
type Audited = {
  readonly actor: Actor
  readonly action: string
  readonly subject: string
  /** The relevant state before and after. Never anything secret. */
  readonly before?: object
  readonly after?: object
}

/** Writes an entry in the same commit as the action, so that neither exists without the other. */
export async function audit(tx: Tx, { actor, before, after, ...action }: Audited, now: Date): Promise<void> {
  await insertAudit(tx, {
    ...action,
    auditId: newUuid(),
    at: now,
    actor: actor.id,
    actorName: actor.name,
    before: before ?? null,
    after: after ?? null,
  })
}
