import type { Clock } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/database.ts'
import { newUuid } from '../../platform/ids.ts'
import { hashOfKey } from '../../platform/key-cache.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { AccountId, SessionId } from '../account.ts'
import { auditOwn } from '../audit.ts'
import { findCredentials } from '../credential-queries.ts'
import type { AccountRefusal } from '../errors.ts'
import { openSession, requireRecentSignIn } from '../sessions.ts'
import type { Browser, SignedIn } from '../sign-in.ts'
import * as ceremony from './ceremony.ts'
import * as queries from './queries.ts'

type PasskeyDeps = { readonly db: Database; readonly clock: Clock; readonly baseUrl: string }
type PasskeyOwner = { readonly accountId: AccountId; readonly sessionId: SessionId; readonly name: string }

// Longer than a device waits for its owner.
const CHALLENGE_MS = 5 * 60_000
// More devices than anyone has.
const PASSKEYS_MAX = 20

/** What the browser asks the device for. @throws Refusal passkeys_exhausted */
export async function beginPasskey(deps: PasskeyDeps, person: PasskeyOwner): Promise<object> {
  const { db, baseUrl } = deps
  const known = await queries.listPasskeys(db.reader, person.accountId)
  if (known.length >= PASSKEYS_MAX)
    throw new Refusal<AccountRefusal>('passkeys_exhausted', `An account has at most ${PASSKEYS_MAX} passkeys.`)
  const email = (await findCredentials(db.reader, 'console', person.accountId))?.email ?? ''
  const challenge = await storeChallenge(deps, person.accountId)
  return ceremony.creationOptions(ceremony.placeOf(baseUrl), { ...person, email }, known, challenge)
}

/**
 * Adds the passkey that a device made.
 * @throws Refusal sign_in_again, or whoever found a session could stay by a passkey of theirs; passkey_refused,
 * passkey_known
 */
export async function addPasskey(
  { db, clock, baseUrl }: PasskeyDeps,
  person: PasskeyOwner,
  { name, ...made }: ceremony.MadePasskey & { readonly name: string },
): Promise<queries.Passkey> {
  const { challenge, ...checked } = await ceremony.checkMade(ceremony.placeOf(baseUrl), made)
  const now = clock.now()
  const { accountId } = person
  const { transports } = made
  const passkey = { passkeyId: newUuid<'passkey'>(), accountId, ...checked, transports, name, createdAt: now }
  return db.transaction(async (tx) => {
    await requireRecentSignIn(tx, person.sessionId, now)
    await useChallenge(tx, { challenge, accountId }, now)
    if (!(await queries.insertPasskey(tx, { ...passkey, lastUsedAt: null })))
      throw new Refusal<AccountRefusal>('passkey_known', 'This passkey was added before.')
    await auditOwn(tx, person, { action: 'passkey_added', after: { name } }, now)
    return { ...passkey, lastUsedAt: null }
  })
}

/** @throws Refusal passkey_not_found */
export async function renamePasskey(
  tx: Tx,
  person: PasskeyOwner,
  { passkeyId, name }: Pick<queries.Passkey, 'passkeyId' | 'name'>,
  now: Date,
): Promise<void> {
  const before = await queries.setPasskeyName(tx, { accountId: person.accountId, passkeyId }, name)
  if (before === null) throw passkeyNotFound()
  await auditOwn(tx, person, { action: 'passkey_renamed', before: { name: before }, after: { name } }, now)
}

/** The device no longer signs in. Sessions that it opened continue. @throws Refusal passkey_not_found */
export async function removePasskey(
  tx: Tx,
  person: PasskeyOwner,
  passkeyId: queries.PasskeyId,
  now: Date,
): Promise<void> {
  const name = await queries.deletePasskey(tx, { accountId: person.accountId, passkeyId })
  if (name === null) throw passkeyNotFound()
  await auditOwn(tx, person, { action: 'passkey_removed', before: { name } }, now)
}

/** What the browser asks any device for: which passkeys somebody has is not told. */
export async function beginPasskeySignIn(deps: PasskeyDeps): Promise<object> {
  return ceremony.requestOptions(ceremony.placeOf(deps.baseUrl), await storeChallenge(deps, null))
}

/**
 * Signs in with a passkey, which is both factors: the device, and the fingerprint, face or PIN by which it verified its
 * owner.
 * @throws Refusal passkey_refused, sign_in_failed
 */
export async function signInByPasskey(
  { db, clock, baseUrl }: PasskeyDeps,
  signed: ceremony.SignedChallenge,
  caller: Browser,
): Promise<SignedIn> {
  const passkey = await queries.findPasskey(db.reader, signed.credential_id)
  if (passkey === null) throw passkeyUnknown()
  const { challenge, signCount } = await ceremony.checkSigned(ceremony.placeOf(baseUrl), signed, passkey)
  const now = clock.now()
  const opened = await db.transaction(async (tx) => {
    await useChallenge(tx, { challenge, accountId: null }, now)
    const who = await findCredentials(tx, 'console', passkey.accountId)
    if (who === null || !(await queries.markPasskeyUsed(tx, passkey, signCount, now))) throw passkeyUnknown()
    return openSession(tx, who, caller, now)
  })
  return { state: 'signed_in', ...opened }
}

async function storeChallenge({ db, clock }: PasskeyDeps, accountId: AccountId | null): Promise<string> {
  const challenge = ceremony.newChallenge()
  const expiresAt = new Date(clock.now().getTime() + CHALLENGE_MS)
  await db.transaction((tx) => queries.insertChallenge(tx, { hash: hashOfKey(challenge), accountId }, expiresAt))
  return challenge
}

async function useChallenge(
  tx: Tx,
  { challenge, accountId }: { readonly challenge: string; readonly accountId: AccountId | null },
  now: Date,
): Promise<void> {
  if (!(await queries.takeChallenge(tx, { hash: hashOfKey(challenge), accountId }, now)))
    throw new Refusal<AccountRefusal>('passkey_refused', 'This took too long, or was answered before; try again.')
}

function passkeyNotFound(): Refusal<AccountRefusal> {
  return new Refusal<AccountRefusal>('passkey_not_found', 'You have no such passkey.')
}

function passkeyUnknown(): Refusal<AccountRefusal> {
  return new Refusal<AccountRefusal>('sign_in_failed', 'This passkey is not known here, or was removed.')
}
