import { createHash } from 'node:crypto'
import { networkOf } from '../platform/caller-address.ts'
import type { Database } from '../platform/database.ts'
import { Refusal } from '../platform/refusal.ts'
import { addAttempts, deleteAttempts } from './attempt-queries.ts'
import type { AccountRefusal } from './errors.ts'

// NIST SP 800-63B-4, section 3.2.2 allows at most 100 failures in a row for one account; these are fewer, and end.
const WINDOW_MS = 15 * 60_000
const BY_EMAIL_MAX = 10
// An office behind one address.
const BY_NETWORK_MAX = 100

/**
 * Counts an attempt to sign in before anything is looked up, known address or not, in a commit of its own: attempts that
 * come at once are counted one by one. Returns what takes it back when it succeeds.
 * @throws Refusal attempts_exhausted
 */
export async function countAttempt(
  db: Database,
  { email, address }: { readonly email: string; readonly address: string },
  now: Date,
): Promise<() => Promise<void>> {
  const ofEmail = bucketOf('email', email.toLowerCase())
  const limits = [
    { bucket: ofEmail, max: BY_EMAIL_MAX },
    { bucket: bucketOf('network', networkOf(address)), max: BY_NETWORK_MAX },
  ]
  const since = new Date(now.getTime() - WINDOW_MS)
  const buckets = limits.map(({ bucket }) => bucket)
  const counted = await db.transaction((tx) => addAttempts(tx, buckets, { now, since }))
  const over = counted.filter(({ bucket, count }) =>
    limits.some((limit) => limit.bucket.equals(bucket) && count > limit.max),
  )
  if (over.length > 0) {
    const endMs = Math.max(...over.map(({ beganAt }) => beganAt.getTime())) + WINDOW_MS
    throw new Refusal<AccountRefusal>(
      'attempts_exhausted',
      'Too many attempts. Try again later, or reset the password.',
      {
        retryAfterSeconds: Math.max(1, Math.ceil((endMs - now.getTime()) / 1_000)),
      },
    )
  }
  return () => db.transaction((tx) => deleteAttempts(tx, ofEmail))
}

/** Addresses of people who have no account here are not kept. */
function bucketOf(kind: string, name: string): Buffer {
  return createHash('sha256').update(`${kind}\n${name}`).digest()
}
