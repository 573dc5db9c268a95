import { setTimeout as pause } from 'node:timers/promises'
import type { LinkerDeps } from '../deps.ts'
import { type Hint, storeHints } from './queries.ts'

/** The maximum number of items with hints waiting. They take a few megabytes and suffice for any burst of webhooks. */
const ITEMS_MAX = 20_000
const BATCH_MAX = 500
// A sync locks its item for a few milliseconds while it stores an update.
const HELD_PAUSE_MS = 50
const FAILED_PAUSE_MS = 50
const FAILED_PAUSE_MAX_MS = 1_000
const DRAIN_MAX_MS = 5_000

type Waiting = {
  hint: Hint
  /** Hints that arrived while this one was being stored, to be stored after it. */
  later: Hint | null
  isBeingStored: boolean
  readonly stored: PromiseWithResolvers<void>
}

/**
 * Buffers hints from webhooks until they are stored. Hints for one item are merged, and hints for many items are stored
 * by one statement. Later hints gather while the statement runs, so a busier database gets fewer statements. A hint
 * that cannot be stored, because a sync has locked the item or the database does not respond, is retried until it is
 * stored.
 *
 * If the process dies, its buffered hints are lost, although their webhooks were acknowledged. That is no worse than a
 * lost webhook: a hint only brings forward what the safety poll does within a day for each feed and each login. Three
 * things are announced only by webhook: new accounts, the revocation of an account that the provider still lists, and
 * sometimes the deadline of a login. If a deadline is lost, the user is not warned, and the broken login is detected
 * only after the deadline.
 */
export function createHints(deps: LinkerDeps, itemsMax = ITEMS_MAX) {
  const waiting = new Map<string, Waiting>()
  let storing: Promise<void> | null = null
  let hasEnded = false

  const storeSome = async (): Promise<void> => {
    const batch = [...waiting.entries().take(BATCH_MAX)]
    for (const [, one] of batch) one.isBeingStored = true
    const hints = batch.map(([, { hint }]) => hint)
    const stored = await storeHints(deps.db.reader, hints, deps.clock.now()).catch((error: unknown) => {
      for (const [, one] of batch)
        Object.assign(one, { hint: merged(one.hint, one.later), later: null, isBeingStored: false })
      throw error
    })
    const held = new Set(stored.filter(({ isHeld }) => isHeld).map(toKey))
    for (const [key, one] of batch) {
      waiting.delete(key)
      const rest = held.has(key) ? merged(one.hint, one.later) : one.later
      // Goes to the end of the queue, so that an item that remains locked does not delay the others.
      if (rest === null) one.stored.resolve()
      else waiting.set(key, { ...one, hint: rest, later: null, isBeingStored: false })
    }
    // Either the link has been removed, or it is not committed yet, in which case its commit requests a sync.
    if (stored.length < batch.length) deps.log.debug('webhooks refer to items that are not linked')
    if (held.size === batch.length) await pause(HELD_PAUSE_MS)
  }

  const storeAll = async (): Promise<void> => {
    for (let failures = 0; waiting.size > 0 && !hasEnded; ) {
      try {
        await storeSome()
        failures = 0
      } catch (error) {
        if (failures === 0) deps.log.warn({ err: error }, 'webhook hints could not be stored yet')
        await pause(Math.min(FAILED_PAUSE_MS * 2 ** failures++, FAILED_PAUSE_MAX_MS))
      }
    }
    storing = null
  }

  return {
    /** Accepts a hint. Returns a promise that resolves once the hint is stored; null if too many items are waiting. */
    add: (hint: Hint): Promise<void> | null => {
      const key = toKey(hint)
      const earlier = waiting.get(key)
      if (earlier === undefined && waiting.size >= itemsMax) return null
      const one = earlier ?? { hint, later: null, isBeingStored: false, stored: Promise.withResolvers<void>() }
      if (earlier === undefined) waiting.set(key, one)
      else if (one.isBeingStored) one.later = one.later === null ? hint : mergeHints(one.later, hint)
      else one.hint = mergeHints(one.hint, hint)
      storing ??= storeAll()
      return one.stored.promise
    },
    /** Resolves when every hint is stored, or after a few seconds. */
    drain: async (): Promise<void> => {
      await awaitWithin(storing ?? Promise.resolve(), DRAIN_MAX_MS)
      hasEnded = true
    },
  }
}

function toKey({ fingerprint, environment }: Pick<Hint, 'fingerprint' | 'environment'>): string {
  return `${environment} ${fingerprint.toString('hex')}`
}

/**
 * Merges two hints for one item, with the same result as storing one after the other. If both announce a disconnection,
 * the later date wins, because the earlier may be a resent one that is already settled.
 */
export function mergeHints(earlier: Hint, later: Hint): Hint {
  return {
    fingerprint: later.fingerprint,
    environment: later.environment,
    asksCheck: earlier.asksCheck || later.asksCheck,
    repaired: earlier.repaired || later.repaired,
    settles: later.repaired ? pickLatest([earlier.settles, earlier.disconnectsAt, later.settles]) : earlier.settles,
    disconnectsAt: later.repaired ? later.disconnectsAt : pickLatest([earlier.disconnectsAt, later.disconnectsAt]),
    newAccounts: earlier.newAccounts || later.newAccounts,
    revokedAccounts: [...new Set([...earlier.revokedAccounts, ...later.revokedAccounts])],
  }
}

function pickLatest(instants: readonly (Date | null)[]): Date | null {
  const known = instants.filter((instant) => instant !== null)
  return known.toSorted((a, b) => b.getTime() - a.getTime())[0] ?? null
}

function merged(earlier: Hint, later: Hint | null): Hint {
  return later === null ? earlier : mergeHints(earlier, later)
}

/** Returns the result of the work, or null after the time limit. The work itself continues. */
export function awaitWithin<T>(work: Promise<T>, limitMs: number): Promise<T | null> {
  return Promise.race([work, pause(limitMs, null, { ref: false })])
}
