import { createHash, randomBytes } from 'node:crypto'

/**
 * Ids are UUIDs in the database and TypeIDs on the wire: a type prefix, an underscore and 26 characters of Crockford's
 * base 32 (https://github.com/jetify-com/typeid, specification 0.3).
 */
declare const brand: unique symbol
export type Id<Name extends string> = string & { readonly [brand]: Name }
/** The kinds of IDs in resources, keyed by their prefix on the wire. */
export type IdNames = {
  readonly acc: 'account'
  readonly adj: 'adjustment'
  readonly clm: 'claim'
  readonly crd: 'card'
  readonly ctr: 'contradiction'
  readonly dlv: 'delivery'
  readonly era: 'erasure'
  readonly evt: 'event'
  readonly gcd: 'gift-card'
  readonly gco: 'gift-card-order'
  readonly key: 'api-key'
  readonly pay: 'payment'
  readonly pbk: 'postback'
  readonly pof: 'payout-file'
  readonly psk: 'passkey'
  readonly pub: 'publisher'
  readonly rdm: 'redemption'
  readonly rev: 'review'
  readonly rmt: 'rematch'
  readonly rpt: 'report'
  readonly ses: 'session'
  readonly stm: 'statement'
  readonly txn: 'transaction'
  readonly usr: 'user'
  readonly whe: 'endpoint'
}
export type PublisherId = Id<'publisher'>
export type UserId = Id<'user'>
export type TransactionId = Id<'transaction'>

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const CHARACTERS = Buffer.from(ALPHABET)
const [DASH, DIGITS, LETTERS] = [45, 48, 97]
const suffix = Buffer.alloc(26)
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

// Reading random bytes takes ten times as long as generating the rest of an id, so they are read for many ids at a
// time.
const TAIL_BYTES = 8
const POOL_BYTES = 512 * TAIL_BYTES

let lastMs = 0
let counter = 0
let pool = Buffer.alloc(0)
let used = 0

/**
 * Generates a UUIDv7 (RFC 9562, sections 5.7 and 6.2 method 1), so that rows written together are stored together and
 * the ids of one process sort in order of creation. The 12 bits after the time are a counter within the millisecond.
 * When it overflows or the clock steps back, the ids' time runs ahead of the clock.
 */
export function newUuid<Name extends string = string>(): Id<Name> {
  const nowMs = Date.now()
  if (nowMs > lastMs) {
    lastMs = nowMs
    counter = 0
  } else if (++counter > 0xfff) {
    lastMs++
    counter = 0
  }
  const time = lastMs.toString(16).padStart(12, '0')
  const tail = randomTail()
  const count = counter.toString(16).padStart(3, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${tail.slice(0, 4)}-${tail.slice(4)}` as Id<Name>
}

/** Sorts before every other id. */
export const FIRST_UUID = '00000000-0000-0000-0000-000000000000'

/** Returns a lower bound for the ids that newUuid generates at or after an instant. */
export function buildFirstUuid(instant: Date): string {
  const time = Math.max(0, instant.getTime()).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

/** Returns the time when newUuid generated an id. */
export function decodeUuidTime(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}

/** Returns the variant and 62 random bits that are never reused. */
function randomTail(): string {
  if (used === pool.length) {
    pool = randomBytes(POOL_BYTES)
    used = 0
  }
  pool[used] = ((pool[used] ?? 0) & 0x3f) | 0x80
  used += TAIL_BYTES
  return pool.toString('hex', used - TAIL_BYTES, used)
}

/**
 * Derives a UUIDv8 (RFC 9562, section 5.8) deterministically from the parts: 122 bits of SHA-256 over the
 * length-prefixed parts.
 */
export function deriveUuid<Name extends string = string>(...parts: readonly string[]): Id<Name> {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part)
  return withVersion(hash.digest().subarray(0, 16), 8) as Id<Name>
}

/** Encodes a UUID in wire form, such as usr_01h455vb4pex5vsknk084sn02q. */
export function encodeId(prefix: string, uuid: string): string {
  // 128 bits, after two zero bits, as 26 characters of 5 bits. This is a hot path, which runs for every row of a list
  // and every event. Small integers take a fifth of the time of a BigInt, and a single buffer takes half the time of
  // joining characters.
  let value = 0
  let bits = 2
  let count = 0
  for (let at = 0; at < uuid.length; at++) {
    const code = uuid.charCodeAt(at)
    if (code === DASH) continue
    value = (value << 4) | (code < LETTERS ? code - DIGITS : code - LETTERS + 10)
    bits += 4
    if (bits < 5) continue
    bits -= 5
    suffix[count++] = CHARACTERS[value >> bits] ?? 0
    value &= (1 << bits) - 1
  }
  return `${prefix}_${suffix.toString('latin1', 0, count)}`
}

/** Decodes a wire id or bare UUID; null if the text is neither. */
export function decodeId<Name extends string = string>(prefix: string, text: string): Id<Name> | null {
  const lower = text.toLowerCase()
  if (UUID.test(lower)) return lower as Id<Name>
  if (!lower.startsWith(`${prefix}_`) || lower.length !== prefix.length + 27) return null
  let value = 0n
  for (const character of lower.slice(prefix.length + 1)) {
    const digit = ALPHABET.indexOf(character)
    if (digit < 0) return null
    value = (value << 5n) | BigInt(digit)
  }
  if (value >> 128n !== 0n) return null
  return formatUuid(value.toString(16).padStart(32, '0')) as Id<Name>
}

/**
 * Derives a user's id from the publisher and the publisher's identifier, so that no request needs a query to find the
 * user.
 */
export function toUserId(publisherId: PublisherId, publisherUserId: string): UserId {
  return deriveUuid<'user'>(publisherId, publisherUserId)
}

function withVersion(bytes: Buffer, version: number): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4)
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return formatUuid(bytes.toString('hex'))
}

/** Formats 32 hexadecimal digits as a UUID. */
export function formatUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
