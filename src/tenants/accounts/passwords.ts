import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createTurns } from '../../platform/db/pacing.ts'
import { invalidInput } from '../../platform/http/index.ts'

// OWASP Password Storage Cheat Sheet: argon2id with at least 19 MiB of memory, 2 passes and no parallelism.
const COST = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32
// NIST SP 800-63B-4, section 3.1.1.2, requires at least 15 characters if the password is the only factor, and at least
// 8 if it is one of two. Laurel's second factor is optional, so the minimum lies between the two.
const LENGTH_MIN = 12
export const LENGTH_MAX = 256
// Half of the thread pool, so that password guessing cannot block the file reads and host lookups that share it.
const AT_ONCE = 2
// A full queue takes about two seconds to process, or many times that on a busy machine.
const LIMITS = { connections: AT_ONCE, ownerConnections: AT_ONCE, waitingMax: 50, waitMaxMs: 20_000 }
const turns = createTurns('passwords', LIMITS)

type Cost = typeof COST
const derive = promisify(argon2)

/**
 * Returns the hash with its salt and cost, in the PHC string format.
 * @throws Refusal overloaded if too many callers are waiting
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await deriveHash(password, salt, COST)
  const { memory, passes, parallelism } = COST
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text(salt)}$${text(hash)}`
}

/**
 * Returns true if the password matches the stored hash. Without a stored hash, returns false after the same amount of
 * time.
 * @throws Refusal overloaded if too many callers are waiting
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const { salt, hash, cost } = read(stored ?? DUMMY_HASH)
  const found = await deriveHash(password, salt, cost)
  return timingSafeEqual(found, hash) && stored !== null
}

export function isTooShort(password: string): boolean {
  return [...password].length < LENGTH_MIN
}

/**
 * Checks the length of a new password.
 * @throws invalid_input for the field
 */
export function checkNewPassword(password: string, field: string): void {
  if (!isTooShort(password)) return
  throw invalidInput([{ field, code: 'too_short', message: `must have at least ${LENGTH_MIN} characters` }])
}

/** Returns true if the hash was made at a lower cost than new ones. */
export function isOutdated(stored: string): boolean {
  const { cost } = read(stored)
  return cost.memory < COST.memory || cost.passes < COST.passes
}

async function deriveHash(password: string, nonce: Buffer, cost: Cost): Promise<Buffer> {
  // The same character can be entered as different code points.
  const message = password.normalize('NFKC')
  const end = await turns.take()
  try {
    return await derive('argon2id', { message, nonce, tagLength: HASH_BYTES, ...cost })
  } finally {
    end()
  }
}

const FORMAT = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/
const DUMMY_HASH = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

function read(stored: string): { salt: Buffer; hash: Buffer; cost: Cost } {
  const [, memory, passes, parallelism, salt = '', hash = ''] = FORMAT.exec(stored) ?? []
  if (memory === undefined) throw new Error('a stored password is not in the PHC format')
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  return { salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64'), cost }
}

/** Encodes as base64 without padding, as the PHC format requires. */
function text(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
