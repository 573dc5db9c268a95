import { type Reader, selectColumns, type Tx } from '../../../platform/db/database.ts'
import type { AccountId } from '../account.ts'
import { PASSKEY, type Passkey } from './passkey.ts'

const columns = (reader: Reader) => reader`
  ${selectColumns(reader, 'passkeys', PASSKEY.columns)}, sign_count::float8 as sign_count`

/** Locks the account so that no other transaction can add a passkey to it. */
export async function lockAccount(tx: Tx, accountId: AccountId): Promise<void> {
  // all publishers: looked up by account ID
  await tx`select from accounts where account_id = ${accountId} for update`
}

/** Inserts a passkey. Returns false if an account already has this credential. */
export async function insertPasskey(tx: Tx, passkey: Passkey): Promise<boolean> {
  const { count } = await tx`
    insert into passkeys ${tx(passkey, ...PASSKEY.columns, 'signCount')}
    on conflict (credential_id) do nothing`
  return count === 1
}

export async function listPasskeys(reader: Reader, accountId: AccountId): Promise<Passkey[]> {
  return reader<Passkey[]>`
    select ${columns(reader)} from passkeys where account_id = ${accountId} order by created_at, passkey_id`
}

export async function findPasskey(reader: Reader, credentialId: string): Promise<Passkey | null> {
  const [row] = await reader<Passkey[]>`
    select ${columns(reader)} from passkeys where credential_id = ${credentialId}`
  return row ?? null
}

/**
 * Advances the passkey's signature counter. Returns false if another sign-in changed it first. Devices without a
 * counter always send zero.
 */
export async function markPasskeyUsed(
  tx: Tx,
  { passkeyId, signCount: before }: Pick<Passkey, 'passkeyId' | 'signCount'>,
  signCount: number,
  now: Date,
): Promise<boolean> {
  const { count } = await tx`
    update passkeys set sign_count = ${signCount}, last_used_at = ${now}
    where passkey_id = ${passkeyId} and sign_count = ${before}`
  return count === 1
}

/** Returns the previous name; null if the account has no such passkey. */
export async function setPasskeyName(
  tx: Tx,
  { accountId, passkeyId }: Pick<Passkey, 'accountId' | 'passkeyId'>,
  name: string,
): Promise<string | null> {
  const [row] = await tx<{ name: string }[]>`
    update passkeys p set name = ${name}
    from (select passkey_id, name from passkeys where passkey_id = ${passkeyId} for update) before
    where p.passkey_id = before.passkey_id and p.account_id = ${accountId}
    returning before.name`
  return row?.name ?? null
}

export async function deletePasskey(
  tx: Tx,
  { accountId, passkeyId }: Pick<Passkey, 'accountId' | 'passkeyId'>,
): Promise<string | null> {
  const [row] = await tx<{ name: string }[]>`
    delete from passkeys where passkey_id = ${passkeyId} and account_id = ${accountId}
    returning name`
  return row?.name ?? null
}

type Challenge = { readonly hash: Buffer; readonly accountId: AccountId | null }

export async function insertChallenge(tx: Tx, { hash, accountId }: Challenge, expiresAt: Date): Promise<void> {
  await tx`
    insert into passkey_challenges (challenge_hash, account_id, expires_at)
    values (${hash}, ${accountId}, ${expiresAt})`
}

/** Consumes a challenge. If two requests answer it concurrently, only one is accepted. */
export async function takeChallenge(tx: Tx, { hash, accountId }: Challenge, now: Date): Promise<boolean> {
  const { count } = await tx`
    delete from passkey_challenges
    where challenge_hash = ${hash} and account_id is not distinct from ${accountId}::uuid and expires_at > ${now}`
  return count === 1
}
