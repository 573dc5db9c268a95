import type { Reader, Tx } from '../../platform/database.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'

type Owner = { readonly userId: UserId; readonly tokenHash: Buffer }
type Bounds = { readonly abandonedBefore: Date; readonly expiredBefore: Date }

/** The item for which a public token was exchanged in an earlier request that came to nothing; null when it was not. */
export type Claim = { readonly fingerprint: Buffer | null }

/**
 * Claims a public token for the first request that brings it. A claim that failed, was abandoned or is too old does not count.
 * Null while another request has it, and when it has an outcome.
 */
export async function claimPublicToken(
  reader: Reader,
  publisherId: PublisherId,
  { userId, tokenHash }: Owner,
  { abandonedBefore, expiredBefore }: Bounds,
  now: Date,
): Promise<Claim | null> {
  const [claim] = await reader<Claim[]>`
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

/** Which item the public token was exchanged for. */
export async function markExchanged(
  tx: Tx,
  publisherId: PublisherId,
  { userId, tokenHash }: Owner,
  fingerprint: Buffer,
): Promise<void> {
  await tx`
    update public_tokens set item_fingerprint = ${fingerprint}
    where user_id = ${userId} and publisher_id = ${publisherId} and token_hash = ${tokenHash}`
}

/** What became of a public token: linked at an institution, or refused for these accounts. */
export type Outcome =
  | { readonly institutionId: string; readonly refusedAccounts: null }
  | { readonly institutionId: null; readonly refusedAccounts: string }

/** Null while it is under way, and when it was not brought or came to nothing. */
export async function findOutcome(
  reader: Reader,
  publisherId: PublisherId,
  { userId, tokenHash }: Owner,
): Promise<Outcome | null> {
  const [row] = await reader<Outcome[]>`
    select institution_id, refused_accounts from public_tokens
    where user_id = ${userId} and publisher_id = ${publisherId} and token_hash = ${tokenHash}
      and coalesce(institution_id, refused_accounts) is not null`
  return row ?? null
}

export async function settlePublicToken(
  tx: Tx,
  publisherId: PublisherId,
  { userId, tokenHash }: Owner,
  { institutionId, refusedAccounts }: Outcome,
): Promise<void> {
  await tx`
    update public_tokens set institution_id = ${institutionId}, refused_accounts = ${refusedAccounts}, is_free = false
    where user_id = ${userId} and publisher_id = ${publisherId} and token_hash = ${tokenHash}`
}

/** The request came to nothing: the next one need not wait. Not where another has taken over meanwhile. */
export async function freePublicToken(
  reader: Reader,
  publisherId: PublisherId,
  { userId, tokenHash }: Owner,
  broughtAt: Date,
): Promise<void> {
  await reader`
    update public_tokens set is_free = true
    where user_id = ${userId} and publisher_id = ${publisherId} and token_hash = ${tokenHash}
      and brought_at = ${broughtAt} and coalesce(institution_id, refused_accounts) is null`
}

export async function sweepPublicTokens(reader: Reader, expiredBefore: Date, limit: number): Promise<void> {
  // all publishers: what is too old to be used is of no use to anyone
  await reader`
    delete from public_tokens
    where (user_id, token_hash) in (
      select user_id, token_hash from public_tokens
      where brought_at < ${expiredBefore}
      order by brought_at
      limit ${limit}
      for update skip locked)`
}

/** Whether another user of the publisher holds this very item. */
export async function isHeldByAnother(
  reader: Reader,
  publisherId: PublisherId,
  userId: UserId,
  fingerprint: Buffer,
): Promise<boolean> {
  const rows = await reader`
    select 1 from linker_items
    where item_fingerprint = ${fingerprint} and publisher_id = ${publisherId} and user_id <> ${userId}
    limit 1`
  return rows.length > 0
}
