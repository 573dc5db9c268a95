import type { Reader, Tx } from '../../platform/db/database.ts'

export type AttemptCount = { readonly bucket: Buffer; readonly count: number; readonly beganAt: Date }

/**
 * Lowercases an address as the database does for comparisons. JavaScript lowercases some letters differently, which
 * would give an account a separate attempt count for each spelling of its address.
 */
export async function readLowercased(reader: Reader, email: string): Promise<string> {
  const [row] = await reader<{ email: string }[]>`select lower(${email}) as email`
  return row?.email ?? email
}

export async function listAttempts(reader: Reader, buckets: readonly Buffer[]): Promise<AttemptCount[]> {
  return reader<AttemptCount[]>`
    select bucket_hash as bucket, count, began_at from sign_in_attempts
    where bucket_hash in (select decode(bucket, 'hex') from unnest(${sortedHex(buckets)}::text[]) as bucket)`
}

/** Increments the count in each bucket. Buckets that began at or before `since` start over. */
export async function addAttempts(
  tx: Tx,
  buckets: readonly Buffer[],
  { now, since }: { readonly now: Date; readonly since: Date },
): Promise<AttemptCount[]> {
  return tx<AttemptCount[]>`
    insert into sign_in_attempts as a (bucket_hash, count, began_at)
    select decode(bucket, 'hex'), 1, ${now} from unnest(${sortedHex(buckets)}::text[]) as bucket
    on conflict (bucket_hash) do update set
      count = case when a.began_at <= ${since} then 1 else a.count + 1 end,
      began_at = case when a.began_at <= ${since} then ${now} else a.began_at end
    returning bucket_hash as bucket, count, began_at`
}

export async function deleteAttempts(tx: Tx, buckets: readonly Buffer[]): Promise<void> {
  await tx`
    delete from sign_in_attempts
    where bucket_hash in (select decode(bucket, 'hex') from unnest(${sortedHex(buckets)}::text[]) as bucket)`
}

/** Subtracts one attempt, unless the count is already zero. */
export async function subtractAttempt(tx: Tx, bucket: Buffer): Promise<void> {
  await tx`update sign_in_attempts set count = count - 1 where bucket_hash = ${bucket} and count > 0`
}

/** Sorts the buckets, so concurrent attempts lock rows in the same order and never deadlock. */
function sortedHex(buckets: readonly Buffer[]): string[] {
  return buckets.map((bucket) => bucket.toString('hex')).sort()
}
