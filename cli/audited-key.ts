import { createKeyAs } from '../src/operators/index.ts'
import type { Tx } from '../src/platform/database.ts'
import { type KeyLimits, NO_LIMITS } from '../src/platform/key-limits.ts'
import type { Publisher } from '../src/publishers/index.ts'
import { actorHere } from './actor.ts'

/** Creates a key with all scopes and its audit entry, for commands that create a key as a side effect. */
export async function createAuditedKey(
  tx: Tx,
  publisher: Publisher,
  now: Date,
  limits: KeyLimits = NO_LIMITS,
): Promise<string> {
  const { apiKey } = await createKeyAs(tx, { publisherId: publisher.id, scopes: null, limits }, actorHere(), now)
  return apiKey
}
