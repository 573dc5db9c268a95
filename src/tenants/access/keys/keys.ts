import { randomBytes } from 'node:crypto'
import type { Tx } from '../../../platform/db/database.ts'
import { hashKey } from '../../../platform/http/callers/key-cache.ts'
import { type KeyLimits, NO_LIMITS } from '../../../platform/http/callers/key-limits.ts'
import { newUuid } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import {
  announcePublishers,
  type Publisher,
  type PublisherRefusal,
  SCOPES,
  type Scope,
} from '../../publishers/index.ts'
import type { ApiKey } from './api-key.ts'
import { insertApiKey, markKeyRevoked } from './queries.ts'

/**
 * Creates a key. This is the only time it is returned, because only its hash, prefix and last four characters are
 * stored.
 */
export async function createApiKey(
  tx: Tx,
  publisher: Publisher,
  scopes: readonly Scope[] | null,
  now: Date,
  limits: KeyLimits = NO_LIMITS,
): Promise<ApiKey & { readonly apiKey: string }> {
  const prefix = publisher.environment === 'sandbox' ? 'lrl_sandbox_' : 'lrl_live_'
  const apiKey = prefix + randomBytes(32).toString('base64url')
  const key: ApiKey = {
    keyId: newUuid<'api-key'>(),
    publisherId: publisher.id,
    prefix,
    lastFour: apiKey.slice(-4),
    scopes: scopes ?? SCOPES,
    createdAt: now,
    revokedAt: null,
    lastUsedOn: null,
    ...limits,
  }
  await insertApiKey(tx, { ...key, sha256: hashKey(apiKey) })
  await announcePublishers(tx)
  return { ...key, apiKey }
}

/** @throws Refusal key_not_found if there is no active key with this id */
export async function revokeApiKey(tx: Tx, keyId: ApiKey['keyId'], now: Date): Promise<ApiKey> {
  const revoked = await markKeyRevoked(tx, keyId, now)
  if (revoked === null) throw keyNotFound()
  await announcePublishers(tx)
  return revoked
}

export function keyNotFound(): Refusal<PublisherRefusal> {
  return new Refusal<PublisherRefusal>('key_not_found', 'There is no active key with this id.')
}
