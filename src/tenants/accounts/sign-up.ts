import type { Clock } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { hashKey } from '../../platform/http/callers/key-cache.ts'
import { newUuid, type PublisherId, type UserId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Realm } from './account.ts'
import { countAttempt, takeBackAttempts } from './attempts.ts'
import { auditOwn } from './audit/audit.ts'
import type { AccountRefusal } from './errors.ts'
import { refuseGuessable } from './guessable.ts'
import { queueUserMail } from './mail/queries.ts'
import { checkNewPassword, hashPassword } from './passwords.ts'
import type { Browser } from './sign-in.ts'
import * as queries from './sign-up-queries.ts'
import { newCode, normalizeCode } from './totp.ts'

type Deps = { readonly db: Database; readonly clock: Clock }
/** A browser in a publisher's portal. */
export type PortalBrowser = Browser & { readonly realm: Exclude<Realm, 'console'>; readonly isEmbedded: boolean }

// The same lifetime as that of a password reset link.
const CODE_MS = 60 * 60_000
// A fixed name, because audit entries survive an erasure and so identify users only by ID.
const NAME = 'A user of a portal'

/**
 * Emails a code to the address a portal user wants to sign in with. Only someone who can read that mailbox learns
 * whether the address already has an account.
 * @throws Refusal attempts_exhausted
 */
export async function requestSignUp(
  { db, clock }: Deps,
  { userId, email }: { readonly userId: UserId; readonly email: string },
  caller: PortalBrowser,
): Promise<void> {
  const now = clock.now()
  await countAttempt(db, 'sign_up', { ...caller, email, userId }, now)
  const { realm } = caller
  const expiresAt = new Date(now.getTime() + CODE_MS)
  await db.transaction(async (tx) => {
    await queries.storeSignUp(tx, { publisherId: realm.publisherId, userId }, { email, expiresAt })
    await queueUserMail(tx, realm, { kind: 'sign_up', email, userId }, now)
  })
}

/** Issues the code that is emailed to the address the user entered; null if the user has since entered another one. */
export async function issueCode(
  tx: Tx,
  named: { readonly publisherId: PublisherId; readonly userId: UserId; readonly email: string },
): Promise<string | null> {
  const code = newCode()
  return (await queries.setCode(tx, named, hashKey(normalizeCode(code)))) ? code : null
}

type Confirmed = {
  readonly userId: UserId
  readonly code: string
  readonly password: string
  /** The address that the publisher has on file. It is notified in case someone else used the session. */
  readonly knownEmail: string | null
}

/**
 * Opens an account for the user with the address that the emailed code verifies. The code works only in that user's
 * session, so it is useless to anyone else who reads the email.
 * @throws Refusal sign_in_expired, attempts_exhausted, code_wrong, email_taken, account_active, password_guessable;
 * invalid_input if the password is too short
 */
export async function finishSignUp(
  { db, clock }: Deps,
  { userId, code, password, knownEmail }: Confirmed,
  caller: PortalBrowser,
): Promise<void> {
  checkNewPassword(password, 'password')
  const now = clock.now()
  const user = { publisherId: caller.realm.publisherId, userId }
  const named = await queries.findSignUp(db.reader, user, now)
  if (named === null) throw new Refusal<AccountRefusal>('sign_in_expired', 'This took too long. Request a new code.')
  const who = { ...caller, email: named.email }
  await countAttempt(db, 'sign_up_code', who, now)
  await refuseGuessable(password, { name: NAME, email: named.email })
  const hash = await hashPassword(password)
  await db.transaction(async (tx) => {
    const email = await queries.takeSignUp(tx, user, hashKey(normalizeCode(code)), now)
    if (email === null)
      throw new Refusal<AccountRefusal>('code_wrong', 'This code is wrong or was already used.', { field: 'code' })
    const account = { ...user, accountId: newUuid<'account'>(), email, name: NAME, password: hash }
    if (!(await queries.insertUserAccount(tx, account, now))) throw await takenFault(tx, user)
    await auditOwn(tx, account, { action: 'user_added' }, now)
    if (knownEmail !== null)
      await queueUserMail(tx, caller.realm, { kind: 'account_opened', email: knownEmail, userId }, now)
  })
  await takeBackAttempts(db, ['sign_up', 'sign_up_code'], who)
}

async function takenFault(
  tx: Tx,
  user: { readonly publisherId: PublisherId; readonly userId: UserId },
): Promise<Refusal<AccountRefusal>> {
  return (await queries.findUserAccount(tx, user)) === null
    ? new Refusal<AccountRefusal>('email_taken', 'Another account already has this email address.', { field: 'email' })
    : new Refusal<AccountRefusal>('account_active', 'This user already has an account.')
}
