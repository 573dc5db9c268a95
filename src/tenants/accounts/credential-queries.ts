import type { Reader, Tx } from '../../platform/db/database.ts'
import type { AccountId, PortalUser, Realm, Role, Staff } from './account.ts'

/** The purpose of a link or a pending sign-in. */
export type Purpose = 'enter' | 'invitation' | 'reset' | 'second_factor'

export async function insertToken(
  tx: Tx,
  token: {
    readonly sha256: Buffer
    readonly accountId: AccountId
    readonly purpose: Purpose
    readonly expiresAt: Date
  },
): Promise<void> {
  await tx`insert into account_tokens ${tx(token)}`
}

/** Finds the account of an unexpired token. */
export async function findToken(
  reader: Reader,
  sha256: Buffer,
  purpose: Purpose,
  now: Date,
): Promise<AccountId | null> {
  const [row] = await reader<{ accountId: AccountId }[]>`
    select account_id from account_tokens
    where sha256 = ${sha256} and purpose = ${purpose} and expires_at > ${now}`
  return row?.accountId ?? null
}

/** Consumes a token. If two requests present the same token concurrently, only one gets the account. */
export async function takeToken(tx: Tx, sha256: Buffer, purpose: Purpose, now: Date): Promise<AccountId | null> {
  const [row] = await tx<{ accountId: AccountId }[]>`
    delete from account_tokens
    where sha256 = ${sha256} and purpose = ${purpose} and expires_at > ${now}
    returning account_id`
  return row?.accountId ?? null
}

/** Invalidates every link of the account. */
export async function deleteTokens(tx: Tx, accountId: AccountId): Promise<void> {
  await tx`delete from account_tokens where account_id = ${accountId}`
}

/** The holder of an account: a staff member, or a user of a publisher's portal. */
type AccountHolder = (Pick<Staff, 'kind'> & { readonly userId: null }) | Omit<PortalUser, 'accountId'>

export type AccountCredentials = AccountHolder & {
  readonly accountId: AccountId
  readonly email: string
  readonly name: string
  readonly password: string | null
  readonly sealedTotp: Buffer | null
  /** Null until the authenticator app has provided its first code. */
  readonly totpSince: Date | null
}

const credentials = (reader: Reader) => reader`
  account_id, kind, publisher_id, user_id, email, name, password, sealed_totp, totp_since`

const isIn = (reader: Reader, realm: Realm) =>
  realm === 'console' ? reader`kind <> 'user'` : reader`kind = 'user' and publisher_id = ${realm.publisherId}`

/** Finds the account in this realm with this address and a password, unless it is disabled. */
export async function findCredentialsByEmail(
  reader: Reader,
  realm: Realm,
  email: string,
): Promise<AccountCredentials | null> {
  // all publishers: the console is one realm
  const [row] = await reader<AccountCredentials[]>`
    select ${credentials(reader)} from accounts
    where lower(email) = lower(${email}) and ${isIn(reader, realm)} and password is not null and disabled_at is null`
  return row ?? null
}

/** A console account that an email to a given address may be about. */
type Addressee = Pick<AccountCredentials, 'accountId' | 'email'> & {
  /** The publisher's name; null for the operating company. */
  readonly company: string | null
  readonly hasPassword: boolean
  readonly isDisabled: boolean
}

/**
 * Lists the console accounts with this address. At most one has a password. The others are invitations, one per
 * company.
 */
export async function listAddressees(reader: Reader, email: string): Promise<Addressee[]> {
  // all publishers: several may have invited the same person, who is the only reader of the email
  return reader<Addressee[]>`
    select a.account_id, a.email, p.name as company, a.password is not null as has_password,
      a.disabled_at is not null as is_disabled
    from accounts a
    left join publishers p using (publisher_id)
    where lower(a.email) = lower(${email}) and a.kind <> 'user'
    order by a.created_at, a.account_id`
}

export async function findCredentials(
  reader: Reader,
  realm: Realm,
  accountId: AccountId,
): Promise<AccountCredentials | null> {
  // all publishers: looked up by account ID
  const [row] = await reader<AccountCredentials[]>`
    select ${credentials(reader)} from accounts
    where account_id = ${accountId} and ${isIn(reader, realm)} and disabled_at is null`
  return row ?? null
}

/**
 * Locks the account until the transaction ends. Returns false if the password has changed since it was checked or the
 * account has been disabled.
 */
export async function holdPassword(
  tx: Tx,
  { accountId, password }: Pick<AccountCredentials, 'accountId' | 'password'>,
): Promise<boolean> {
  // all publishers: looked up by account ID
  const rows = await tx`
    select from accounts
    where account_id = ${accountId} and password is not distinct from ${password} and disabled_at is null
    for update`
  return rows.length === 1
}

type AccountChanges = {
  readonly name?: string
  readonly role?: Role
  readonly disabledAt?: Date | null
  readonly password?: string
  readonly sealedTotp?: Buffer | null
  readonly totpSince?: null
  readonly totpStep?: null
}

/** Changes an account. The caller must have found it within its company. */
export async function updateAccount(tx: Tx, accountId: AccountId, changes: AccountChanges): Promise<void> {
  // all publishers: looked up by account ID
  await tx`update accounts set ${tx(changes)} where account_id = ${accountId}`
}

/** Marks the address as verified, because the person followed a link emailed to it. */
export async function markVerified(tx: Tx, accountId: AccountId, now: Date): Promise<void> {
  // all publishers: looked up by account ID
  await tx`update accounts set verified_at = coalesce(verified_at, ${now}) where account_id = ${accountId}`
}

/** Accepts the code of a time step, unless that step or a later one was already accepted. */
export async function acceptStep(tx: Tx, accountId: AccountId, step: number, now: Date): Promise<boolean> {
  // all publishers: looked up by account ID
  const { count } = await tx`
    update accounts set totp_step = ${step}, totp_since = coalesce(totp_since, ${now})
    where account_id = ${accountId} and (totp_step is null or totp_step < ${step})`
  return count === 1
}

export async function replaceBackupCodes(tx: Tx, accountId: AccountId, hashes: readonly Buffer[]): Promise<void> {
  await tx`delete from backup_codes where account_id = ${accountId}`
  await tx`
    insert into backup_codes (account_id, sha256)
    select ${accountId}, decode(sha256, 'hex')
    from unnest(${hashes.map((sha256) => sha256.toString('hex'))}::text[]) as sha256`
}

export async function takeBackupCode(tx: Tx, accountId: AccountId, sha256: Buffer): Promise<boolean> {
  const { count } = await tx`delete from backup_codes where account_id = ${accountId} and sha256 = ${sha256}`
  return count === 1
}

export async function countBackupCodes(reader: Reader, accountId: AccountId): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    select count(*)::int as count from backup_codes where account_id = ${accountId}`
  return row?.count ?? 0
}
