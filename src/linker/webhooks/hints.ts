import { setTimeout as pause } from 'node:timers/promises'
import type { LinkerDeps } from '../deps.ts'
import { type Hint, storeHints } from './queries.ts'

/**
 * What webhooks have told and is not stored yet. Hints of one item become one, and those of many items are stored by one
 * statement; while that is under way the next ones gather, so the busier the database, the fewer statements. What cannot
 * be stored, because the item is held by a reading or the database does not answer, is tried again until it is.
 *
 * A process that dies loses the hints it holds, though their senders were told that they had come. That does no more harm
 * than a webhook that is lost on its way, and those are lost anyway: a hint only brings forward what the safety poll does
 * within a day, for each feed and each login. Two things only webhooks tell: that there are new accounts, and, where the
 * item itself does not say it, when a login will end; then the user is not asked beforehand, and the break is found when
 * it comes.
 */
export type Hints = {
  /** Takes a hint; returns what fulfils once it is stored. Null when there is no room for it. */
  note(hint: Hint): Promise<void> | null
  /** Returns when all is stored, or could not be for so long that the process is not to be held up any longer. */
  drain(): Promise<void>
}

/** Items of which hints are held: some megabytes, and more than any flood of webhooks tells of in a moment. */
const ITEMS_MAX = 20_000
const BATCH_MAX = 500
// A reading holds its item while it stores an update: some milliseconds.
const HELD_PAUSE_MS = 50
const FAILED_PAUSE_MS = 50
const FAILED_PAUSE_MAX_MS = 1_000
const DRAIN_MAX_MS = 5_000

type Waiting = { readonly hint: Hint; readonly stored: PromiseWithResolvers<void> }

export function createHints(deps: LinkerDeps, itemsMax = ITEMS_MAX): Hints {
  const waiting = new Map<string, Waiting>()
  let underWay = 0
  let storing: Promise<void> | null = null
  const ending = new AbortController()

  /** Behind whatever came meanwhile, so that an item that stays held keeps no other waiting. */
  const putBack = (key: string, earlier: Waiting): void => {
    const later = waiting.get(key)
    if (later !== undefined) earlier.stored.promise.then(later.stored.resolve)
    const hint = later === undefined ? earlier.hint : foldHints(earlier.hint, later.hint)
    waiting.set(key, { hint, stored: earlier.stored })
  }

  /** Stores as much as one statement takes; answers whether any of it could be stored. */
  const storeSome = async (): Promise<boolean> => {
    const batch = [...waiting.entries().take(BATCH_MAX)]
    for (const [key] of batch) waiting.delete(key)
    underWay = batch.length
    const hints = batch.map(([, { hint }]) => hint)
    const told = await storeHints(deps.db.reader, hints, deps.clock.now()).catch((error: unknown) => {
      for (const [key, one] of batch) putBack(key, one)
      throw error
    })
    const held = new Set(told.filter(({ isHeld }) => isHeld).map(({ fingerprint }) => fingerprint))
    for (const [key, one] of batch) {
      if (held.has(key)) putBack(key, one)
      else one.stored.resolve()
    }
    // They may be ahead of our own commit, which asks for a first sync by itself; or the links are gone.
    if (told.length < batch.length) deps.log.debug('webhooks about items that are not linked')
    return held.size < batch.length
  }

  const storeAll = async (): Promise<void> => {
    let failures = 0
    while (waiting.size > 0 && !ending.signal.aborted) {
      try {
        const isMoving = await storeSome().finally(() => {
          underWay = 0
        })
        failures = 0
        if (!isMoving) await pause(HELD_PAUSE_MS)
      } catch (error) {
        if (failures === 0) deps.log.warn({ err: error }, 'what webhooks told could not be stored yet')
        await pause(Math.min(FAILED_PAUSE_MS * 2 ** failures++, FAILED_PAUSE_MAX_MS))
      }
    }
    storing = null
  }

  return {
    note: (hint) => {
      const key = hint.fingerprint.toString('hex')
      const earlier = waiting.get(key)
      if (earlier === undefined && waiting.size + underWay >= itemsMax) return null
      const stored = earlier?.stored ?? Promise.withResolvers<void>()
      waiting.set(key, { hint: earlier === undefined ? hint : foldHints(earlier.hint, hint), stored })
      storing ??= storeAll()
      return stored.promise
    },
    drain: async () => {
      await orAfter(storing ?? Promise.resolve(), DRAIN_MAX_MS)
      ending.abort()
    },
  }
}

/**
 * What two hints of one item come to, as if each had been stored in its turn. Of two ends the later one counts: the other
 * may be an old one that was sent again, and is settled.
 */
export function foldHints(earlier: Hint, later: Hint): Hint {
  return {
    fingerprint: later.fingerprint,
    check: earlier.check || later.check,
    repaired: earlier.repaired || later.repaired,
    settles: later.repaired ? latestOf([earlier.settles, earlier.disconnectsAt, later.settles]) : earlier.settles,
    disconnectsAt: later.repaired ? later.disconnectsAt : latestOf([earlier.disconnectsAt, later.disconnectsAt]),
    newAccounts: earlier.newAccounts || later.newAccounts,
  }
}

function latestOf(instants: readonly (Date | null)[]): Date | null {
  const known = instants.filter((instant) => instant !== null)
  return known.toSorted((a, b) => b.getTime() - a.getTime())[0] ?? null
}

/** Waits for the work, but no longer than that; it goes on all the same. */
export async function orAfter(work: Promise<void>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs)
  })
  await Promise.race([work, limit]).finally(() => clearTimeout(timer))
}
