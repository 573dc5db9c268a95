import type { Tx } from '../platform/database.ts'
import { encodeId, type PublisherId, type UserId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import type { SessionId } from './account.ts'
import type { Actor } from './actor.ts'
import { audit } from './audit.ts'
import type { AccountRefusal } from './errors.ts'
import { queueUserMail } from './mail/queries.ts'
import { endSessions } from './sessions.ts'
import { deleteSignUp, deleteUserAccount } from './sign-up-queries.ts'

type RemovedAccount = {
  readonly publisherId: PublisherId
  readonly userId: UserId
  /** The address that the publisher has for the user. */
  readonly knownEmail: string | null
  readonly language: string
  /** The session that removes it, if it is the user's; null ends all of them. */
  readonly stays: SessionId | null
}

/**
 * A session that began by a publisher's link proves nothing to an account of the address that the publisher knows: it
 * needs its password. One of another address may be a thief's, so the user can remove it without.
 */
export function needsPasswordToRemove({ email }: { readonly email: string }, knownEmail: string | null): boolean {
  return knownEmail?.toLowerCase() === email.toLowerCase()
}

/**
 * Removes the account with which a user signs in, with its password and passkeys, and ends the user's sessions. Whoever
 * opened it, so that a link in the wrong hands is not access for good; the address of the account and the one that the
 * publisher knows are told. A session that began by a publisher's link can stay.
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
  // An erasure finds the entry by these ids.
  const after = { publisher_id: encodeId('pub', publisherId), svc_user_id: encodeId('usr', userId) }
  const subject = encodeId('acc', removed.accountId)
  await audit(tx, { actor: by, action: 'account.user_removed', subject, after }, now)
}

export function accountNotFound(): Refusal<AccountRefusal> {
  return new Refusal<AccountRefusal>('account_not_found', 'This user has no account.')
}
