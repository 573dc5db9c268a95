import type { Database, Tx } from '../../platform/db/database.ts'
import { hashKey } from '../../platform/http/callers/key-cache.ts'
import { encodeId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Vault } from '../../platform/vault/index.ts'
import type { AccountId, SessionId } from './account.ts'
import { auditOwn } from './audit/audit.ts'
import * as queries from './credential-queries.ts'
import type { AccountRefusal } from './errors.ts'
import { requireRecentSignIn } from './sessions.ts'
import { buildEnrolment, findStep, newBackupCodes, newSecret, normalizeCode } from './totp.ts'

const toContext = (accountId: AccountId): string => `account ${encodeId('acc', accountId)} totp`

/** Encrypts and decrypts the base32 secret of an authenticator app for storage. */
export const sealedTotp = {
  seal: (vault: Vault, accountId: AccountId, secret: string): Buffer => vault.seal(secret, toContext(accountId)),
  open: (vault: Vault, accountId: AccountId, sealed: Buffer): string => vault.open(sealed, toContext(accountId)),
}

type Signed = { readonly accountId: AccountId; readonly sessionId: SessionId }

/**
 * Issues a secret for an authenticator app. The secret takes effect once `confirmTotp` has verified a code from the
 * app.
 * @throws Refusal sign_in_again, totp_on
 */
export async function beginTotp(
  tx: Tx,
  vault: Vault,
  signed: Signed,
  now: Date,
): Promise<ReturnType<typeof buildEnrolment> & { secret: string }> {
  await requireRecentSignIn(tx, signed, now)
  const { accountId } = signed
  const found = await queries.findCredentials(tx, 'console', accountId)
  if (found === null || found.totpSince !== null) throw totpOn()
  const secret = newSecret()
  const sealed = sealedTotp.seal(vault, accountId, secret)
  await queries.updateAccount(tx, accountId, { sealedTotp: sealed, totpSince: null, totpStep: null })
  return { secret, ...buildEnrolment(secret, found.email) }
}

/**
 * Requires a code from the app at every sign-in from now on. Returns the backup codes, which are never displayed again.
 * The caller must have signed in recently, because otherwise, anyone with a stolen session could lock the owner out by
 * adding their own app.
 * @throws Refusal sign_in_again, totp_on, code_wrong
 */
export async function confirmTotp(
  tx: Tx,
  vault: Vault,
  { code, ...signed }: Signed & { readonly code: string },
  now: Date,
): Promise<string[]> {
  await requireRecentSignIn(tx, signed, now)
  const { accountId } = signed
  const found = await queries.findCredentials(tx, 'console', accountId)
  // Otherwise, anyone with the session could guess codes until one was accepted and yielded new backup codes.
  if (found !== null && found.totpSince !== null) throw totpOn()
  const sealed = found?.sealedTotp ?? null
  const step =
    sealed === null ? null : findStep(sealedTotp.open(vault, accountId, sealed), code.replaceAll(' ', ''), now)
  if (step === null || !(await queries.acceptStep(tx, accountId, step, now)))
    throw new Refusal<AccountRefusal>('code_wrong', 'This code is wrong or was already used.', { field: 'code' })
  const codes = newBackupCodes()
  await queries.replaceBackupCodes(
    tx,
    accountId,
    codes.map((one) => hashKey(normalizeCode(one))),
  )
  if (found !== null) await auditOwn(tx, found, { action: 'totp_added' }, now)
  return codes
}

function totpOn(): Refusal<AccountRefusal> {
  return new Refusal<AccountRefusal>('totp_on', 'An authenticator app is already set up. Remove it first.')
}

/**
 * Stops requiring codes and deletes the backup codes.
 * @throws Refusal sign_in_again
 */
export async function removeTotp(tx: Tx, person: Signed & { readonly name: string }, now: Date): Promise<void> {
  const { accountId } = person
  await requireRecentSignIn(tx, person, now)
  await queries.updateAccount(tx, accountId, { sealedTotp: null, totpSince: null, totpStep: null })
  await queries.replaceBackupCodes(tx, accountId, [])
  await auditOwn(tx, person, { action: 'totp_removed' }, now)
}

/** Returns a person's own security settings. */
export async function readSecurity({ reader }: Database, accountId: AccountId) {
  const found = await queries.findCredentials(reader, 'console', accountId)
  return {
    email: found?.email ?? '',
    hasPassword: found?.password != null,
    hasTotp: found?.totpSince != null,
    backupCodes: await queries.countBackupCodes(reader, accountId),
  }
}
