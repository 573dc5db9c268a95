import { hash } from 'node:crypto'
import { coalescedRefresh } from './coalesced-refresh.ts'
import type { Database } from './database.ts'
import { onBehalfOf, type WorkCaller } from './on-behalf.ts'

/** What a request presents: an API key or the token of a session, and whom it acts for where it is not their own. */
export type Credential = { readonly secret: string; readonly actsFor: string | null }

/** The owners of recently presented keys and sessions, so that most requests need no query. */
type KeyCache<Owner> = {
  /** The owner of a recently presented key. */
  recall(credential: Credential, nowMs: number): Owner | null
  /**
   * The owner of a live key, from the database. A caller counts as a stranger before the query, so that guesses beyond
   * the limit do not reach the database. A key that was live at the last announcement of its kind, or when it was last
   * looked up, does not count, or a neighbor at the same address could lock its owner out; there are no more such keys
   * than live ones. For the same reason only other keys are looked up on behalf of the stranger.
   */
  find(credential: Credential, nowMs: number, stranger: Stranger): Promise<Owner | null>
  clear(): void
}

/** A caller that is not authenticated yet. */
export type Stranger = { readonly caller: Pick<WorkCaller, 'owner' | 'member'>; readonly count: () => void }

type KeyStore<Owner> = {
  /** Every process clears its cache when one of these topics is announced. */
  readonly topics: readonly string[]
  readonly find: (sha256: Buffer, actsFor: string | null) => Promise<Owner | null>
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
  { topics, find, listLive }: KeyStore<Owner>,
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
  for (const topic of topics) {
    await db.listen(topic, () => {
      clear()
      // Without the list, a new key is looked up under the limit on strangers.
      learn().catch(() => undefined)
    })
  }
  await learn()
  return {
    clear,
    recall: (credential, nowMs) => {
      const entry = entries.get(nameOf(credential))
      return entry !== undefined && entry.untilMs > nowMs ? entry.owner : null
    },
    find: async (credential, nowMs, stranger) => {
      if (!known.has(hashNameOf(credential.secret))) {
        stranger.count()
        return onBehalfOf(stranger.caller, () => lookUp(credential, nowMs))
      }
      const owner = await lookUp(credential, nowMs)
      if (owner === null) stranger.count()
      return owner
    },
  }

  function lookUp(credential: Credential, nowMs: number): Promise<Owner | null> {
    const { secret, actsFor } = credential
    const name = nameOf(credential)
    const present = lookUps
    const underWay = present.get(name)
    if (underWay !== undefined) return underWay
    const found = find(hashOfKey(secret), actsFor)
      .then((owner) => {
        if (owner === null) {
          known.delete(hashNameOf(secret))
          return null
        }
        // Without announcements, keys that have ended pile up.
        if (known.size >= 2 * KNOWN_MAX) known.clear()
        known.add(hashNameOf(secret))
        if (entries.size >= ENTRIES_MAX) entries.clear()
        if (present === lookUps) entries.set(name, { owner, untilMs: nowMs + LIFETIME_MS })
        return owner
      })
      .finally(() => present.delete(name))
    present.set(name, found)
    return found
  }
}

/** What is stored of an API key. Keys are random, so that a plain hash suffices. */
export function hashOfKey(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

/** The cache does not hold the key itself. */
function hashNameOf(secret: string): string {
  return hash('sha256', secret, 'base64')
}

function nameOf({ secret, actsFor }: Credential): string {
  return actsFor === null ? hashNameOf(secret) : `${hashNameOf(secret)} ${actsFor}`
}
