import { hash } from 'node:crypto'
import { coalescedRefresh } from '../../coalesced-refresh.ts'
import type { Database } from '../../db/database.ts'
import { runFor, type WorkCaller } from '../../on-behalf.ts'

/** A request's API key or session token, and whom the request acts for if not the owner. */
export type Credential = { readonly secret: string; readonly actsFor: string | null }

/** Caches the owners of recently used keys and sessions, so that most requests need no query. */
type KeyCache<Owner> = {
  /** Returns the cached owner of a recently used key. */
  recall(credential: Credential, nowMs: number): Owner | null
  /**
   * Finds the owner of a valid key in the database. The caller is counted as a stranger before the query, so guesses
   * beyond the limit never reach the database. A key that was live at the last announcement of its kind or at its last
   * lookup is exempt; otherwise, a neighbor at the same address could lock its owner out. There are no more exempt keys
   * than live ones. For the same reason, exempt keys are not looked up on behalf of the stranger.
   */
  find(credential: Credential, nowMs: number, stranger: Stranger): Promise<Owner | null>
  clear(): void
}

/** A caller that is not yet authenticated. */
export type Stranger = { readonly caller: Pick<WorkCaller, 'owner' | 'member'>; readonly count: () => void }

type KeyStore<Owner> = {
  /** Every process clears its cache when one of these topics is announced. */
  readonly topics: readonly string[]
  readonly find: (sha256: Buffer, actsFor: string | null) => Promise<Owner | null>
  /** Returns the hashes of at most KNOWN_MAX valid keys. */
  readonly listLive: () => Promise<readonly Buffer[]>
}

const ENTRIES_MAX = 10_000
// Changes are announced to every process. The lifetime limits the effect of an announcement lost with its connection.
const LIFETIME_MS = 5_000
/**
 * About 10 MB of hashes. Valid keys beyond that number still work, but their lookups count against the stranger limit.
 */
export const KNOWN_MAX = 100_000

export async function openKeyCache<Owner>(
  db: Database,
  { topics, find, listLive }: KeyStore<Owner>,
): Promise<KeyCache<Owner>> {
  const entries = new Map<string, { readonly owner: Owner; readonly untilMs: number }>()
  // Concurrent requests with the same key share one lookup, so they take a single turn at the database.
  let lookUps = new Map<string, Promise<Owner | null>>()
  let known = new Set<string>()
  const clear = (): void => {
    // A lookup that races a change might miss the change, so only callers that asked before the change get the result.
    lookUps = new Map()
    entries.clear()
  }
  const learn = coalescedRefresh(async () => {
    known = new Set((await listLive()).map((sha256) => sha256.toString('base64')))
  })
  for (const topic of topics) {
    await db.listen(topic, () => {
      clear()
      // If the list cannot be read, lookups of a new key count against the stranger limit.
      learn().catch(() => undefined)
    })
  }
  await learn()
  return {
    clear,
    recall: (credential, nowMs) => {
      const entry = entries.get(toCacheKey(credential))
      return entry !== undefined && entry.untilMs > nowMs ? entry.owner : null
    },
    find: async (credential, nowMs, stranger) => {
      if (!known.has(hashSecret(credential.secret))) {
        stranger.count()
        return runFor(stranger.caller, () => lookUp(credential, nowMs))
      }
      const owner = await lookUp(credential, nowMs)
      if (owner === null) stranger.count()
      return owner
    },
  }

  function lookUp(credential: Credential, nowMs: number): Promise<Owner | null> {
    const { secret, actsFor } = credential
    const name = toCacheKey(credential)
    const present = lookUps
    const underWay = present.get(name)
    if (underWay !== undefined) return underWay
    const found = find(hashKey(secret), actsFor)
      .then((owner) => {
        if (owner === null) {
          known.delete(hashSecret(secret))
          return null
        }
        // If announcements are lost, stale keys accumulate.
        if (known.size >= 2 * KNOWN_MAX) known.clear()
        known.add(hashSecret(secret))
        if (entries.size >= ENTRIES_MAX) entries.clear()
        if (present === lookUps) entries.set(name, { owner, untilMs: nowMs + LIFETIME_MS })
        return owner
      })
      .finally(() => present.delete(name))
    present.set(name, found)
    return found
  }
}

/** Hashes an API key for storage. Keys are random, so a plain hash is enough. */
export function hashKey(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

/** Hashes a key for the cache, which never holds the key itself. */
function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64')
}

function toCacheKey({ secret, actsFor }: Credential): string {
  return actsFor === null ? hashSecret(secret) : `${hashSecret(secret)} ${actsFor}`
}
