import { createHash } from 'node:crypto'
import { networkOf } from '../platform/caller-address.ts'
import type { Database } from '../platform/database.ts'
import type { UserId } from '../platform/ids.ts'
import { inLinesOf } from '../platform/on-behalf.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Realm } from './account.ts'
import { addAttempts, comparedAs, deleteAttempts } from './attempt-queries.ts'
import type { AccountRefusal } from './errors.ts'

const WINDOW_MS = 15 * 60_000
// An office behind one address.
const BY_NETWORK_MAX = 100
/**
 * What is attempted, and how often an address of mail may from one network, and from all. Whoever guesses passwords is
 * stopped by the first limit, and locks nobody out who signs in elsewhere; the second stops those who guess from many
 * networks, below the 100 failures for one account of NIST SP 800-63B-4, section 3.2.2. Codes are asked only of who has
 * given the password, and each request for a reset sends a mail that lets its reader in. A user who signs up may enter
 * anybody's address, so sign-ups are counted separately from resets, and by user as well.
 */
const BY_EMAIL_MAX = {
  password: { fromOne: 10, fromAll: 50 },
  code: { fromOne: 10, fromAll: 10 },
  reset: { fromOne: 10, fromAll: 10 },
  sign_up: { fromOne: 10, fromAll: 10 },
} as const
type Attempted = keyof typeof BY_EMAIL_MAX

type Who = {
  readonly realm: Realm
  readonly email: string
  readonly address: string
  /** A user who has entered: also counted across networks and addresses. */
  readonly userId?: UserId
}
type Limit = { readonly bucket: Buffer; readonly max: number }

/**
 * Counts an attempt before anything is looked up, known address or not, in commits of its own: attempts that come at
 * once are counted one by one. What one network may no longer do does not count for all of them.
 * @throws Refusal attempts_exhausted
 */
export async function countAttempt(db: Database, attempted: Attempted, from: Who, now: Date): Promise<void> {
  const who = { address: from.address, email: await addressOf(db, from) }
  const { fromOne, fromAll } = BY_EMAIL_MAX[attempted]
  const ofNetwork = { bucket: bucketOf('network', networkOf(who.address)), max: BY_NETWORK_MAX }
  const ofUser = from.userId === undefined ? [] : [{ bucket: bucketOf(attempted, from.userId), max: fromOne }]
  await count(db, [ofNetwork, { bucket: bucketFromOne(attempted, who), max: fromOne }, ...ofUser], now)
  await count(db, [{ bucket: bucketFromAll(attempted, who), max: fromAll }], now)
}

/** Clears the counts of an e-mail address, from this network and from all: whoever asked has proved that it is theirs. */
export async function takeBackAttempts(db: Database, from: Who): Promise<void> {
  const who = { address: from.address, email: await addressOf(db, from) }
  const kinds = Object.keys(BY_EMAIL_MAX) as Attempted[]
  const buckets = kinds.flatMap((attempted) => [bucketFromOne(attempted, who), bucketFromAll(attempted, who)])
  await db.transaction((tx) => deleteAttempts(tx, buckets))
}

async function count(db: Database, limits: readonly Limit[], now: Date): Promise<void> {
  const since = new Date(now.getTime() - WINDOW_MS)
  const buckets = limits.map(({ bucket }) => bucket)
  // The row of a network is one of these, so that many attempts from it would each wait with a connection.
  const names = buckets.map((bucket) => `attempts ${bucket.toString('base64')}`)
  const counted = await inLinesOf(names, () => db.transaction((tx) => addAttempts(tx, buckets, { now, since })))
  const over = counted.filter(({ bucket, count }) =>
    limits.some((limit) => limit.bucket.equals(bucket) && count > limit.max),
  )
  if (over.length === 0) return
  const endMs = Math.max(...over.map(({ beganAt }) => beganAt.getTime())) + WINDOW_MS
  throw new Refusal<AccountRefusal>(
    'attempts_exhausted',
    'Too many attempts. Try again later, or reset the password.',
    {
      retryAfterSeconds: Math.max(1, Math.ceil((endMs - now.getTime()) / 1_000)),
    },
  )
}

/** An address stands for a different person in each realm. */
async function addressOf({ reader }: Database, { realm, email }: Who): Promise<string> {
  const compared = await comparedAs(reader, email)
  return realm === 'console' ? compared : `${realm.publisherId}\n${compared}`
}

type Counting = Pick<Who, 'email' | 'address'>
const bucketFromOne = (attempted: Attempted, { email, address }: Counting): Buffer =>
  bucketOf(attempted, `${email}\n${networkOf(address)}`)
const bucketFromAll = (attempted: Attempted, { email }: Counting): Buffer => bucketOf(attempted, email)

/** Addresses of people who have no account here are not kept. */
function bucketOf(kind: string, name: string): Buffer {
  return createHash('sha256').update(`${kind}\n${name}`).digest()
}
