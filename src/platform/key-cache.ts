import { hash } from 'node:crypto'
import type { Database } from './database.ts'

/** The owners of recently presented API keys, so that most requests need no query. */
type KeyCache<Owner> = {
  /** The owner of a recently presented key. */
  recall(key: string, nowMs: number): Owner | null
  /** The owner of a live key, from the database. */
  find(key: string, nowMs: number): Promise<Owner | null>
  clear(): void
}

const ENTRIES_MAX = 10_000
// Changes are announced to every process; the lifetime covers an announcement that is lost with a connection.
const LIFETIME_MS = 5_000

/** @param topic every process clears its cache when it is announced. */
export async function openKeyCache<Owner>(
  db: Database,
  topic: string,
  find: (sha256: Buffer) => Promise<Owner | null>,
): Promise<KeyCache<Owner>> {
  const entries = new Map<string, { readonly owner: Owner; readonly untilMs: number }>()
  let generation = 0
  const clear = (): void => {
    generation++
    entries.clear()
  }
  await db.listen(topic, clear)
  return {
    clear,
    recall: (key, nowMs) => {
      const entry = entries.get(nameOf(key))
      return entry !== undefined && entry.untilMs > nowMs ? entry.owner : null
    },
    find: async (key, nowMs) => {
      const began = generation
      const owner = await find(hashOfKey(key))
      if (owner === null) return null
      if (entries.size >= ENTRIES_MAX) entries.clear()
      // A change during the query may be missing from its result, which then serves this request only.
      if (began === generation) entries.set(nameOf(key), { owner, untilMs: nowMs + LIFETIME_MS })
      return owner
    },
  }
}

/** What is stored of an API key. Keys are random, so that a plain hash suffices. */
export function hashOfKey(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

/** The cache does not hold the key itself. */
function nameOf(key: string): string {
  return hash('sha256', key, 'base64')
}
