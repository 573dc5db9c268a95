import type { Clock } from '../../platform/clock.ts'
import { type Database, findConstraint, type Tx } from '../../platform/db/database.ts'
import { hashKey } from '../../platform/http/callers/key-cache.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Vault } from '../../platform/vault/index.ts'
import type { AccountId, Realm, SessionId } from './account.ts'
import { countAttempt, takeBackAttempts } from './attempts.ts'
import { auditOwn } from './audit/audit.ts'
import * as queries from './credential-queries.ts'
import type { AccountRefusal } from './errors.ts'
import { refuseGuessable } from './guessable.ts'
import { queueReset, queueUserMail } from './mail/queries.ts'
import { checkNewPassword, hashPassword, isOutdated, isPassword } from './passwords.ts'
import { sealedTotp } from './second-factor.ts'
import { endSessions, openSession, requireRecentSignIn } from './sessions.ts'
import { attemptSignIn, auditSignIn, type SignInMethod } from './sign-in-audit.ts'
import { checkToken, issueToken, redeemToken } from './tokens.ts'
import { findStep, normalizeCode } from './totp.ts'

type SignInDeps = { readonly db: Database; readonly clock: Clock; readonly vault: Vault }
/** The origin of a request. */
export type Browser = {
  readonly realm: Realm
  readonly address: string
  readonly userAgent: string
  /** True if the portal is embedded in an iframe on the publisher's page. */
  readonly isEmbedded?: boolean
}
/** A session token, or the token of a sign-in that is waiting for its second factor. */
export type SignedIn = {
  readonly state: 'signed_in' | 'second_factor'
  readonly token: string
  /** The time the session ends, regardless of activity. */
  readonly expiresAt?: Date
}
/** Checks for reasons outside this module to deny the sign-in, and throws if there is one. */
export type Admit = (tx: Tx, who: queries.AccountCredentials) => Promise<void>

/**
 * Signs in with a password. Wrong passwords and unknown addresses get the same response after the same work.
 * @throws Refusal attempts_exhausted, sign_in_failed, and whatever `admit` throws
 */
export async function signIn(
  { db, clock }: SignInDeps,
  { email, password }: { readonly email: string; readonly password: string },
  caller: Browser,
  admit: Admit = async () => undefined,
): Promise<SignedIn> {
  const now = clock.now()
  const found = await queries.findCredentialsByEmail(db.reader, caller.realm, email)
  const attempt = { ...caller, method: 'password' as const }
  return attemptSignIn(db, { accountId: found?.accountId ?? null, email }, attempt, now, async () => {
    const isRight = await isPassword(password, found?.password ?? null)
    if (found === null || !isRight) throw signInFailed()
    const { accountId } = found
    const renewed = found.password !== null && isOutdated(found.password) ? await hashPassword(password) : null
    return db.transaction(async (tx): Promise<SignedIn> => {
      // A reset could commit while the password is being hashed, after which the old password must no longer work.
      if (!(await queries.holdPassword(tx, found))) throw signInFailed()
      await admit(tx, found)
      if (renewed !== null) await queries.updateAccount(tx, accountId, { password: renewed })
      return found.totpSince === null
        ? await openAccountSession(tx, found, attempt, now)
        : { state: 'second_factor', token: await issueToken(tx, accountId, 'second_factor', now) }
    })
  })
}

function signInFailed(): Refusal<AccountRefusal> {
  return new Refusal<AccountRefusal>('sign_in_failed', 'The email address or password is wrong.')
}

/**
 * Finishes a sign-in with a code from the authenticator app or a backup code. Each code works once.
 * @throws Refusal attempts_exhausted, sign_in_expired, code_wrong
 */
export async function finishSignIn(
  { db, clock, vault }: SignInDeps,
  { token, code }: { readonly token: string; readonly code: string },
  caller: Browser,
): Promise<SignedIn> {
  const now = clock.now()
  const sha256 = hashKey(token)
  const accountId = await queries.findToken(db.reader, sha256, 'second_factor', now)
  const found = accountId === null ? null : await queries.findCredentials(db.reader, caller.realm, accountId)
  const attempt = { ...caller, method: 'second_factor' as const }
  return attemptSignIn(db, found, attempt, now, async () => {
    if (found === null || found.sealedTotp === null) throw signInExpired()
    const step = findStep(sealedTotp.open(vault, found.accountId, found.sealedTotp), code.replaceAll(' ', ''), now)
    return db.transaction(async (tx) => {
      const accepted =
        step === null
          ? await queries.takeBackupCode(tx, found.accountId, hashKey(normalizeCode(code)))
          : await queries.acceptStep(tx, found.accountId, step, now)
      if (!accepted)
        throw new Refusal<AccountRefusal>('code_wrong', 'This code is wrong or was already used.', { field: 'code' })
      if ((await queries.takeToken(tx, sha256, 'second_factor', now)) === null) throw signInExpired()
      return openAccountSession(tx, found, attempt, now)
    })
  })
}

function signInExpired(): Refusal<AccountRefusal> {
  return new Refusal<AccountRefusal>('sign_in_expired', 'This took too long. Sign in again with your password.')
}

/**
 * Opens a session from a one-time sign-in link.
 * @throws Refusal attempts_exhausted, link_expired
 */
export async function enter({ db, clock }: SignInDeps, token: string, caller: Browser): Promise<SignedIn> {
  const now = clock.now()
  const attempt = { ...caller, method: 'link' as const }
  return attemptSignIn(db, null, attempt, now, () =>
    db.transaction(async (tx) => {
      const who = await getAccount(tx, caller.realm, await redeemToken(tx, token, 'enter', now))
      return openAccountSession(tx, who, attempt, now)
    }),
  )
}

/**
 * Accepts an invitation: sets the person's name and password. Following the emailed link proves that the address is
 * theirs. Only then do they learn that they already have an account elsewhere, which keeps the address.
 * @throws Refusal attempts_exhausted, link_expired, email_taken, password_guessable; invalid_input if the password is
 * too short
 */
export async function acceptInvitation(
  { db, clock }: SignInDeps,
  { token, name, password }: { readonly token: string; readonly name: string; readonly password: string },
  caller: Browser,
): Promise<SignedIn> {
  checkNewPassword(password, 'password')
  const now = clock.now()
  const attempt = { ...caller, method: 'invitation' as const }
  const { email } = await attemptSignIn(db, null, attempt, now, async () =>
    getAccount(db.reader, caller.realm, await checkToken(db.reader, token, 'invitation', now)),
  )
  await refuseGuessable(password, { name, email })
  const hash = await hashPassword(password)
  return db.transaction(async (tx) => {
    const who = await getAccount(tx, caller.realm, await redeemToken(tx, token, 'invitation', now))
    if (who.password !== null)
      throw linkExpired('This invitation has already been accepted. Sign in, or reset your password.')
    await queries.updateAccount(tx, who.accountId, { name })
    await placePassword(tx, who.accountId, hash)
    await queries.markVerified(tx, who.accountId, now)
    await auditOwn(tx, { ...who, name }, { action: 'accepted' }, now)
    return openAccountSession(tx, { ...who, name }, attempt, now)
  })
}

/**
 * Queues a password reset email. The response and its timing are the same for any address, because the account is
 * looked up only when the email is sent.
 * @throws Refusal attempts_exhausted
 */
export async function requestReset({ db, clock }: SignInDeps, email: string, caller: Browser): Promise<void> {
  const now = clock.now()
  await countAttempt(db, 'reset', { ...caller, email }, now)
  await db.transaction((tx) => queueReset(tx, caller.realm, email, now))
}

/**
 * Sets a new password through an emailed link and ends every session, including those of anyone who knew the old
 * password. Also resets the attempt counts, in case someone else's attempts locked the owner out.
 * @throws Refusal link_expired, email_taken, password_guessable; invalid_input if the password is too short
 */
export async function resetPassword(
  { db, clock }: SignInDeps,
  { token, password }: { readonly token: string; readonly password: string },
  caller: Browser,
): Promise<void> {
  checkNewPassword(password, 'password')
  const now = clock.now()
  const { name, email } = await getAccount(db.reader, caller.realm, await checkToken(db.reader, token, 'reset', now))
  await refuseGuessable(password, { name, email })
  const hash = await hashPassword(password)
  await db.transaction(async (tx) => {
    const who = await getAccount(tx, caller.realm, await redeemToken(tx, token, 'reset', now))
    await queries.markVerified(tx, who.accountId, now)
    await replacePassword(tx, caller.realm, who, { hash, stays: null }, now)
    await auditOwn(tx, who, { action: 'password_reset' }, now)
  })
  // The attempts counted until now were guesses at the old password.
  await takeBackAttempts(db, ['password', 'reset'], { ...caller, email })
}

/**
 * Changes a signed-in person's password and ends their other sessions. Requires the current password or, if there is
 * none, a recent sign-in.
 * @throws Refusal sign_in_again, attempts_exhausted, password_wrong, email_taken, password_guessable; invalid_input if
 * the password is too short
 */
export async function changePassword(
  { db, clock }: SignInDeps,
  who: { readonly accountId: AccountId; readonly sessionId: SessionId },
  { current, password }: { readonly current: string | null; readonly password: string },
  caller: Browser,
): Promise<void> {
  checkNewPassword(password, 'password')
  const now = clock.now()
  const found = await getAccount(db.reader, caller.realm, who.accountId)
  if (found.password === null) await requireRecentSignIn(db.reader, who, now)
  else await checkPassword(db, found, { password: current, field: 'current_password' }, caller, now)
  await refuseGuessable(password, found)
  const hash = await hashPassword(password)
  await db.transaction(async (tx) => {
    if (!(await queries.holdPassword(tx, found))) throw passwordWrong()
    await replacePassword(tx, caller.realm, found, { hash, stays: who.sessionId }, now)
    await auditOwn(tx, found, { action: 'password_changed' }, now)
  })
}

/** A password and the form field it was entered in. */
type Typed = { readonly password: string | null; readonly field: string }

/**
 * Verifies ownership of an account by its password.
 * @throws Refusal link_expired, attempts_exhausted, password_wrong
 */
export async function provePassword(
  { db, clock }: Pick<SignInDeps, 'db' | 'clock'>,
  accountId: AccountId,
  typed: Typed,
  caller: Browser,
): Promise<void> {
  await checkPassword(db, await getAccount(db.reader, caller.realm, accountId), typed, caller, clock.now())
}

/** @throws Refusal attempts_exhausted, password_wrong */
async function checkPassword(
  db: Database,
  { email, password }: queries.AccountCredentials,
  typed: Typed,
  caller: Browser,
  now: Date,
): Promise<void> {
  const attempting = { ...caller, email }
  await countAttempt(db, 'password', attempting, now)
  if (!(await isPassword(typed.password ?? '', password))) throw passwordWrong(typed.field)
  await takeBackAttempts(db, ['password'], attempting)
}

function passwordWrong(field = 'current_password'): Refusal<AccountRefusal> {
  return new Refusal<AccountRefusal>('password_wrong', 'The current password is wrong.', { field })
}

async function replacePassword(
  tx: Tx,
  realm: Realm,
  { accountId, userId, email }: queries.AccountCredentials,
  { hash, stays }: { readonly hash: string; readonly stays: SessionId | null },
  now: Date,
): Promise<void> {
  await placePassword(tx, accountId, hash)
  await queries.deleteTokens(tx, accountId)
  // A user may also have sessions that began with a publisher's link.
  await endSessions(tx, userId === null ? { accountId } : { userId }, stays)
  if (realm !== 'console') await queueUserMail(tx, realm, { kind: 'changed', email, userId }, now)
}

/**
 * Sets the account's password. From then on, no other account in the realm can use its address.
 * @throws Refusal email_taken if another account already has a password for the address
 */
async function placePassword(tx: Tx, accountId: AccountId, hash: string): Promise<void> {
  try {
    await queries.updateAccount(tx, accountId, { password: hash })
  } catch (error) {
    if (findConstraint(error) !== 'accounts_with_password') throw error
    const detail =
      'You already have an account with this email address. Sign in to it, or ask for an invitation at another ' +
      'address.'
    throw new Refusal<AccountRefusal>('email_taken', detail)
  }
}

/** Opens a session for someone who has proved that the account is theirs, and records the sign-in in the audit log. */
export async function openAccountSession(
  tx: Tx,
  who: queries.AccountCredentials,
  caller: Browser & { readonly method: SignInMethod },
  now: Date,
): Promise<SignedIn> {
  await auditSignIn(tx, who, caller, now)
  return { state: 'signed_in', ...(await openSession(tx, who, caller, now)) }
}

/**
 * Returns the account.
 * @throws Refusal link_expired if it has been disabled
 */
async function getAccount(
  reader: Database['reader'],
  realm: Realm,
  accountId: AccountId,
): Promise<queries.AccountCredentials> {
  const found = await queries.findCredentials(reader, realm, accountId)
  if (found === null) throw linkExpired('This account is disabled.')
  return found
}

function linkExpired(detail: string): Refusal<AccountRefusal> {
  return new Refusal<AccountRefusal>('link_expired', detail)
}
