import type { Reader, Tx } from '../../platform/db/database.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import type { AccountId } from './account.ts'

/** An address that a user has entered but not yet verified. */
type SignUp = { readonly email: string; readonly expiresAt: Date }
type OfUser = { readonly publisherId: PublisherId; readonly userId: UserId }

/**
 * Stores the address, replacing any earlier one. If the address is unchanged, any code already emailed remains valid.
 */
export async function storeSignUp(
  tx: Tx,
  { publisherId, userId }: OfUser,
  { email, expiresAt }: SignUp,
): Promise<void> {
  await tx`
    insert into user_sign_ups (user_id, publisher_id, email, expires_at)
    values (${userId}, ${publisherId}, ${email}, ${expiresAt})
    on conflict (user_id) do update set
      email = excluded.email, expires_at = excluded.expires_at,
      code_hash = case when user_sign_ups.email = excluded.email then user_sign_ups.code_hash end`
}

/** Sets the code. Returns false if the user has since entered another address. */
export async function setCode(
  tx: Tx,
  { publisherId, userId, email }: OfUser & Pick<SignUp, 'email'>,
  hash: Buffer,
): Promise<boolean> {
  const { count } = await tx`
    update user_sign_ups set code_hash = ${hash}
    where user_id = ${userId} and publisher_id = ${publisherId} and email = ${email}`
  return count === 1
}

export async function findSignUp(reader: Reader, { publisherId, userId }: OfUser, now: Date): Promise<SignUp | null> {
  const [row] = await reader<SignUp[]>`
    select email, expires_at from user_sign_ups
    where user_id = ${userId} and publisher_id = ${publisherId} and expires_at > ${now}`
  return row ?? null
}

/** Consumes the code and returns the address that it verifies; null if the code is wrong. */
export async function takeSignUp(
  tx: Tx,
  { publisherId, userId }: OfUser,
  hash: Buffer,
  now: Date,
): Promise<string | null> {
  const [row] = await tx<{ email: string }[]>`
    delete from user_sign_ups
    where user_id = ${userId} and publisher_id = ${publisherId} and code_hash = ${hash} and expires_at > ${now}
    returning email`
  return row?.email ?? null
}

type NewAccount = OfUser & {
  readonly accountId: AccountId
  readonly email: string
  readonly name: string
  readonly password: string
}

/** @returns false if the address is taken or the user already has an account */
export async function insertUserAccount(tx: Tx, account: NewAccount, now: Date): Promise<boolean> {
  const { accountId, publisherId, userId, email, name, password } = account
  const { count } = await tx`
    insert into accounts (account_id, kind, publisher_id, user_id, email, name, password, created_at, verified_at)
    values (${accountId}, 'user', ${publisherId}, ${userId}, ${email}, ${name}, ${password}, ${now}, ${now})
    on conflict do nothing`
  return count === 1
}

type PortalAccount = { readonly accountId: AccountId; readonly email: string; readonly createdAt: Date }

export async function findUserAccount(reader: Reader, { publisherId, userId }: OfUser): Promise<PortalAccount | null> {
  const [row] = await reader<PortalAccount[]>`
    select account_id, email, created_at from accounts
    where publisher_id = ${publisherId} and user_id = ${userId} and kind = 'user'`
  return row ?? null
}

/** Deletes and returns the account, along with its passkeys, its links and the sessions that began with it. */
export async function deleteUserAccount(tx: Tx, { publisherId, userId }: OfUser): Promise<PortalAccount | null> {
  const [row] = await tx<PortalAccount[]>`
    delete from accounts
    where publisher_id = ${publisherId} and user_id = ${userId} and kind = 'user'
    returning account_id, email, created_at`
  return row ?? null
}

export async function deleteSignUp(tx: Tx, { publisherId, userId }: OfUser): Promise<void> {
  await tx`delete from user_sign_ups where user_id = ${userId} and publisher_id = ${publisherId}`
}
