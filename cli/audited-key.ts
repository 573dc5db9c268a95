import type { Tx } from '../src/platform/db/database.ts'
import { type KeyLimits, NO_LIMITS } from '../src/platform/http/callers/key-limits.ts'
import { createKeyAs } from '../src/tenants/access/index.ts'
import type { Publisher } from '../src/tenants/publishers/index.ts'
import { getActor } from './actor.ts'

/** Creates a key with all scopes and writes its audit entry, for commands that create a key as a side effect. */
export async function createAuditedKey(
  tx: Tx,
  publisher: Publisher,
  now: Date,
  limits: KeyLimits = NO_LIMITS,
): Promise<string> {
  const { apiKey } = await createKeyAs(tx, { publisherId: publisher.id, scopes: null, limits }, getActor(), now)
  return apiKey
}
