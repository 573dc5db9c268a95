import { hash } from 'node:crypto'
import type { Database } from '../platform/database.ts'
import { Refusal } from '../platform/refusal.ts'
import type { PublisherRefusal } from './errors.ts'
import type { Publisher, Scope } from './publisher.ts'
import { findLiveKey } from './queries.ts'
import { hashOfKey, PUBLISHERS_CHANGED } from './service.ts'

export type Known = {
  readonly publisher: Publisher
  readonly scopes: ReadonlySet<Scope>
  readonly keyId: string
  /** The interface version that the key is pinned to. */
  readonly version: string
  readonly untilMs: number
}

// Changes are announced to every process; the lifetime covers an announcement that is lost with a connection.
const REMEMBERED_MS = 5_000
const REMEMBERED_MAX = 10_000

/** Who comes with which key, remembered for a moment, so that most requests need no look-up. */
type KeyRing = {
  /** Whose key this is, if it was presented a moment ago; asks nobody. */
  recall(apiKey: string, nowMs: number): Known | null
  /** @throws Refusal key_missing, key_invalid */
  recognise(apiKey: string | null, nowMs: number): Promise<Known>
  /** Forgets everything: a key, a setting or a clock has changed. */
  forget(): void
}

export async function openKeyRing(db: Database): Promise<KeyRing> {
  const remembered = new Map<string, Known>()
  let generation = 0
  const forget = (): void => {
    generation++
    remembered.clear()
  }
  await db.listen(PUBLISHERS_CHANGED, forget)
  return {
    forget,
    recall: (apiKey, nowMs) => {
      const known = remembered.get(nameOf(apiKey))
      return known !== undefined && known.untilMs > nowMs ? known : null
    },
    recognise: async (apiKey, nowMs) => {
      if (apiKey === null)
        throw new Refusal<PublisherRefusal>('key_missing', 'Send the API key as Authorization: Bearer … or X-API-Key.')
      const began = generation
      const found = await findLiveKey(db.reader, hashOfKey(apiKey))
      if (found === null)
        throw new Refusal<PublisherRefusal>('key_invalid', 'This API key is not known or was revoked.')
      const { publisher, key, version } = found
      const fresh = {
        publisher,
        scopes: new Set(key.scopes),
        keyId: key.keyId,
        version,
        untilMs: nowMs + REMEMBERED_MS,
      }
      if (remembered.size >= REMEMBERED_MAX) remembered.clear()
      // What changed while it was read may not be in it: good for this request, not for later ones.
      if (began === generation) remembered.set(nameOf(apiKey), fresh)
      return fresh
    },
  }
}

/** The key itself is not kept. Hashed in one call, for that takes a fifth of the time that a hash object does. */
function nameOf(apiKey: string): string {
  return hash('sha256', apiKey, 'base64')
}
