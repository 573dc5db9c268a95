import { createHash } from 'node:crypto'
import type { Database } from '../../platform/db/database.ts'
import { toNetwork } from '../../platform/http/callers/caller-address.ts'
import type { UserId } from '../../platform/ids.ts'
import { runInLines } from '../../platform/on-behalf.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Realm } from './account.ts'
import {
  type AttemptCount,
  addAttempts,
  deleteAttempts,
  listAttempts,
  readLowercased,
  subtractAttempt,
} from './attempt-queries.ts'
import type { AccountRefusal } from './errors.ts'

const WINDOW_MS = 15 * 60_000
const DAY_MS = 24 * 60 * 60_000
// High enough for an office behind a single IP address.
const BY_NETWORK_MAX = 100
/**
 * The attempts allowed per email address in 15 minutes, from one network and from all networks combined. The
 * per-network limit stops password guessing without locking the owner out elsewhere. The overall limit stops guessing
 * from many networks, and stays below the 100 failures per account in NIST SP 800-63B-4, section 3.2.2. Second-factor
 * codes have only six digits, so they also have a daily limit, although trying one requires the password. Every reset
 * request sends an email that grants access. Anyone can sign up with someone else's address, so sign-ups are counted
 * separately from resets, and also per user.
 */
const LIMITS = {
  password: { fromOne: 10, fromAll: 50 },
  second_factor: { fromOne: 10, fromAll: 10, perDay: 30 },
  passkey: { fromOne: 10, fromAll: 50 },
  reset: { fromOne: 10, fromAll: 10 },
  sign_up: { fromOne: 10, fromAll: 10 },
  sign_up_code: { fromOne: 10, fromAll: 10 },
  // A link contains no email address, so these attempts are counted only by network.
  link: null,
  invitation: null,
} as const satisfies Readonly<Record<string, Maxima | null>>
type Maxima = { readonly fromOne: number; readonly fromAll: number; readonly perDay?: number }
type Attempted = keyof typeof LIMITS

type Who = {
  readonly realm: Realm
  /** Null if the credential matches no account here. Such attempts are counted only by network. */
  readonly email: string | null
  readonly address: string
  /** Set for a user in the portal, whose attempts are also counted across networks and addresses. */
  readonly userId?: UserId
}
type Limit = { readonly bucket: Buffer; readonly max: number; readonly windowMs: number }

/**
 * Counts an attempt in its own transaction before anything is checked, whether or not the address has an account.
 * Concurrent attempts are counted one at a time. A rejected attempt is not counted and stores nothing.
 * @throws Refusal attempts_exhausted
 */
export async function countAttempt(db: Database, attempted: Attempted, from: Who, now: Date): Promise<void> {
  const limits = [limitByNetwork(from.address), ...(await listOwnLimits(db, attempted, from))]
  const known = await listAttempts(db.reader, toBuckets(limits))
  refuseOver(limits, known, (count, max) => count >= max, now)
  // All attempts from a network update the same row. Queuing here keeps each of them from occupying a connection while
  // it waits for the lock.
  const names = toBuckets(limits).map((bucket) => `attempts ${bucket.toString('base64')}`)
  await runInLines(names, () =>
    db.transaction(async (tx) => {
      for (const windowMs of new Set(limits.map((limit) => limit.windowMs))) {
        const buckets = toBuckets(limits.filter((limit) => limit.windowMs === windowMs))
        const counted = await addAttempts(tx, buckets, { now, since: new Date(now.getTime() - windowMs) })
        // Concurrent attempts may have used up the allowance. Throwing the refusal rolls this attempt back.
        refuseOver(limits, counted, (count, max) => count > max, now)
      }
    }),
  )
}

/**
 * Clears the counts of these kinds of attempts for an email address, both from this network and from all networks.
 * Subtracts only one attempt from the network's own count, because an entire town may share that network. A count is
 * cleared only when the kind of attempt it counts succeeds, so a new password does not clear the count of second-factor
 * codes.
 */
export async function takeBackAttempts(
  db: Database,
  kinds: readonly Attempted[],
  from: Omit<Who, 'userId'>,
): Promise<void> {
  const limits = await Promise.all(kinds.map((attempted) => listOwnLimits(db, attempted, from)))
  const buckets = toBuckets(limits.flat())
  await db.transaction(async (tx) => {
    await deleteAttempts(tx, buckets)
    await subtractAttempt(tx, limitByNetwork(from.address).bucket)
  })
}

function refuseOver(
  limits: readonly Limit[],
  counted: readonly AttemptCount[],
  isOver: (count: number, max: number) => boolean,
  now: Date,
): void {
  const endsMs = limits.flatMap(({ bucket, max, windowMs }) =>
    counted
      .filter((one) => one.bucket.equals(bucket) && isOver(one.count, max))
      .map(({ beganAt }) => beganAt.getTime() + windowMs)
      .filter((endMs) => endMs > now.getTime()),
  )
  if (endsMs.length === 0) return
  const retryAfterSeconds = Math.max(1, Math.ceil((Math.max(...endsMs) - now.getTime()) / 1_000))
  throw new Refusal<AccountRefusal>('attempts_exhausted', 'Too many attempts. Try again later.', { retryAfterSeconds })
}

function limitByNetwork(address: string): Limit {
  return buildLimit(['network', toNetwork(address)], BY_NETWORK_MAX)
}

/** Lists the limits for an address and for the portal user, if any. */
async function listOwnLimits({ reader }: Database, attempted: Attempted, from: Who): Promise<Limit[]> {
  const maxima: Maxima | null = LIMITS[attempted]
  const { realm, address, email, userId } = from
  if (maxima === null || email === null) return []
  const compared = await readLowercased(reader, email)
  // The same address can belong to a different person in each realm.
  const name = realm === 'console' ? compared : `${realm.publisherId}\n${compared}`
  const { fromOne, fromAll, perDay } = maxima
  return [
    buildLimit([attempted, name, toNetwork(address)], fromOne),
    buildLimit([attempted, name], fromAll),
    ...(perDay === undefined ? [] : [buildLimit([attempted, 'day', name], perDay, DAY_MS)]),
    ...(userId === undefined ? [] : [buildLimit([attempted, userId], fromOne)]),
  ]
}

/** Builds a limit. Its bucket is a hash, so the addresses of people without an account are never stored. */
function buildLimit(name: readonly string[], max: number, windowMs = WINDOW_MS): Limit {
  return { bucket: createHash('sha256').update(name.join('\n')).digest(), max, windowMs }
}

const toBuckets = (limits: readonly Limit[]): Buffer[] => limits.map(({ bucket }) => bucket)
