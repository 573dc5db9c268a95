import type { Reader, Tx } from '../platform/database.ts'
import type { Retained } from '../platform/retention.ts'

type Counted = { readonly bucket: Buffer; readonly count: number; readonly beganAt: Date }

/**
 * An address as look-ups compare it. JavaScript's lower case differs for some letters, so that an account would have as
 * many counts as its address has spellings.
 */
export async function comparedAs(reader: Reader, email: string): Promise<string> {
  const [row] = await reader<{ email: string }[]>`select lower(${email}) as email`
  return row?.email ?? email
}

/** Counts in each bucket, from the beginning again where it began before `since`. */
export async function addAttempts(
  tx: Tx,
  buckets: readonly Buffer[],
  { now, since }: { readonly now: Date; readonly since: Date },
): Promise<Counted[]> {
  // Sorted, so that two attempts do not wait for each other in a ring.
  const sorted = buckets.map((bucket) => bucket.toString('hex')).sort()
  return tx<Counted[]>`
    insert into sign_in_attempts as a (bucket_hash, count, began_at)
    select decode(bucket, 'hex'), 1, ${now} from unnest(${sorted}::text[]) as bucket
    on conflict (bucket_hash) do update set
      count = case when a.began_at <= ${since} then 1 else a.count + 1 end,
      began_at = case when a.began_at <= ${since} then ${now} else a.began_at end
    returning bucket_hash as bucket, count, began_at`
}

export async function deleteAttempts(tx: Tx, buckets: readonly Buffer[]): Promise<void> {
  const hashes = buckets.map((bucket) => bucket.toString('hex'))
  await tx`
    delete from sign_in_attempts
    where bucket_hash in (select decode(bucket, 'hex') from unnest(${hashes}::text[]) as bucket)`
}

/** Attempts count for minutes. */
export const retainedAttempts: Retained = {
  table: 'sign_in_attempts',
  days: async () => 1,
  oldest: async (reader) => {
    const [row] = await reader<{ at: Date | null }[]>`select min(began_at) as at from sign_in_attempts`
    return row?.at ?? null
  },
  drop: async (tx, before, limit) => {
    const { count } = await tx`
      delete from sign_in_attempts
      where bucket_hash in (select bucket_hash from sign_in_attempts where began_at < ${before} order by began_at limit ${limit})`
    return count
  },
}
