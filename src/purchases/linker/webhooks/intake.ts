import { createHash, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import { Refusal } from '../../../platform/refusal.ts'
import type { Environment } from '../../../tenants/publishers/index.ts'
import type { LinkerDeps } from '../deps.ts'
import type { LinkerRefusal } from '../errors.ts'
import { markHostedLinkDue } from '../links/hosted-link-queries.ts'
import { fingerprintLinkToken } from '../links/hosted-links.ts'
import type { WebhookKey } from '../provider.ts'
import { fingerprintItem } from '../sealed-tokens.ts'
import { awaitWithin, createHints } from './hints.ts'
import { createWebhookKeys, unavailable, type WebhookKeys } from './keys.ts'
import type { Hint } from './queries.ts'

/**
 * Handles the provider's webhooks. Anyone can post here, so nothing is trusted until the signature over the exact bytes
 * is verified: ES256 only, with a key that the provider confirms, signed within the last few minutes. Even then, a
 * webhook is only a hint that makes a sync and a check of an item due, or the fetch of a hosted link's result.
 */

const AGE_MAX_S = 5 * 60
// Allows for clock skew.
const AHEAD_MAX_S = 30
// Together, these two limits ensure that a webhook is answered within 200 ms.
const KEY_WITHIN_MS = 90
const STORED_WITHIN_MS = 100
// The maximum number of webhooks in flight. Each has at most 64 KB.
const UNDER_WAY_MAX = 500

export function createWebhookDoor(deps: LinkerDeps) {
  const keys = {
    sandbox: createWebhookKeys(deps, 'sandbox'),
    production: deps.providers.production === null ? null : createWebhookKeys(deps, 'production'),
  }
  const hints = createHints(deps)
  let underWay = 0
  const hold = async (signature: string | undefined, body: Buffer, sender: string) => {
    const payload = await readVerified(deps, keys, { signature, body, sender })
    const finished = findFinishedHostedLink(deps, payload)
    // Stored before it is acknowledged, so that the provider retries if this fails. A public token is valid for only
    // half an hour.
    if (finished !== null) await markHostedLinkDue(deps.db.reader, finished, deps.clock.now())
    const hint = toHint(deps, payload)
    const stored = hint === null ? Promise.resolve() : hints.add(hint)
    if (stored === null) throw unavailable('Too many webhooks are waiting to be stored.')
    // Wrapped in an object so that awaiting this function does not also await `stored`.
    return { stored }
  }
  /**
   * Accepts a webhook and returns quickly. While the webhook's key is being fetched, responds with a request to retry.
   * The first attempt is still accepted once the key has arrived, and a retry is harmless. A genuine webhook about an
   * item is acknowledged even if its hint cannot be stored yet, because after a refusal the provider would only resend
   * it to a busy database. A webhook about a hosted link is acknowledged only once it is stored.
   * @param sender the network that the webhook comes from
   * @throws Refusal webhook_unverified, and linker_… while the key cannot be fetched or too many hints wait
   */
  const accept = async (signature: string | undefined, body: Buffer, sender: string): Promise<void> => {
    if (underWay >= UNDER_WAY_MAX) throw unavailable('Too many webhooks are waiting.')
    underWay++
    const holding = hold(signature, body, sender).finally(() => {
      underWay--
    })
    const held = await awaitWithin(holding, KEY_WITHIN_MS)
    if (held === null) {
      holding.catch((error) => deps.log.warn({ err: error }, 'a webhook could not be accepted'))
      throw unavailable('This is taking longer than usual. Send the webhook again.')
    }
    await awaitWithin(held.stored, STORED_WITHIN_MS)
  }
  return { accept, drain: hints.drain }
}

type Payload = { readonly environment: Environment; readonly content: Readonly<Record<string, unknown>> }
type Sent = { readonly signature: string | undefined; readonly body: Buffer; readonly sender: string }

/** @throws Refusal webhook_unverified */
async function readVerified(
  { clock }: LinkerDeps,
  keysByEnvironment: Readonly<Record<Environment, WebhookKeys | null>>,
  { signature, body, sender }: Sent,
): Promise<Payload> {
  const content = parsed(body.toString('utf8')) ?? {}
  // Not trusted yet. It determines which key must have signed the webhook, and therefore which items it can affect.
  const environment = content['environment'] === 'production' ? 'production' : 'sandbox'
  const keys = keysByEnvironment[environment]
  const findKey = (keyId: string) => keys?.find(keyId, sender) ?? Promise.resolve(null)
  if (signature === undefined || !(await isGenuine(findKey, signature, body, clock.now()))) {
    throw new Refusal<LinkerRefusal>('webhook_unverified', 'The webhook was not signed by the linking provider.')
  }
  keys?.trust(sender)
  return { environment, content }
}

/** Identifies the hosted link whose session has ended; null for any other webhook. */
function findFinishedHostedLink(deps: LinkerDeps, { environment, content }: Payload) {
  const { link_token, webhook_type: type, webhook_code: code } = content
  if (type !== 'LINK' || code !== 'SESSION_FINISHED' || typeof link_token !== 'string') return null
  return { fingerprint: fingerprintLinkToken(deps, link_token), environment }
}

/** Converts a webhook to a hint; null if it is not about an item. */
function toHint({ vault }: LinkerDeps, { environment, content }: Payload): Hint | null {
  const { item_id: itemId, webhook_type: type, webhook_code: code } = content
  if (typeof itemId !== 'string' || (type !== 'TRANSACTIONS' && type !== 'ITEM')) return null
  return {
    fingerprint: fingerprintItem(vault, itemId),
    environment,
    asksCheck: type === 'ITEM',
    repaired: code === 'LOGIN_REPAIRED',
    settles: null,
    disconnectsAt: code === 'PENDING_DISCONNECT' ? parseInstant(content['disconnect_time']) : null,
    newAccounts: code === 'NEW_ACCOUNTS_AVAILABLE',
    revokedAccounts: code === 'USER_ACCOUNT_REVOKED' ? parseAccounts(content['account_id']) : [],
  }
}

function parseAccounts(accountId: unknown): string[] {
  return typeof accountId === 'string' && /^[\w-]{1,255}$/.test(accountId) ? [accountId] : []
}

/**
 * Parses an instant with a four-digit year, which PostgreSQL can store. The next check judges whether it is plausible.
 */
function parseInstant(value: unknown): Date | null {
  const instant = new Date(typeof value === 'string' ? value : Number.NaN)
  const year = instant.getUTCFullYear()
  return year > 2000 && year < 10_000 ? instant : null
}

export async function isGenuine(
  findKey: (keyId: string) => Promise<WebhookKey | null>,
  signature: string,
  body: Buffer,
  now: Date,
): Promise<boolean> {
  const [head = '', claims = '', sign = '', ...rest] = signature.split('.')
  const header = parsed(decoded(head))
  const keyId = header?.['kid']
  // We choose the algorithm, never the sender.
  if (rest.length > 0 || header?.['alg'] !== 'ES256' || typeof keyId !== 'string') return false
  if (!/^[\w-]{1,100}$/.test(keyId)) return false
  const key = await findKey(keyId)
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
