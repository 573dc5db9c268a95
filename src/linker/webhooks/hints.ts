import { setTimeout as pause } from 'node:timers/promises'
import type { LinkerDeps } from '../deps.ts'
import { type Hint, storeHints } from './queries.ts'

/**
 * Holds what webhooks say until it is stored. Hints of one item are merged, and those of many items are stored by one
 * statement. While it runs the next hints gather, so a busier database gets fewer statements. A hint that cannot be
 * stored, because a sync holds the item or the database does not answer, is retried until it is.
 *
 * A process that dies loses the hints that it holds, although their webhooks were acknowledged. That is no worse than a
 * lost webhook: a hint only brings forward what the safety poll does within a day, for each feed and each login. Two
 * things come by webhook only: that there are new accounts, and sometimes when a login will end. When the latter is
 * lost, the user is not warned, and the broken login is found when it ends.
 */
type Hints = {
  /** Accepts a hint; the promise resolves once it is stored. Null when too many items wait. */
  add(hint: Hint): Promise<void> | null
  /** Resolves when every hint is stored, or after a few seconds. */
  drain(): Promise<void>
}

/** Items whose hints wait: some megabytes, and more than any burst of webhooks concerns. */
const ITEMS_MAX = 20_000
const BATCH_MAX = 500
// A sync holds its item while it stores an update: some milliseconds.
const HELD_PAUSE_MS = 50
const FAILED_PAUSE_MS = 50
const FAILED_PAUSE_MAX_MS = 1_000
const DRAIN_MAX_MS = 5_000

type Waiting = {
  hint: Hint
  /** What arrived while the hint was being stored, and is stored after it. */
  later: Hint | null
  isBeingStored: boolean
  readonly stored: PromiseWithResolvers<void>
}

export function createHints(deps: LinkerDeps, itemsMax = ITEMS_MAX): Hints {
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
    const held = new Set(stored.filter(({ isHeld }) => isHeld).map(keyOf))
    for (const [key, one] of batch) {
      waiting.delete(key)
      const rest = held.has(key) ? merged(one.hint, one.later) : one.later
      // Last in the queue, so that an item that stays locked delays no other.
      if (rest === null) one.stored.resolve()
      else waiting.set(key, { ...one, hint: rest, later: null, isBeingStored: false })
    }
    // Either the link is not committed yet, and its commit requests a sync anyway, or it is gone.
    if (stored.length < batch.length) deps.log.debug('webhooks about items that are not linked')
    if (held.size === batch.length) await pause(HELD_PAUSE_MS)
  }

  const storeAll = async (): Promise<void> => {
    for (let failures = 0; waiting.size > 0 && !hasEnded; ) {
      try {
        await storeSome()
        failures = 0
      } catch (error) {
        if (failures === 0) deps.log.warn({ err: error }, 'hints of webhooks could not be stored yet')
        await pause(Math.min(FAILED_PAUSE_MS * 2 ** failures++, FAILED_PAUSE_MAX_MS))
      }
    }
    storing = null
  }

  return {
    add: (hint) => {
      const key = keyOf(hint)
      const earlier = waiting.get(key)
      if (earlier === undefined && waiting.size >= itemsMax) return null
      const one = earlier ?? { hint, later: null, isBeingStored: false, stored: Promise.withResolvers<void>() }
      if (earlier === undefined) waiting.set(key, one)
      else if (one.isBeingStored) one.later = one.later === null ? hint : mergeHints(one.later, hint)
      else one.hint = mergeHints(one.hint, hint)
      storing ??= storeAll()
      return one.stored.promise
    },
    drain: async () => {
      await within(storing ?? Promise.resolve(), DRAIN_MAX_MS)
      hasEnded = true
    },
  }
}

function keyOf({ fingerprint, environment }: Pick<Hint, 'fingerprint' | 'environment'>): string {
  return `${environment} ${fingerprint.toString('hex')}`
}

/**
 * Merges two hints of one item, with the same result as storing one after the other. Of two announced ends the later
 * counts: the other may be an old one that was sent again and is settled.
 */
export function mergeHints(earlier: Hint, later: Hint): Hint {
  return {
    fingerprint: later.fingerprint,
    environment: later.environment,
    asksCheck: earlier.asksCheck || later.asksCheck,
    repaired: earlier.repaired || later.repaired,
    settles: later.repaired ? latestOf([earlier.settles, earlier.disconnectsAt, later.settles]) : earlier.settles,
    disconnectsAt: later.repaired ? later.disconnectsAt : latestOf([earlier.disconnectsAt, later.disconnectsAt]),
    newAccounts: earlier.newAccounts || later.newAccounts,
    revokedAccounts: [...new Set([...earlier.revokedAccounts, ...later.revokedAccounts])],
  }
}

function latestOf(instants: readonly (Date | null)[]): Date | null {
  const known = instants.filter((instant) => instant !== null)
  return known.toSorted((a, b) => b.getTime() - a.getTime())[0] ?? null
}

function merged(earlier: Hint, later: Hint | null): Hint {
  return later === null ? earlier : mergeHints(earlier, later)
}

/** The result of the work, or null when it takes longer; then the work continues. */
export function within<T>(work: Promise<T>, limitMs: number): Promise<T | null> {
  return Promise.race([work, pause(limitMs, null, { ref: false })])
}
