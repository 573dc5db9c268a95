import type { Clock } from '../../../platform/clock.ts'
import type { Database, Reader, Tx } from '../../../platform/db/database.ts'
import { hashKey } from '../../../platform/http/callers/key-cache.ts'
import { newUuid } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { AccountId, Realm, SessionId } from '../account.ts'
import { auditOwn } from '../audit/audit.ts'
import { type AccountCredentials, findCredentials } from '../credential-queries.ts'
import type { AccountRefusal } from '../errors.ts'
import { queueUserMail } from '../mail/queries.ts'
import { requireRecentSignIn } from '../sessions.ts'
import { type Admit, type Browser, openAccountSession, type SignedIn } from '../sign-in.ts'
import { attemptSignIn } from '../sign-in-audit.ts'
import * as ceremony from './ceremony.ts'
import type { Passkey, PasskeyId } from './passkey.ts'
import * as queries from './queries.ts'

type PasskeyDeps = { readonly db: Database; readonly clock: Clock; readonly baseUrl: string }
/** The owner of passkeys: a staff member at the console, or a user in their publisher's portal. */
type PasskeyOwner = { readonly realm: Realm; readonly accountId: AccountId; readonly sessionId: SessionId }

// Longer than a device waits for its owner's confirmation.
const CHALLENGE_MS = 5 * 60_000
// More devices than anyone owns.
const PASSKEYS_MAX = 20

/**
 * Returns the options for the browser to create a passkey. Throws any refusal before the device creates a passkey that
 * could not be added.
 * @param portalName the publisher's name in the portal; absent at the console
 * @throws Refusal sign_in_again, passkeys_exhausted, passkey_not_found for an account of another realm
 */
export async function beginPasskey(deps: PasskeyDeps, owner: PasskeyOwner, portalName?: string): Promise<object> {
  const { db, clock, baseUrl } = deps
  await requireRecentSignIn(db.reader, owner, clock.now())
  const who = await getAccount(db.reader, owner)
  const known = await queries.listPasskeys(db.reader, owner.accountId)
  refuseMoreThanMax(known)
  const challenge = await storeChallenge(deps, owner.accountId)
  return ceremony.buildCreationOptions(ceremony.toRelyingParty(baseUrl), { ...who, portalName }, known, challenge)
}

function refuseMoreThanMax(known: readonly Passkey[]): void {
  if (known.length >= PASSKEYS_MAX)
    throw new Refusal<AccountRefusal>('passkeys_exhausted', `An account can have at most ${PASSKEYS_MAX} passkeys.`)
}

/**
 * Adds a passkey created by a device. Requires a recent sign-in, because otherwise, anyone with a stolen session could
 * keep access by adding a passkey.
 * @throws Refusal sign_in_again, passkey_refused, passkey_known, passkeys_exhausted, passkey_not_found for an account
 * of another realm
 */
export async function addPasskey(
  { db, clock, baseUrl }: PasskeyDeps,
  owner: PasskeyOwner,
  { name, ...made }: ceremony.CreatedPasskey & { readonly name: string },
): Promise<Passkey> {
  const now = clock.now()
  await requireRecentSignIn(db.reader, owner, now)
  const { challenge, ...checked } = await ceremony.checkMade(ceremony.toRelyingParty(baseUrl), made)
  const { accountId } = owner
  const { transports } = made
  const passkey = { passkeyId: newUuid<'passkey'>(), accountId, ...checked, transports, name, createdAt: now }
  return db.transaction(async (tx) => {
    await useChallenge(tx, { challenge, accountId }, now)
    // The lock serializes concurrent additions, so the count is exact.
    await queries.lockAccount(tx, accountId)
    refuseMoreThanMax(await queries.listPasskeys(tx, accountId))
    if (!(await queries.insertPasskey(tx, { ...passkey, lastUsedAt: null })))
      throw new Refusal<AccountRefusal>('passkey_known', 'This passkey has already been added.')
    await recordChange(tx, owner, { action: 'passkey_added', after: { name } }, now)
    return { ...passkey, lastUsedAt: null }
  })
}

/**
 * Renames a passkey.
 * @throws Refusal sign_in_again, passkey_not_found
 */
export async function renamePasskey(
  tx: Tx,
  owner: PasskeyOwner,
  { passkeyId, name }: Pick<Passkey, 'passkeyId' | 'name'>,
  now: Date,
): Promise<void> {
  await requireRecentSignIn(tx, owner, now)
  const before = await queries.setPasskeyName(tx, { accountId: owner.accountId, passkeyId }, name)
  if (before === null) throw passkeyNotFound()
  await recordChange(tx, owner, { action: 'passkey_renamed', before: { name: before }, after: { name } }, now)
}

/**
 * Removes a passkey. Sessions opened with it continue.
 * @throws Refusal sign_in_again, passkey_not_found
 */
export async function removePasskey(tx: Tx, owner: PasskeyOwner, passkeyId: PasskeyId, now: Date): Promise<void> {
  await requireRecentSignIn(tx, owner, now)
  const name = await queries.deletePasskey(tx, { accountId: owner.accountId, passkeyId })
  if (name === null) throw passkeyNotFound()
  await recordChange(tx, owner, { action: 'passkey_removed', before: { name } }, now)
}

type PasskeyChange = {
  readonly action: 'passkey_added' | 'passkey_renamed' | 'passkey_removed'
  readonly before?: { readonly name: string }
  readonly after?: { readonly name: string }
}

/** Records the change in the audit log and notifies the owner by email. */
async function recordChange(tx: Tx, owner: PasskeyOwner, change: PasskeyChange, now: Date): Promise<void> {
  const who = await getAccount(tx, owner)
  await auditOwn(tx, who, change, now)
  const { email, userId } = who
  if (owner.realm !== 'console' && change.action !== 'passkey_renamed')
    await queueUserMail(tx, owner.realm, { kind: change.action, email, userId }, now)
}

/**
 * Returns the owner's account.
 * @throws Refusal passkey_not_found for an account that is disabled or in another realm
 */
async function getAccount(reader: Reader, { realm, accountId }: PasskeyOwner): Promise<AccountCredentials> {
  const found = await findCredentials(reader, realm, accountId)
  if (found === null) throw passkeyNotFound()
  return found
}

/** Returns the options for signing in with any passkey. They do not reveal who has which passkeys. */
export async function beginPasskeySignIn(deps: PasskeyDeps): Promise<object> {
  return ceremony.buildRequestOptions(ceremony.toRelyingParty(deps.baseUrl), await storeChallenge(deps, null))
}

/**
 * Signs in with a passkey. It counts as both factors: possession of the device, and the fingerprint, face or PIN that
 * unlocks it. All realms share a host, so devices also offer passkeys of other realms, which are rejected as unknown.
 * @throws Refusal attempts_exhausted, passkey_refused, sign_in_failed, and whatever `admit` throws
 */
export async function signInByPasskey(
  { db, clock, baseUrl }: PasskeyDeps,
  signed: ceremony.SignedChallenge,
  caller: Browser,
  admit: Admit = async () => undefined,
): Promise<SignedIn> {
  const passkey = await queries.findPasskey(db.reader, signed.credential_id)
  const owner = passkey === null ? null : await findCredentials(db.reader, caller.realm, passkey.accountId)
  const now = clock.now()
  const attempt = { ...caller, method: 'passkey' as const }
  return attemptSignIn(db, owner, attempt, now, async () => {
    if (passkey === null || owner === null) throw passkeyUnknown()
    const { challenge, signCount } = await ceremony.checkSigned(ceremony.toRelyingParty(baseUrl), signed, passkey)
    return db.transaction(async (tx) => {
      await useChallenge(tx, { challenge, accountId: null }, now)
      const who = await findCredentials(tx, caller.realm, passkey.accountId)
      if (who === null || !(await queries.markPasskeyUsed(tx, passkey, signCount, now))) throw passkeyUnknown()
      await admit(tx, who)
      return openAccountSession(tx, who, attempt, now)
    })
  })
}

async function storeChallenge({ db, clock }: PasskeyDeps, accountId: AccountId | null): Promise<string> {
  const challenge = ceremony.newChallenge()
  const expiresAt = new Date(clock.now().getTime() + CHALLENGE_MS)
  await db.transaction((tx) => queries.insertChallenge(tx, { hash: hashKey(challenge), accountId }, expiresAt))
  return challenge
}

async function useChallenge(
  tx: Tx,
  { challenge, accountId }: { readonly challenge: string; readonly accountId: AccountId | null },
  now: Date,
): Promise<void> {
  if (!(await queries.takeChallenge(tx, { hash: hashKey(challenge), accountId }, now)))
    throw new Refusal<AccountRefusal>('passkey_refused', 'This took too long, or was already completed. Try again.')
}

function passkeyNotFound(): Refusal<AccountRefusal> {
  return new Refusal<AccountRefusal>('passkey_not_found', 'You have no such passkey.')
}

function passkeyUnknown(): Refusal<AccountRefusal> {
  return new Refusal<AccountRefusal>('sign_in_failed', 'This passkey is unknown or has been removed.')
}
