import type { Database, Tx } from '../platform/database.ts'
import { encodeId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import type { AccountId, Realm } from './account.ts'
import { accountActor } from './actor.ts'
import { countAttempt, takeBackAttempts } from './attempts.ts'
import { audit } from './audit.ts'

/** How somebody signed in, or tried to. */
export type SignInMethod = 'password' | 'second_factor' | 'passkey' | 'link' | 'invitation'
type SignInAttempt = {
  readonly realm: Realm
  readonly address: string
  readonly method: SignInMethod
}

// Whoever fails to sign in has not shown who they are.
const STRANGER = { id: 'stranger', name: 'Somebody who did not sign in' }

/**
 * Records in the audit log that a person signed in at the console, in the commit that opens the session. Sign-ins of
 * portal users are not recorded: there are too many of them, and their addresses would outlive the sessions.
 */
export async function auditSignIn(
  tx: Tx,
  who: { readonly accountId: AccountId; readonly name: string },
  { realm, address, method }: SignInAttempt,
  now: Date,
): Promise<void> {
  if (realm !== 'console') return
  const actor = accountActor(who)
  await audit(tx, { actor, action: 'account.signed_in', subject: actor.id, after: { method, address } }, now)
}

/** The account, if it is known, and the address under which its attempts count; null if there is no account. */
type Claimed = { readonly accountId: AccountId | null; readonly email: string } | null

/**
 * Runs a sign-in: counts it, which bounds the entries, records in the audit log if it is refused, and takes back the
 * count if it succeeds.
 * @throws Refusal attempts_exhausted, and what `signIn` throws
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
 * An unknown address leaves the same entry, less the account, so that it takes as long; the address that was typed is
 * not kept.
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
