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
const KEY_KEPT_MS = 3_600_000
const UNKNOWN_KEPT_MS = 5 * 60_000
const KEYS_MAX = 100
// The key's name comes from an unverified header; without this bound anyone could make us call the provider at will.
const LOOKUPS = { perSecond: 1, burst: 10 }

export type WebhookKeys = (keyId: string) => Promise<WebhookKey | null>

/** The provider's keys, remembered for an hour; names it does not know, for some minutes. */
export function createWebhookKeys(deps: LinkerDeps): WebhookKeys {
  const known = new Map<string, { readonly key: WebhookKey | null; readonly until: number }>()
  const lookups = createRateLimiter()
  return async (keyId) => {
    const nowMs = deps.clock.now().getTime()
    const kept = known.get(keyId)
    if (kept !== undefined && kept.until > nowMs) return kept.key
    if (!lookups.take('keys', LOOKUPS, nowMs).allowed) {
      throw new Refusal<LinkerRefusal>('linker_unavailable', 'Too many unknown keys at the moment.', {
        retryAfterSeconds: 30,
      })
    }
    const key = await deps.provider.getWebhookKey(keyId).catch((error) => {
      throw refusalOf(error)
    })
    if (known.size >= KEYS_MAX) known.delete(known.keys().next().value ?? '')
    known.set(keyId, { key, until: nowMs + (key === null ? UNKNOWN_KEPT_MS : KEY_KEPT_MS) })
    return key
  }
}

/** @throws Refusal webhook_unverified, and linker_… while the provider cannot vouch for the key */
export async function takeWebhook(
  deps: LinkerDeps,
  keys: WebhookKeys,
  signature: string | undefined,
  body: Buffer,
): Promise<void> {
  if (signature === undefined || !(await isGenuine(keys, signature, body, deps.clock.now()))) {
    throw new Refusal<LinkerRefusal>('webhook_unverified', 'This is not signed by the linking provider.')
  }
  const hint = parsed(body.toString('utf8'))
  const itemId = hint?.['item_id']
  const type = hint?.['webhook_type']
  if (typeof itemId !== 'string' || (type !== 'TRANSACTIONS' && type !== 'ITEM')) return
  const fingerprint = fingerprintOf(deps.vault, itemId)
  const found = await requestByFingerprint(deps.db.reader, fingerprint, { check: type === 'ITEM' }, deps.clock.now())
  // It may be ahead of our own commit, which asks for a first sync by itself; or the link is gone.
  if (!found) deps.log.debug({ type }, 'a webhook about an item that is not linked')
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
