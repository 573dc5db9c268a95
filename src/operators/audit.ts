import type { Tx } from '../platform/database.ts'
import { newUuid } from '../platform/ids.ts'
import type { Actor } from './operator.ts'
import { insertAudit } from './queries.ts'

/** What somebody did: `action` is `thing.done`, `subject` the id of what it was done to. */
type Deed = {
  readonly actor: Actor
  readonly action: string
  readonly subject: string
  /** What it was and what it became, as far as that tells. Never anything secret. */
  readonly before?: object
  readonly after?: object
}

/** Writes down what was done, in the commit that does it, so that neither is there without the other. */
export async function audit(tx: Tx, { actor, before, after, ...deed }: Deed, now: Date): Promise<void> {
  await insertAudit(tx, {
    ...deed,
    auditId: newUuid(),
    at: now,
    actor: actor.id,
    actorName: actor.name,
    before: before ?? null,
    after: after ?? null,
  })
}
