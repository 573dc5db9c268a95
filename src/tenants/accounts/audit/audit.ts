import type { Tx } from '../../../platform/db/database.ts'
import { encodeId, newUuid, type PublisherId, type UserId } from '../../../platform/ids.ts'
import { type Actor, toAccountActor } from '../actor.ts'
import { queueSecurityMail, type SecurityMailKind } from '../mail/queries.ts'
import { insertAudit } from './audit-queries.ts'

/** An audit log entry. `action` has the form `thing.done`, and `subject` is the ID of the thing. */
type Audited = {
  readonly actor: Actor
  readonly action: string
  readonly subject: string
  /** The relevant state before and after the action. Never contains secrets. */
  readonly before?: object
  readonly after?: object
}

// Changes to how a person signs in, each with the email that alerts the person in case someone else made it.
const MAILS = {
  accepted: null,
  user_added: null,
  password_changed: 'changed',
  password_reset: 'changed',
  totp_added: 'totp_added',
  totp_removed: 'totp_removed',
  passkey_added: 'passkey_added',
  passkey_renamed: null,
  passkey_removed: 'passkey_removed',
} as const satisfies Readonly<Record<string, SecurityMailKind | null>>

type OwnChange = Pick<Audited, 'before' | 'after'> & { readonly action: keyof typeof MAILS }
type OwnPerson = Parameters<typeof toAccountActor>[0] & {
  readonly publisherId?: PublisherId | null
  readonly userId?: UserId | null
}

/**
 * Records a person's change to how they sign in, and alerts staff to security changes by email. Emails to users are
 * queued elsewhere because they use the wording and language of the portal.
 */
export async function auditOwn(tx: Tx, person: OwnPerson, { action, ...states }: OwnChange, now: Date): Promise<void> {
  const actor = toAccountActor(person)
  const { publisherId = null, userId = null } = person
  // An erasure finds the user's entries by these IDs.
  const ofUser =
    publisherId === null || userId === null
      ? {}
      : {
          after: {
            ...states.after,
            publisher_id: encodeId('pub', publisherId),
            svc_user_id: encodeId('usr', userId),
          },
        }
  await audit(tx, { actor, action: `account.${action}`, subject: actor.id, ...states, ...ofUser }, now)
  const kind = MAILS[action]
  if (kind !== null && userId === null) await queueSecurityMail(tx, { kind, accountId: person.accountId }, now)
}

/** Writes an entry in the same transaction as the action, so that neither exists without the other. */
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
