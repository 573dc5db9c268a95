import type { Reader, Tx } from '../../../platform/db/database.ts'
import type { PublisherId, UserId } from '../../../platform/ids.ts'

export type TokenKey = { readonly userId: UserId; readonly tokenHash: Buffer }
type Bounds = { readonly abandonedBefore: Date; readonly expiredBefore: Date }

/**
 * Claims a public token for the first request that sends it, ignoring claims that failed, were abandoned or have
 * expired. Returns the fingerprint of the item that a failed request exchanged the token for. Returns null while
 * another request holds the token and once the token has an outcome.
 */
export async function claimPublicToken(
  reader: Reader,
  publisherId: PublisherId,
  { userId, tokenHash }: TokenKey,
  { abandonedBefore, expiredBefore }: Bounds,
  now: Date,
): Promise<{ readonly fingerprint: Buffer | null } | null> {
  const [claim] = await reader<{ fingerprint: Buffer | null }[]>`
    insert into public_tokens as known (user_id, token_hash, publisher_id, brought_at)
    values (${userId}, ${tokenHash}, ${publisherId}, ${now})
    on conflict (user_id, token_hash) do update set
      institution_id = null, refused_accounts = null, brought_at = excluded.brought_at, is_free = false,
      item_fingerprint = case
        when coalesce(known.institution_id, known.refused_accounts) is null then known.item_fingerprint end
    where known.is_free or known.brought_at < case
      when coalesce(known.institution_id, known.refused_accounts) is null then ${abandonedBefore}::timestamptz
      else ${expiredBefore}::timestamptz end
    returning item_fingerprint as fingerprint`
  return claim ?? null
}

/** Stores the item that the public token was exchanged for. */
export async function markExchanged(
  tx: Tx,
  publisherId: PublisherId,
  { userId, tokenHash }: TokenKey,
  fingerprint: Buffer,
): Promise<void> {
  await tx`
    update public_tokens set item_fingerprint = ${fingerprint}
    where user_id = ${userId} and publisher_id = ${publisherId} and token_hash = ${tokenHash}`
}

/** The outcome of a public token: linked at an institution, or refused for these accounts. */
export type TokenOutcome =
  | { readonly institutionId: string; readonly refusedAccounts: null }
  | { readonly institutionId: null; readonly refusedAccounts: string }

/**
 * Returns the token's outcome; null while a request is in progress, or if the token is unknown or its request failed.
 */
export async function findOutcome(
  reader: Reader,
  publisherId: PublisherId,
  { userId, tokenHash }: TokenKey,
): Promise<TokenOutcome | null> {
  const [row] = await reader<TokenOutcome[]>`
    select institution_id, refused_accounts from public_tokens
    where user_id = ${userId} and publisher_id = ${publisherId} and token_hash = ${tokenHash}
      and coalesce(institution_id, refused_accounts) is not null`
  return row ?? null
}

export async function settlePublicToken(
  tx: Tx,
  publisherId: PublisherId,
  { userId, tokenHash }: TokenKey,
  { institutionId, refusedAccounts }: TokenOutcome,
): Promise<void> {
  await tx`
    update public_tokens set institution_id = ${institutionId}, refused_accounts = ${refusedAccounts}, is_free = false
    where user_id = ${userId} and publisher_id = ${publisherId} and token_hash = ${tokenHash}`
}

/**
 * Frees the token of a failed request, so that the next request need not wait. Does nothing if another request has
 * claimed it since.
 */
export async function freePublicToken(
  reader: Reader,
  publisherId: PublisherId,
  { userId, tokenHash }: TokenKey,
  broughtAt: Date,
): Promise<void> {
  await reader`
    update public_tokens set is_free = true
    where user_id = ${userId} and publisher_id = ${publisherId} and token_hash = ${tokenHash}
      and brought_at = ${broughtAt} and coalesce(institution_id, refused_accounts) is null`
}

export async function sweepPublicTokens(reader: Reader, expiredBefore: Date, limit: number): Promise<void> {
  // all publishers: expired tokens are useless to everyone
  await reader`
    delete from public_tokens
    where (user_id, token_hash) in (
      select user_id, token_hash from public_tokens
      where brought_at < ${expiredBefore}
      order by brought_at
      limit ${limit}
      for update skip locked)`
}
