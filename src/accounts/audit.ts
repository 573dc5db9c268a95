import type { Tx } from '../platform/database.ts'
import { encodeId, newUuid, type PublisherId, type UserId } from '../platform/ids.ts'
import { type Actor, accountActor } from './actor.ts'
import { insertAudit } from './audit-queries.ts'
import { queueSecurityMail, type SecurityMailKind } from './mail/queries.ts'

/** An entry of the audit log: `action` is `thing.done`, `subject` the id of the thing. */
type Audited = {
  readonly actor: Actor
  readonly action: string
  readonly subject: string
  /** The relevant state before and after. Never anything secret. */
  readonly before?: object
  readonly after?: object
}

// Changes to how a person signs in, and the mail that notifies them in case it was somebody else.
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
type OwnPerson = Parameters<typeof accountActor>[0] & {
  readonly publisherId?: PublisherId | null
  readonly userId?: UserId | null
}

/**
 * Audits that a person changed how they sign in, and notifies staff of security changes by mail. Mails to users are
 * queued elsewhere, because they are written in the words and language of their portal.
 */
export async function auditOwn(tx: Tx, person: OwnPerson, { action, ...states }: OwnChange, now: Date): Promise<void> {
  const actor = accountActor(person)
  const { publisherId = null, userId = null } = person
  // An erasure finds the user's entries by these ids.
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
