import { DAY_MS, HOUR_MS } from '../../../platform/calendar.ts'
import { createRateLimiter, type RateLimit } from '../../../platform/http/callers/rate-limit.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Environment } from '../../../tenants/publishers/index.ts'
import type { LinkerDeps } from '../deps.ts'
import { getProviderFor } from '../environments.ts'
import type { LinkerRefusal } from '../errors.ts'
import { toRefusal } from '../health/login-state.ts'
import type { WebhookKey } from '../provider.ts'

// A revoked key is rejected once it has been fetched again, after an hour. If the fetch fails, the key remains usable
// for a day.
const KEY_FRESH_MS = HOUR_MS
const KEY_KEPT_MS = DAY_MS
const UNKNOWN_KEPT_MS = 5 * 60_000
const KEYS_MAX = 100
/**
 * Key IDs come from unverified headers, so without limits anyone could make us call the provider at will. Each sender
 * of genuine webhooks has its own limit, so made-up IDs do not delay the lookup of a real new key. Every other sender
 * has a smaller limit, and all of these senders share one that no single sender can exhaust.
 */
const LOOKUPS: RateLimit = { perSecond: 1, burst: 10 }
const LOOKUPS_OF_STRANGER: RateLimit = { perSecond: 0.2, burst: 3 }
const LOOKUPS_OF_STRANGERS: RateLimit = { perSecond: 2, burst: 20 }
// The provider sends from a few addresses.
const TRUSTED_MAX = 100
const RETRY_AFTER_S = 30

export type WebhookKeys = ReturnType<typeof createWebhookKeys>

type Kept = { readonly key: WebhookKey; readonly atMs: number }

/**
 * Caches the keys of the provider's environment for a day and fetches them again each hour. Unknown IDs have a separate
 * cache, which keeps them for a few minutes, so made-up IDs cannot evict real keys.
 */
export function createWebhookKeys(deps: LinkerDeps, environment: Environment) {
  const known = new Map<string, Kept>()
  const unknown = new Map<string, number>()
  const asked = new Map<string, Promise<WebhookKey | null>>()
  const trusted = new Map<string, true>()
  const lookups = createRateLimiter()
  const mayAsk = (sender: string, nowMs: number): boolean => {
    if (trusted.has(sender)) return lookups.take(`trusted ${sender}`, LOOKUPS, nowMs).allowed
    return (
      lookups.take(`stranger ${sender}`, LOOKUPS_OF_STRANGER, nowMs).allowed &&
      lookups.take('strangers', LOOKUPS_OF_STRANGERS, nowMs).allowed
    )
  }
  const fetchKey = async (keyId: string): Promise<WebhookKey | null> => {
    const key = await getProviderFor(deps.providers, environment).getWebhookKey(keyId)
    const nowMs = deps.clock.now().getTime()
    if (key === null) {
      known.delete(keyId)
      keep(unknown, keyId, nowMs + UNKNOWN_KEPT_MS, KEYS_MAX)
    } else keep(known, keyId, { key, atMs: nowMs }, KEYS_MAX)
    return key
  }
  const fetchOnce = (keyId: string): Promise<WebhookKey | null> => {
    const fetching = asked.get(keyId) ?? fetchKey(keyId).finally(() => asked.delete(keyId))
    asked.set(keyId, fetching)
    return fetching
  }
  /**
   * Returns the key with this ID; null if the provider has none.
   * @throws Refusal linker_… while it cannot be fetched
   */
  const find = async (keyId: string, sender: string): Promise<WebhookKey | null> => {
    const nowMs = deps.clock.now().getTime()
    const kept = known.get(keyId)
    if (kept !== undefined && nowMs - kept.atMs < KEY_KEPT_MS) {
      if (nowMs - kept.atMs > KEY_FRESH_MS)
        fetchOnce(keyId).catch((error) => deps.log.warn({ err: error }, 'a webhook key could not be refreshed'))
      return kept.key
    }
    if ((unknown.get(keyId) ?? 0) > nowMs) return null
    if (!asked.has(keyId) && !mayAsk(sender, nowMs)) throw unavailable('Too many unknown keys. Try again later.')
    return fetchOnce(keyId).catch((error) => {
      throw toRefusal(error)
    })
  }
  /** Remembers that this sender has sent a genuine webhook. */
  const trust = (sender: string): void => keep(trusted, sender, true, TRUSTED_MAX)
  return { find, trust }
}

/** Stores the value as the newest entry. Evicts the oldest entry if the map is full. */
function keep<Value>(map: Map<string, Value>, name: string, value: Value, max: number): void {
  map.delete(name)
  const [oldest] = map.keys()
  if (map.size >= max && oldest !== undefined) map.delete(oldest)
  map.set(name, value)
}

export function unavailable(detail: string): Refusal<LinkerRefusal> {
  return new Refusal<LinkerRefusal>('linker_unavailable', detail, { retryAfterSeconds: RETRY_AFTER_S })
}
