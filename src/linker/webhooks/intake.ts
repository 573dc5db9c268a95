import { createHash, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import { createRateLimiter } from '../../platform/rate-limit.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { LinkerDeps } from '../deps.ts'
import type { LinkerRefusal } from '../errors.ts'
import { refusalOf } from '../health/login-state.ts'
import { fingerprintOf } from '../links/sealed-tokens.ts'
import type { WebhookKey } from '../provider.ts'
import { createHints, orAfter } from './hints.ts'
import type { Hint } from './queries.ts'

/**
 * Webhooks of the provider. Anyone can post here, so nothing is believed before the signature over these very bytes is
 * verified: ES256 only, a key that the provider vouches for, signed within the last minutes. Even then a webhook is only a
 * hint: it makes a sync and a check of an item due, and none of its content is used.
 */

const AGE_MAX_S = 5 * 60
// Clocks differ a little.
const AHEAD_MAX_S = 30
// A key that has been given up is refused soon after; one that cannot be asked for serves on for a day.
const KEY_FRESH_MS = 3_600_000
const KEY_KEPT_MS = 24 * KEY_FRESH_MS
const UNKNOWN_KEPT_MS = 5 * 60_000
const KEYS_MAX = 100
// The key's name comes from an unverified header; without this bound anyone could make us call the provider at will.
const LOOKUPS = { perSecond: 1, burst: 10 }
// A webhook is answered within 200 ms.
const KEY_WITHIN_MS = 90
const STORED_WITHIN_MS = 100
// Webhooks that wait for a key; each has 64 KB at most.
const UNDER_WAY_MAX = 500
const RETRY_AFTER_S = 30

type WebhookKeys = (keyId: string) => Promise<WebhookKey | null>

type Kept = { readonly key: WebhookKey; readonly atMs: number }

/**
 * The provider's keys, kept for a day and fetched again each hour; unknown names, kept for some minutes. The two are kept
 * apart, so that invented names cannot push the real ones out.
 */
export function createWebhookKeys(deps: LinkerDeps): WebhookKeys {
  const known = new Map<string, Kept>()
  const unknown = new Map<string, number>()
  const asked = new Map<string, Promise<WebhookKey | null>>()
  const lookups = createRateLimiter()
  const look = async (keyId: string): Promise<WebhookKey | null> => {
    const key = await deps.provider.getWebhookKey(keyId)
    const nowMs = deps.clock.now().getTime()
    if (key === null) {
      known.delete(keyId)
      keep(unknown, keyId, nowMs + UNKNOWN_KEPT_MS)
    } else keep(known, keyId, { key, atMs: nowMs })
    return key
  }
  const lookOnce = (keyId: string): Promise<WebhookKey | null> => {
    const looking = asked.get(keyId) ?? look(keyId).finally(() => asked.delete(keyId))
    asked.set(keyId, looking)
    return looking
  }
  return async (keyId) => {
    const nowMs = deps.clock.now().getTime()
    const kept = known.get(keyId)
    if (kept !== undefined && nowMs - kept.atMs < KEY_KEPT_MS) {
      if (nowMs - kept.atMs > KEY_FRESH_MS)
        lookOnce(keyId).catch((error) => deps.log.warn({ err: error }, "the webhooks' key could not be asked for anew"))
      return kept.key
    }
    if ((unknown.get(keyId) ?? 0) > nowMs) return null
    if (!asked.has(keyId) && !lookups.take('keys', LOOKUPS, nowMs).allowed)
      throw later('Too many unknown keys at the moment.')
    return lookOnce(keyId).catch((error) => {
      throw refusalOf(error)
    })
  }
}

function keep<Value>(map: Map<string, Value>, keyId: string, value: Value): void {
  map.delete(keyId)
  const [oldest] = map.keys()
  if (map.size >= KEYS_MAX && oldest !== undefined) map.delete(oldest)
  map.set(keyId, value)
}

type WebhookDoor = {
  /**
   * Accepts a webhook, and answers soon whatever is slow. While its key must be fetched, the sender is asked to repeat it; it is
   * accepted anyway once the key is there, and twice has the effect of once. A genuine webhook is acknowledged even if its
   * hint cannot be stored yet: refusing it would only bring it again, to a busy database.
   * @throws Refusal webhook_unverified, and linker_… while the provider cannot vouch for the key or no more hints can be held
   */
  readonly take: (signature: string | undefined, body: Buffer) => Promise<void>
  /** Returns when what was taken is stored. */
  readonly drain: () => Promise<void>
}

export function createWebhookDoor(deps: LinkerDeps): WebhookDoor {
  const keys = createWebhookKeys(deps)
  const hints = createHints(deps)
  let underWay = 0
  const note = async (signature: string | undefined, body: Buffer): Promise<Noted> => {
    const hint = await readHint(deps, keys, signature, body)
    const stored = hint === null ? Promise.resolve() : hints.add(hint)
    if (stored === null) throw later('Too much waits to be stored at the moment.')
    return { stored }
  }
  const take: WebhookDoor['take'] = async (signature, body) => {
    if (underWay >= UNDER_WAY_MAX) throw later('Too many webhooks wait at the moment.')
    underWay++
    const noted = note(signature, body).finally(() => {
      underWay--
    })
    const { stored } = await inTime(noted, (error) => deps.log.warn({ err: error }, 'a webhook could not be accepted'))
    await orAfter(stored, STORED_WITHIN_MS)
  }
  return { take, drain: hints.drain }
}

/** Wrapped in an object, so that awaiting the rest does not await it. */
type Noted = { readonly stored: Promise<void> }

/** The result of the work, or a refusal once it takes too long; then its failure is only logged. */
async function inTime<T>(work: Promise<T>, report: (error: unknown) => void): Promise<T> {
  let isLate = false
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      isLate = true
      reject(later('This takes longer than usual; send it again.'))
    }, KEY_WITHIN_MS)
  })
  const watched = work.catch((error: unknown) => {
    if (isLate) report(error)
    throw error
  })
  return Promise.race([watched, limit]).finally(() => clearTimeout(timer))
}

function later(detail: string): Refusal<LinkerRefusal> {
  return new Refusal<LinkerRefusal>('linker_unavailable', detail, { retryAfterSeconds: RETRY_AFTER_S })
}

/** Null for a webhook that is not about an item. */
async function readHint(
  deps: LinkerDeps,
  keys: WebhookKeys,
  signature: string | undefined,
  body: Buffer,
): Promise<Hint | null> {
  if (signature === undefined || !(await isGenuine(keys, signature, body, deps.clock.now()))) {
    throw new Refusal<LinkerRefusal>('webhook_unverified', 'This is not signed by the linking provider.')
  }
  const payload = parsed(body.toString('utf8'))
  const itemId = payload?.['item_id']
  const type = payload?.['webhook_type']
  if (typeof itemId !== 'string' || (type !== 'TRANSACTIONS' && type !== 'ITEM')) return null
  return {
    fingerprint: fingerprintOf(deps.vault, itemId),
    asksCheck: type === 'ITEM',
    repaired: payload?.['webhook_code'] === 'LOGIN_REPAIRED',
    settles: null,
    disconnectsAt: payload?.['webhook_code'] === 'PENDING_DISCONNECT' ? instantOf(payload['disconnect_time']) : null,
    newAccounts: payload?.['webhook_code'] === 'NEW_ACCOUNTS_AVAILABLE',
  }
}

/** Years that a calendar of four digits has; what is plausible of the rest is judged when the item is asked. */
function instantOf(value: unknown): Date | null {
  const instant = new Date(typeof value === 'string' ? value : Number.NaN)
  const year = instant.getUTCFullYear()
  return year > 2000 && year < 10_000 ? instant : null
}

export async function isGenuine(keys: WebhookKeys, signature: string, body: Buffer, now: Date): Promise<boolean> {
  const [head = '', claims = '', sign = '', ...rest] = signature.split('.')
  const header = parsed(decoded(head))
  const keyId = header?.['kid']
  // The algorithm is ours to choose, never the sender's.
  if (rest.length > 0 || header?.['alg'] !== 'ES256' || typeof keyId !== 'string') return false
  if (!/^[\w-]{1,100}$/.test(keyId)) return false
  const key = await keys(keyId)
  if (key === null || key.expired || key.jwk.kty !== 'EC' || key.jwk.crv !== 'P-256') return false
  const publicKey = createPublicKey({ key: key.jwk, format: 'jwk' })
  const signed = Buffer.from(`${head}.${claims}`)
  const bytes = Buffer.from(sign, 'base64url')
  if (!verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes)) return false
  const { iat, request_body_sha256: claimed } = parsed(decoded(claims)) ?? {}
  if (typeof iat !== 'number' || typeof claimed !== 'string') return false
  const ageS = now.getTime() / 1000 - iat
  if (ageS > AGE_MAX_S || ageS < -AHEAD_MAX_S) return false
  const ours = Buffer.from(createHash('sha256').update(body).digest('hex'))
  const theirs = Buffer.from(claimed)
  return ours.length === theirs.length && timingSafeEqual(ours, theirs)
}

function decoded(part: string): string {
  return Buffer.from(part, 'base64url').toString('utf8')
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
