import { audit } from '../src/accounts/index.ts'
import type { Tx } from '../src/platform/database.ts'
import { encodeId } from '../src/platform/ids.ts'
import { type KeyLimits, NO_LIMITS, presentLimits } from '../src/platform/key-limits.ts'
import { createApiKey, type Publisher } from '../src/publishers/index.ts'
import { actorHere } from './actor.ts'

/** Creates a key with all scopes, for a command that was not asked for one, and its audit entry. */
export async function createAuditedKey(
  tx: Tx,
  publisher: Publisher,
  now: Date,
  limits: KeyLimits = NO_LIMITS,
): Promise<string> {
  const { apiKey, keyId, scopes } = await createApiKey(tx, publisher, [], now, limits)
  const after = {
    ...{ publisher_id: encodeId('pub', publisher.id), publisher: publisher.name },
    ...{ scopes, ...presentLimits(limits) },
  }
  await audit(tx, { actor: actorHere(), action: 'key.created', subject: encodeId('key', keyId), after }, now)
  return apiKey
}
