import { randomBytes } from 'node:crypto'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { hashKey } from '../../platform/http/callers/key-cache.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { AccountId } from './account.ts'
import { findToken, insertToken, type Purpose, takeToken } from './credential-queries.ts'
import type { AccountRefusal } from './errors.ts'

const MINUTE_MS = 60_000
const LIFETIME_MS: Readonly<Record<Purpose, number>> = {
  enter: 24 * 60 * MINUTE_MS,
  invitation: 7 * 24 * 60 * MINUTE_MS,
  reset: 60 * MINUTE_MS,
  second_factor: 10 * MINUTE_MS,
}

/** Issues a one-time token. Only its hash is stored. */
export async function issueToken(tx: Tx, accountId: AccountId, purpose: Purpose, now: Date): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + LIFETIME_MS[purpose])
  await insertToken(tx, { sha256: hashKey(token), accountId, purpose, expiresAt })
  return token
}

/**
 * Finds the token's account without consuming the token. Called before costly work, so that nobody can trigger that
 * work without a valid token.
 * @throws Refusal link_expired if the token was used, has expired, or never existed
 */
export async function checkToken(reader: Reader, token: string, purpose: Purpose, now: Date): Promise<AccountId> {
  const accountId = await findToken(reader, hashKey(token), purpose, now)
  if (accountId === null) throw linkExpired()
  return accountId
}

/**
 * Consumes the token and returns its account.
 * @throws Refusal link_expired if the token was used, has expired, or never existed
 */
export async function redeemToken(tx: Tx, token: string, purpose: Purpose, now: Date): Promise<AccountId> {
  const accountId = await takeToken(tx, hashKey(token), purpose, now)
  if (accountId === null) throw linkExpired()
  return accountId
}

function linkExpired(): Refusal<AccountRefusal> {
  return new Refusal<AccountRefusal>(
    'link_expired',
    'This link has already been used or has expired. Request a new one.',
  )
}
