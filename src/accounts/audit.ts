import type { Tx } from '../platform/database.ts'
import { encodeId, newUuid, type PublisherId, type UserId } from '../platform/ids.ts'
import { type Actor, accountActor } from './actor.ts'
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

type OwnPerson = Parameters<typeof accountActor>[0] & {
  readonly publisherId?: PublisherId | null
  readonly userId?: UserId | null
}

/** Writes that a person changed how they themselves sign in. */
export async function auditOwn(
  tx: Tx,
  person: OwnPerson,
  action: 'accepted' | 'user_added' | 'password_changed' | 'password_reset' | 'totp_added' | 'totp_removed',
  now: Date,
): Promise<void> {
  const actor = accountActor(person)
  const { publisherId = null, userId = null } = person
  // An erasure of the user finds the entry by it.
  const ofUser =
    publisherId === null || userId === null
      ? {}
      : { after: { publisher_id: encodeId('pub', publisherId), svc_user_id: encodeId('usr', userId) } }
  await audit(tx, { actor, action: `account.${action}`, subject: actor.id, ...ofUser }, now)
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
