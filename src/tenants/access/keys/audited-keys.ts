import type { Tx } from '../../../platform/db/database.ts'
import { type KeyLimits, presentLimits } from '../../../platform/http/callers/key-limits.ts'
import { decodeId, encodeId, type PublisherId } from '../../../platform/ids.ts'
import { type Actor, audit } from '../../accounts/index.ts'
import { getPublisher, type Scope } from '../../publishers/index.ts'
import { createApiKey, keyNotFound, revokeApiKey } from './keys.ts'

/** @throws Refusal publisher_not_found */
export async function createKeyAs(
  tx: Tx,
  asked: { readonly publisherId: PublisherId; readonly scopes: readonly Scope[] | null; readonly limits: KeyLimits },
  by: Actor,
  now: Date,
) {
  const { publisherId, scopes, limits } = asked
  const key = await createApiKey(tx, await getPublisher(tx, publisherId), scopes, now, limits)
  const after = { publisher_id: encodeId('pub', publisherId), scopes: key.scopes, ...presentLimits(limits) }
  await audit(tx, { actor: by, action: 'key.created', subject: encodeId('key', key.keyId), after }, now)
  return key
}

/** @throws Refusal key_not_found, even if the key exists but belongs to another publisher */
export async function revokeKeyAs(
  tx: Tx,
  { keyUid, publisherId }: { readonly keyUid: string; readonly publisherId?: PublisherId },
  by: Actor,
  now: Date,
) {
  const keyId = decodeId<'api-key'>('key', keyUid)
  const key = keyId === null ? null : await revokeApiKey(tx, keyId, now)
  if (keyId === null || key === null || (publisherId !== undefined && key.publisherId !== publisherId))
    throw keyNotFound()
  const before = { publisher_id: encodeId('pub', key.publisherId), scopes: key.scopes }
  await audit(tx, { actor: by, action: 'key.revoked', subject: encodeId('key', keyId), before }, now)
  return key
}
