import type { Reader, Tx } from '../../../platform/db/database.ts'
import type { Retained } from '../../../platform/db/retention.ts'
import type { Id } from '../../../platform/ids.ts'
import type { AccountId } from '../account.ts'

export type PasskeyId = Id<'passkey'>
export type Passkey = {
  readonly passkeyId: PasskeyId
  readonly accountId: AccountId
  /** Base64url, like `publicKey`. */
  readonly credentialId: string
  readonly publicKey: string
  readonly signCount: number
  readonly transports: readonly string[]
  readonly name: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

const columns = (reader: Reader) => reader`
  passkey_id, account_id, credential_id, public_key, sign_count::float8 as sign_count, transports, name, created_at,
  last_used_at`

/** Locks the account so that no other transaction can add a passkey to it. */
export async function lockAccount(tx: Tx, accountId: AccountId): Promise<void> {
  // all publishers: looked up by account ID
  await tx`select from accounts where account_id = ${accountId} for update`
}

/** Inserts a passkey. Returns false if an account already has this credential. */
export async function insertPasskey(tx: Tx, passkey: Passkey): Promise<boolean> {
  const { passkeyId, accountId, credentialId, publicKey, signCount, transports, name, createdAt } = passkey
  const { count } = await tx`
    insert into passkeys (passkey_id, account_id, credential_id, public_key, sign_count, transports, name, created_at)
    values (${passkeyId}, ${accountId}, ${credentialId}, ${publicKey}, ${signCount}, ${transports as string[]}, ${name},
      ${createdAt})
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

export const retainedChallenges: Retained = {
  table: 'passkey_challenges',
  days: async () => 0,
  oldest: async (reader) => {
    const [row] = await reader<{ at: Date | null }[]>`
      select min(expires_at) as at from passkey_challenges where expires_at < now()`
    return row?.at ?? null
  },
  drop: async (tx, before, limit) => {
    const { count } = await tx`
      delete from passkey_challenges
      where challenge_hash in (
        select challenge_hash from passkey_challenges where expires_at < ${before} order by expires_at limit ${limit})`
    return count
  },
}
