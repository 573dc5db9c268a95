import { createHash, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import { HOUR_MS } from '../../platform/calendar.ts'
import { createRateLimiter } from '../../platform/rate-limit.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { LinkerDeps } from '../deps.ts'
import type { LinkerRefusal } from '../errors.ts'
import { refusalOf } from '../health/login-state.ts'
import { fingerprintOf } from '../links/sealed-tokens.ts'
import type { WebhookKey } from '../provider.ts'
import { createHints, within } from './hints.ts'
import type { Hint } from './queries.ts'

/**
 * Webhooks of the provider. Anyone can post here, so nothing is trusted before the signature over the exact bytes is
 * verified: ES256 only, a key that the provider confirms, signed within the last minutes. Even then a webhook is only a
 * hint: it makes a sync and a check of an item due.
 */

const AGE_MAX_S = 5 * 60
// Clocks differ a little.
const AHEAD_MAX_S = 30
// A revoked key is refused after an hour; a key that cannot be fetched again is used for a day.
const KEY_FRESH_MS = HOUR_MS
const KEY_KEPT_MS = 24 * KEY_FRESH_MS
const UNKNOWN_KEPT_MS = 5 * 60_000
const KEYS_MAX = 100
// The key's name comes from an unverified header; without this limit anyone could make us call the provider at will.
const LOOKUPS = { perSecond: 1, burst: 10 }
// Together, a webhook is answered within 200 ms.
const KEY_WITHIN_MS = 90
const STORED_WITHIN_MS = 100
// Webhooks that wait for a key; each has 64 KB at most.
const UNDER_WAY_MAX = 500
const RETRY_AFTER_S = 30

type WebhookKeys = (keyId: string) => Promise<WebhookKey | null>

type Kept = { readonly key: WebhookKey; readonly atMs: number }

/**
 * Caches the provider's keys for a day, fetched again each hour, and unknown names for some minutes. The two have
 * separate caches, so that invented names cannot evict real keys.
 */
export function createWebhookKeys(deps: LinkerDeps): WebhookKeys {
  const known = new Map<string, Kept>()
  const unknown = new Map<string, number>()
  const asked = new Map<string, Promise<WebhookKey | null>>()
  const lookups = createRateLimiter()
  const fetchKey = async (keyId: string): Promise<WebhookKey | null> => {
    const key = await deps.provider.getWebhookKey(keyId)
    const nowMs = deps.clock.now().getTime()
    if (key === null) {
      known.delete(keyId)
      keep(unknown, keyId, nowMs + UNKNOWN_KEPT_MS)
    } else keep(known, keyId, { key, atMs: nowMs })
    return key
  }
  const fetchOnce = (keyId: string): Promise<WebhookKey | null> => {
    const fetching = asked.get(keyId) ?? fetchKey(keyId).finally(() => asked.delete(keyId))
    asked.set(keyId, fetching)
    return fetching
  }
  return async (keyId) => {
    const nowMs = deps.clock.now().getTime()
    const kept = known.get(keyId)
    if (kept !== undefined && nowMs - kept.atMs < KEY_KEPT_MS) {
      if (nowMs - kept.atMs > KEY_FRESH_MS)
        fetchOnce(keyId).catch((error) => deps.log.warn({ err: error }, 'a webhook key could not be fetched again'))
      return kept.key
    }
    if ((unknown.get(keyId) ?? 0) > nowMs) return null
    if (!asked.has(keyId) && !lookups.take('keys', LOOKUPS, nowMs).allowed)
      throw later('Too many unknown keys at the moment.')
    return fetchOnce(keyId).catch((error) => {
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
   * Accepts a webhook and returns soon. While its key is being fetched, the sender is asked to repeat it; the first one
   * is accepted anyway once the key has arrived, and a repeat does no harm. A genuine webhook is acknowledged even if
   * its hint cannot be stored yet: refusing it would only bring it again, to a busy database.
   * @throws Refusal webhook_unverified, and linker_… while the key cannot be fetched or too many hints wait
   */
  readonly accept: (signature: string | undefined, body: Buffer) => Promise<void>
  /** Resolves when every accepted hint is stored. */
  readonly drain: () => Promise<void>
}

export function createWebhookDoor(deps: LinkerDeps): WebhookDoor {
  const keys = createWebhookKeys(deps)
  const hints = createHints(deps)
  let underWay = 0
  const hold = async (signature: string | undefined, body: Buffer) => {
    const hint = await readHint(deps, keys, signature, body)
    const stored = hint === null ? Promise.resolve() : hints.add(hint)
    if (stored === null) throw later('Too many webhooks wait to be stored at the moment.')
    // Wrapped in an object, so that awaiting this function does not await the storing.
    return { stored }
  }
  const accept: WebhookDoor['accept'] = async (signature, body) => {
    if (underWay >= UNDER_WAY_MAX) throw later('Too many webhooks wait at the moment.')
    underWay++
    const holding = hold(signature, body).finally(() => {
      underWay--
    })
    const held = await within(holding, KEY_WITHIN_MS)
    if (held === null) {
      holding.catch((error) => deps.log.warn({ err: error }, 'a webhook could not be accepted'))
      throw later('This takes longer than usual; send it again.')
    }
    await within(held.stored, STORED_WITHIN_MS)
  }
  return { accept, drain: hints.drain }
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

/** An instant with a year of four digits, which PostgreSQL can store; the next check judges whether it is plausible. */
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
