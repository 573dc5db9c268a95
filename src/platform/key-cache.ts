import { hash } from 'node:crypto'
import { coalescedRefresh } from './coalesced-refresh.ts'
import type { Database } from './database.ts'

/** The owners of recently presented API keys, so that most requests need no query. */
type KeyCache<Owner> = {
  /** The owner of a recently presented key. */
  recall(key: string, nowMs: number): Owner | null
  /**
   * Whether the key was live when its kind was last announced or when it was last looked up. A look-up of such a key
   * need not be limited: there are no more of them than live keys.
   */
  isKnown(key: string): boolean
  /** The owner of a live key, from the database. */
  find(key: string, nowMs: number): Promise<Owner | null>
  clear(): void
}

type KeyStore<Owner> = {
  /** Every process clears its cache when this topic is announced. */
  readonly topic: string
  readonly find: (sha256: Buffer) => Promise<Owner | null>
  /** The hashes of at most KNOWN_MAX live keys. */
  readonly listLive: () => Promise<readonly Buffer[]>
}

const ENTRIES_MAX = 10_000
// Changes are announced to every process; the lifetime covers an announcement that is lost with a connection.
const LIFETIME_MS = 5_000
/** Some 10 MB of hashes. A live key beyond them is served, too, but looked up under the limit on strangers. */
export const KNOWN_MAX = 100_000

export async function openKeyCache<Owner>(
  db: Database,
  { topic, find, listLive }: KeyStore<Owner>,
): Promise<KeyCache<Owner>> {
  const entries = new Map<string, { readonly owner: Owner; readonly untilMs: number }>()
  // A look-up serves all who present the key meanwhile, so that many at once take one turn at the database.
  let lookUps = new Map<string, Promise<Owner | null>>()
  let known = new Set<string>()
  const clear = (): void => {
    // A change during a look-up may be missing from its result, which then serves only who asked before the change.
    lookUps = new Map()
    entries.clear()
  }
  const learn = coalescedRefresh(async () => {
    known = new Set((await listLive()).map((sha256) => sha256.toString('base64')))
  })
  await db.listen(topic, () => {
    clear()
    // Without the list, a new key is looked up under the limit on strangers.
    learn().catch(() => undefined)
  })
  await learn()
  return {
    clear,
    recall: (key, nowMs) => {
      const entry = entries.get(nameOf(key))
      return entry !== undefined && entry.untilMs > nowMs ? entry.owner : null
    },
    isKnown: (key) => known.has(nameOf(key)),
    find: (key, nowMs) => {
      const name = nameOf(key)
      const present = lookUps
      const underWay = present.get(name)
      if (underWay !== undefined) return underWay
      const lookUp = find(hashOfKey(key))
        .then((owner) => {
          if (owner === null) {
            known.delete(name)
            return null
          }
          known.add(name)
          if (entries.size >= ENTRIES_MAX) entries.clear()
          if (present === lookUps) entries.set(name, { owner, untilMs: nowMs + LIFETIME_MS })
          return owner
        })
        .finally(() => present.delete(name))
      present.set(name, lookUp)
      return lookUp
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
