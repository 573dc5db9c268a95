import { createHash } from 'node:crypto'
import { networkOf } from '../platform/caller-address.ts'
import type { Database } from '../platform/database.ts'
import type { UserId } from '../platform/ids.ts'
import { inLinesOf } from '../platform/on-behalf.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Realm } from './account.ts'
import {
  type AttemptCount,
  addAttempts,
  comparedAs,
  deleteAttempts,
  listAttempts,
  subtractAttempt,
} from './attempt-queries.ts'
import type { AccountRefusal } from './errors.ts'

const WINDOW_MS = 15 * 60_000
const DAY_MS = 24 * 60 * 60_000
// An office behind one address.
const BY_NETWORK_MAX = 100
/**
 * How often each thing may be attempted for an e-mail address in 15 minutes: from one network, and from all of them.
 * Whoever guesses passwords hits the first limit and locks nobody out elsewhere; the second stops those who guess from
 * many networks, below the 100 failures for one account of NIST SP 800-63B-4, section 3.2.2. Only someone who has given
 * the password can try codes of the second factor, which have six digits, so these also have a limit for the day. Each
 * request for a reset sends a mail that lets its reader in. A user who signs up may enter anybody's address, so
 * sign-ups are counted apart from resets, and by user as well.
 */
const LIMITS = {
  password: { fromOne: 10, fromAll: 50 },
  second_factor: { fromOne: 10, fromAll: 10, perDay: 30 },
  passkey: { fromOne: 10, fromAll: 50 },
  reset: { fromOne: 10, fromAll: 10 },
  sign_up: { fromOne: 10, fromAll: 10 },
  sign_up_code: { fromOne: 10, fromAll: 10 },
  // A link names no address, so these count by network only.
  link: null,
  invitation: null,
} as const satisfies Readonly<Record<string, Maxima | null>>
type Maxima = { readonly fromOne: number; readonly fromAll: number; readonly perDay?: number }
type Attempted = keyof typeof LIMITS

type Who = {
  readonly realm: Realm
  /** Null if what was presented belongs to no account here: such an attempt counts by network only. */
  readonly email: string | null
  readonly address: string
  /** A user who has entered: also counted across networks and addresses. */
  readonly userId?: UserId
}
type Limit = { readonly bucket: Buffer; readonly max: number; readonly windowMs: number }

/**
 * Counts an attempt before anything is checked, whether or not the address is known, in a commit of its own.
 * Concurrent attempts are counted one by one. An attempt that is refused counts nowhere and stores nothing.
 * @throws Refusal attempts_exhausted
 */
export async function countAttempt(db: Database, attempted: Attempted, from: Who, now: Date): Promise<void> {
  const limits = [limitByNetwork(from.address), ...(await listOwnLimits(db, attempted, from))]
  const known = await listAttempts(db.reader, bucketsOf(limits))
  refuseOver(limits, known, (count, max) => count >= max, now)
  // The row of a network is one of these, so that many attempts from it would each wait with a connection.
  const names = bucketsOf(limits).map((bucket) => `attempts ${bucket.toString('base64')}`)
  await inLinesOf(names, () =>
    db.transaction(async (tx) => {
      for (const windowMs of new Set(limits.map((limit) => limit.windowMs))) {
        const buckets = bucketsOf(limits.filter((limit) => limit.windowMs === windowMs))
        const counted = await addAttempts(tx, buckets, { now, since: new Date(now.getTime() - windowMs) })
        // Others may have used up what was left; the refusal rolls this attempt back.
        refuseOver(limits, counted, (count, max) => count > max, now)
      }
    }),
  )
}

/**
 * Clears the counts of these kinds for an e-mail address, from this network and from all, and takes one attempt back
 * from its network, behind which there may be a whole town. A count ends only when what it counts has succeeded: a new
 * password says nothing about codes of the second factor.
 */
export async function takeBackAttempts(
  db: Database,
  kinds: readonly Attempted[],
  from: Omit<Who, 'userId'>,
): Promise<void> {
  const limits = await Promise.all(kinds.map((attempted) => listOwnLimits(db, attempted, from)))
  const buckets = bucketsOf(limits.flat())
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
  return limitOf(['network', networkOf(address)], BY_NETWORK_MAX)
}

/** The limits of an address, and of a user who has entered. */
async function listOwnLimits({ reader }: Database, attempted: Attempted, from: Who): Promise<Limit[]> {
  const maxima: Maxima | null = LIMITS[attempted]
  const { realm, address, email, userId } = from
  if (maxima === null || email === null) return []
  const compared = await comparedAs(reader, email)
  // An address stands for a different person in each realm.
  const name = realm === 'console' ? compared : `${realm.publisherId}\n${compared}`
  const { fromOne, fromAll, perDay } = maxima
  return [
    limitOf([attempted, name, networkOf(address)], fromOne),
    limitOf([attempted, name], fromAll),
    ...(perDay === undefined ? [] : [limitOf([attempted, 'day', name], perDay, DAY_MS)]),
    ...(userId === undefined ? [] : [limitOf([attempted, userId], fromOne)]),
  ]
}

/** Addresses of people who have no account here are not kept, so a bucket is a hash. */
function limitOf(name: readonly string[], max: number, windowMs = WINDOW_MS): Limit {
  return { bucket: createHash('sha256').update(name.join('\n')).digest(), max, windowMs }
}

const bucketsOf = (limits: readonly Limit[]): Buffer[] => limits.map(({ bucket }) => bucket)
