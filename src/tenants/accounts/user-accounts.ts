import type { Tx } from '../../platform/db/database.ts'
import { encodeId, type PublisherId, type UserId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { SessionId } from './account.ts'
import type { Actor } from './actor.ts'
import { audit } from './audit/audit.ts'
import type { AccountRefusal } from './errors.ts'
import { queueUserMail } from './mail/queries.ts'
import { endSessions } from './sessions.ts'
import { deleteSignUp, deleteUserAccount } from './sign-up-queries.ts'

type RemovedAccount = {
  readonly publisherId: PublisherId
  readonly userId: UserId
  /** The email address that the publisher has on file for the user. */
  readonly knownEmail: string | null
  readonly language: string
  /** The session to keep, if users remove their own account; null ends all sessions. */
  readonly stays: SessionId | null
}

/**
 * Returns true if removing the account requires its password. An account with the address that the publisher has on
 * file belongs to the user, and a session that began with a publisher's link does not prove that its holder is that
 * user. An account with any other address may be a thief's, so the user can remove it without the password.
 */
export function needsPasswordToRemove({ email }: { readonly email: string }, knownEmail: string | null): boolean {
  return knownEmail?.toLowerCase() === email.toLowerCase()
}

/**
 * Removes a user's account, its password and its passkeys, and ends the user's sessions except `stays`. Removes the
 * account no matter who opened it, so that a leaked publisher's link does not grant permanent access. Notifies both the
 * account's address and the publisher's address for the user.
 * @throws Refusal account_not_found
 */
export async function removeUserAccount(
  tx: Tx,
  { publisherId, userId, knownEmail, language, stays }: RemovedAccount,
  by: Actor,
  now: Date,
): Promise<void> {
  const removed = await deleteUserAccount(tx, { publisherId, userId })
  if (removed === null) throw accountNotFound()
  await deleteSignUp(tx, { publisherId, userId })
  await endSessions(tx, { userId }, stays)
  const realm = { publisherId, language }
  for (const email of new Set([removed.email, knownEmail ?? removed.email]))
    await queueUserMail(tx, realm, { kind: 'account_removed', email, userId }, now)
  // An erasure finds the entry by these IDs.
  const after = { publisher_id: encodeId('pub', publisherId), svc_user_id: encodeId('usr', userId) }
  const subject = encodeId('acc', removed.accountId)
  await audit(tx, { actor: by, action: 'account.user_removed', subject, after }, now)
}

export function accountNotFound(): Refusal<AccountRefusal> {
  return new Refusal<AccountRefusal>('account_not_found', 'This user has no account.')
}
