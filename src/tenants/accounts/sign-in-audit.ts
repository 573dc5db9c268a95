import type { Database, Tx } from '../../platform/db/database.ts'
import { encodeId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { AccountId, Realm } from './account.ts'
import { toAccountActor } from './actor.ts'
import { countAttempt, takeBackAttempts } from './attempts.ts'
import { audit } from './audit/audit.ts'

/** The method of a sign-in or of a failed attempt. */
export type SignInMethod = 'password' | 'second_factor' | 'passkey' | 'link' | 'invitation'
type SignInAttempt = {
  readonly realm: Realm
  readonly address: string
  readonly method: SignInMethod
}

// The actor recorded for a failed sign-in, because the person's identity is unproven.
const STRANGER = { id: 'stranger', name: 'Someone who did not sign in' }

/**
 * Records a console sign-in in the audit log, in the transaction that opens the session. Portal sign-ins are not
 * recorded, because there are too many and their IP addresses would outlive the sessions.
 */
export async function auditSignIn(
  tx: Tx,
  who: { readonly accountId: AccountId; readonly name: string },
  { realm, address, method }: SignInAttempt,
  now: Date,
): Promise<void> {
  if (realm !== 'console') return
  const actor = toAccountActor(who)
  await audit(tx, { actor, action: 'account.signed_in', subject: actor.id, after: { method, address } }, now)
}

/**
 * The account, if known, and the email address that attempts are counted by; null if the attempt contains no address.
 */
type Claimed = { readonly accountId: AccountId | null; readonly email: string } | null

/**
 * Runs a sign-in. Counts the attempt first, which also bounds the number of audit entries. Records a failed attempt in
 * the audit log, and subtracts a successful one from the count.
 * @throws Refusal attempts_exhausted, and whatever `signIn` throws
 */
export async function attemptSignIn<Result>(
  db: Database,
  claimed: Claimed,
  attempt: SignInAttempt,
  now: Date,
  signIn: () => Promise<Result>,
): Promise<Result> {
  const who = { ...attempt, email: claimed?.email ?? null }
  await countAttempt(db, attempt.method, who, now)
  const result = await auditingFailure(db, claimed?.accountId ?? null, attempt, now, signIn)
  await takeBackAttempts(db, [attempt.method], who)
  return result
}

/**
 * Records a failed sign-in in the audit log. For an unknown address, writes the same entry without an account, so that
 * both cases take the same time. The typed address is not stored.
 */
async function auditingFailure<Result>(
  db: Database,
  accountId: AccountId | null,
  { realm, address, method }: SignInAttempt,
  now: Date,
  signIn: () => Promise<Result>,
): Promise<Result> {
  try {
    return await signIn()
  } catch (error) {
    if (error instanceof Refusal && realm === 'console') {
      const subject = accountId === null ? 'console' : encodeId('acc', accountId)
      const after = { method, address, code: error.code }
      await db.transaction((tx) =>
        audit(tx, { actor: STRANGER, action: 'account.sign_in_failed', subject, after }, now),
      )
    }
    throw error
  }
}
