import type { Retained } from '../../platform/db/retention.ts'

/** Retains a table's rows for `days` days after the time in column `time`. Nothing references the rows by then. */
function retain(table: string, key: string, time: string, days: number): Retained {
  return {
    table,
    days: async () => days,
    oldest: async (reader) => {
      const [row] = await reader<{ at: Date | null }[]>`
        -- all publishers: all users: totals for metrics
        select min(${reader(time)}) as at from ${reader(table)} where ${reader(time)} < now()`
      return row?.at ?? null
    },
    drop: async (tx, before, limit) => {
      const { count } = await tx`
        -- all publishers: all users: drops by age
        delete from ${tx(table)}
        where ${tx(key)} in (
          select ${tx(key)} from ${tx(table)} where ${tx(time)} < ${before} order by ${tx(time)} limit ${limit})`
      return count
    },
  }
}

export const RETAINED_OF_ACCOUNTS: readonly Retained[] = [
  retain('sessions', 'session_id', 'expires_at', 0),
  // A day is the longest period over which any limit counts attempts.
  retain('sign_in_attempts', 'bucket_hash', 'began_at', 1),
  retain('account_tokens', 'sha256', 'expires_at', 0),
  retain('user_sign_ups', 'user_id', 'expires_at', 0),
  retain('passkey_challenges', 'challenge_hash', 'expires_at', 0),
]
