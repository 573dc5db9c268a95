import { createHash, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import { createRateLimiter } from '../platform/rate-limit.ts'
import { Refusal } from '../platform/refusal.ts'
import type { LinkerDeps } from './deps.ts'
import type { LinkerRefusal } from './errors.ts'
import { refusalOf } from './health.ts'
import { requestByFingerprint } from './item-queries.ts'
import type { WebhookKey } from './provider.ts'
import { fingerprintOf } from './tokens.ts'

/**
 * Webhooks of the provider. Anyone can post here, so nothing is believed before the signature over these very bytes is
 * found good: ES256 alone, a key that the provider vouches for, signed within the last minutes. And even then a webhook
 * is a hint: it makes a link due to be read and asked about, and carries nothing over.
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
// Whoever sends webhooks is answered within 200 ms.
const ANSWER_WITHIN_MS = 150
const UNDER_WAY_MAX = 100
const RETRY_AFTER_S = 30

export type WebhookKeys = (keyId: string) => Promise<WebhookKey | null>

type Kept = { readonly key: WebhookKey; readonly atMs: number }

/**
 * The provider's keys, remembered for a day and asked for anew each hour; names that it does not know, for some minutes.
 * The two are kept apart: names that somebody invents must not push the real ones out.
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

export type TakeWebhook = (signature: string | undefined, body: Buffer) => Promise<void>

/**
 * Takes webhooks in, and answers soon whatever is slow: a key that must first be asked for, or an item whose update is
 * being stored. Such a webhook is taken all the same once that has come about; the provider, told to come back, sends
 * it again, and twice is no more than once.
 * @throws Refusal webhook_unverified, and linker_… while the provider cannot vouch for the key
 */
export function createWebhookDoor(deps: LinkerDeps): TakeWebhook {
  const keys = createWebhookKeys(deps)
  let underWay = 0
  return async (signature, body) => {
    if (underWay >= UNDER_WAY_MAX) throw later('Too many webhooks wait at the moment.')
    underWay++
    const taken = takeWebhook(deps, keys, signature, body).finally(() => {
      underWay--
    })
    await inTime(taken, (error) => deps.log.warn({ err: error }, 'a webhook could not be taken'))
  }
}

/** What the work comes to, or a refusal once it takes too long; then its failure is only reported. */
async function inTime(work: Promise<void>, report: (error: unknown) => void): Promise<void> {
  let isLate = false
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      isLate = true
      reject(later('This takes longer than usual; send it again.'))
    }, ANSWER_WITHIN_MS)
  })
  const watched = work.catch((error: unknown) => {
    if (isLate) report(error)
    throw error
  })
  await Promise.race([watched, limit]).finally(() => clearTimeout(timer))
}

function later(detail: string): Refusal<LinkerRefusal> {
  return new Refusal<LinkerRefusal>('linker_unavailable', detail, { retryAfterSeconds: RETRY_AFTER_S })
}

async function takeWebhook(
  deps: LinkerDeps,
  keys: WebhookKeys,
  signature: string | undefined,
  body: Buffer,
): Promise<void> {
  if (signature === undefined || !(await isGenuine(keys, signature, body, deps.clock.now()))) {
    throw new Refusal<LinkerRefusal>('webhook_unverified', 'This is not signed by the linking provider.')
  }
  const told = parsed(body.toString('utf8'))
  const itemId = told?.['item_id']
  const type = told?.['webhook_type']
  if (typeof itemId !== 'string' || (type !== 'TRANSACTIONS' && type !== 'ITEM')) return
  const fingerprint = fingerprintOf(deps.vault, itemId)
  const hint = {
    check: type === 'ITEM',
    repaired: told?.['webhook_code'] === 'LOGIN_REPAIRED',
    newAccounts: told?.['webhook_code'] === 'NEW_ACCOUNTS_AVAILABLE',
    disconnectsAt: told?.['webhook_code'] === 'PENDING_DISCONNECT' ? instantOf(told['disconnect_time']) : null,
  }
  const found = await requestByFingerprint(deps.db.reader, fingerprint, hint, deps.clock.now())
  // It may be ahead of our own commit, which asks for a first sync by itself; or the link is gone.
  if (!found) deps.log.debug({ type }, 'a webhook about an item that is not linked')
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
  const { iat, request_body_sha256: told } = parsed(decoded(claims)) ?? {}
  if (typeof iat !== 'number' || typeof told !== 'string') return false
  const ageS = now.getTime() / 1000 - iat
  if (ageS > AGE_MAX_S || ageS < -AHEAD_MAX_S) return false
  const ours = Buffer.from(createHash('sha256').update(body).digest('hex'))
  const theirs = Buffer.from(told)
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
