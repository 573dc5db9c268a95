import type { Reader, Tx } from '../platform/database.ts'
import type { PublisherId, UserId } from '../platform/ids.ts'

type Owner = { readonly userId: UserId; readonly tokenHash: Buffer }
type Bounds = { readonly abandonedBefore: Date; readonly expiredBefore: Date }

/** True for whoever brings a public token first; what was abandoned or is too old to be used counts for nothing. */
export async function claimPublicToken(
  reader: Reader,
  publisherId: PublisherId,
  { userId, tokenHash }: Owner,
  { abandonedBefore, expiredBefore }: Bounds,
  now: Date,
): Promise<boolean> {
  const rows = await reader`
    insert into public_tokens as known (user_id, token_hash, publisher_id, brought_at)
    values (${userId}, ${tokenHash}, ${publisherId}, ${now})
    on conflict (user_id, token_hash) do update set institution_id = null, brought_at = excluded.brought_at
      where known.brought_at < case when known.institution_id is null then ${abandonedBefore}::timestamptz else ${expiredBefore}::timestamptz end
    returning 1`
  return rows.length === 1
}

/** Where a public token was linked (null: under way); nothing when it was not brought, or came to nothing. */
export async function findPublicToken(
  reader: Reader,
  publisherId: PublisherId,
  { userId, tokenHash }: Owner,
): Promise<{ readonly institutionId: string | null } | null> {
  const [row] = await reader<{ institutionId: string | null }[]>`
    select institution_id as "institutionId" from public_tokens
    where user_id = ${userId} and publisher_id = ${publisherId} and token_hash = ${tokenHash}`
  return row ?? null
}

export async function settlePublicToken(
  tx: Tx,
  publisherId: PublisherId,
  { userId, tokenHash }: Owner,
  institutionId: string,
): Promise<void> {
  await tx`
    update public_tokens set institution_id = ${institutionId}
    where user_id = ${userId} and publisher_id = ${publisherId} and token_hash = ${tokenHash}`
}

export async function forgetPublicToken(
  reader: Reader,
  publisherId: PublisherId,
  { userId, tokenHash }: Owner,
): Promise<void> {
  await reader`
    delete from public_tokens
    where user_id = ${userId} and publisher_id = ${publisherId} and token_hash = ${tokenHash} and institution_id is null`
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
