import { Counter, Histogram } from 'prom-client'
import type { WorkLimits } from './kinds-of-work.ts'
import { registry } from './metrics.ts'
import { currentOwner } from './on-behalf.ts'
import { Refusal } from './refusal.ts'

const waitSeconds = new Histogram({
  name: 'laurel_database_wait_seconds',
  help: 'How long work waited for its turn at a database connection, when it had to wait.',
  labelNames: ['work'],
  buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30, 60],
  registers: [registry],
})
const refused = new Counter({
  name: 'laurel_database_refused_total',
  help: 'Work refused because too much was waiting for a database connection, or it had waited for too long.',
  labelNames: ['work'],
  registers: [registry],
})

/**
 * Turns at the connections of a pool. Owners, which are publishers and operators, are served round-robin, and one holds
 * at most half of the connections, so each waits for at most one turn of every other, however much the others ask for.
 * If `ownerMsPerSecond` limits an owner to a part of each second, its further work waits until that part is free again.
 */
export type Turns = {
  /**
   * Waits for a connection and returns what gives it back.
   * @throws Refusal overloaded when the owner has too much waiting, or this has waited for too long.
   */
  take(): Promise<() => void>
}

type Share = {
  readonly name: string | null
  running: number
  /** The milliseconds of ended turns that still count against `ownerMsPerSecond`. */
  recentMs: number
  readonly waiting: Set<() => void>
}
const SECOND_MS = 1_000
// How long a turn counts at most: less than work may wait, so that the owner's next turn is late but not refused.
const RECENT_MS_MAX = 4_000

export function createTurns(work: string, limits: WorkLimits): Turns {
  // The service's own work counts as one more owner, limited only by the number of connections.
  const owners = new Map<string | null, Share>()
  let free = limits.connections
  const isAllowed = (owner: Share): boolean => free > 0 && (owner.name === null || isWithinLimits(owner, limits))
  const ownerOf = (name: string | null): Share => {
    const owner = owners.get(name) ?? { name, running: 0, recentMs: 0, waiting: new Set() }
    owners.set(name, owner)
    return owner
  }
  const forgetIdle = ({ name, running, recentMs, waiting }: Share): void => {
    if (running === 0 && recentMs === 0 && waiting.size === 0) owners.delete(name)
  }
  const begin = (owner: Share): void => {
    free--
    owner.running++
  }
  const refuse = (): Refusal => {
    refused.inc({ work })
    return new Refusal<'overloaded'>('overloaded', 'The service is busy; try again in a moment.')
  }
  const wait = (owner: Share): Promise<void> =>
    new Promise((resolve, reject) => {
      const since = performance.now()
      const start = (): void => {
        clearTimeout(timer)
        waitSeconds.observe({ work }, (performance.now() - since) / 1_000)
        begin(owner)
        resolve()
      }
      const timer = setTimeout(() => {
        owner.waiting.delete(start)
        forgetIdle(owner)
        reject(refuse())
      }, limits.waitMaxMs)
      owner.waiting.add(start)
    })
  const startNext = (): void => {
    for (const owner of owners.values()) {
      const [first] = owner.waiting
      if (first === undefined || !isAllowed(owner)) continue
      owner.waiting.delete(first)
      // The owner goes behind all others.
      owners.delete(owner.name)
      owners.set(owner.name, owner)
      first()
      return
    }
  }
  const startNextAfter = (owner: Share): void => {
    forgetIdle(owner)
    startNext()
  }
  const end = (owner: Share, tookMs: number): void => {
    free++
    owner.running--
    if (limits.ownerMsPerSecond !== undefined) countRecent(owner, tookMs, limits.ownerMsPerSecond, startNextAfter)
    startNextAfter(owner)
  }
  return {
    take: async () => {
      const owner = ownerOf(currentOwner())
      if (isAllowed(owner)) begin(owner)
      else if (owner.waiting.size < limits.waitingMax) await wait(owner)
      else throw refuse()
      const beganMs = performance.now()
      return () => end(owner, performance.now() - beganMs)
    },
  }
}

/** Whether the owner has less than half of the connections and has not used up its part of a second. */
function isWithinLimits(
  { running, recentMs }: Share,
  { connections, ownerMsPerSecond = Infinity }: WorkLimits,
): boolean {
  return running < Math.ceil(connections / 2) && recentMs < ownerMsPerSecond
}

/** A turn counts for a second; one that took more than the owner's part of a second counts longer, in proportion. */
function countRecent(owner: Share, tookMs: number, ownerMsPerSecond: number, then: (owner: Share) => void): void {
  const countedMs = Math.ceil(tookMs)
  owner.recentMs += countedMs
  const forget = (): void => {
    owner.recentMs -= countedMs
    then(owner)
  }
  const forMs = Math.max(SECOND_MS, (countedMs * SECOND_MS) / ownerMsPerSecond)
  setTimeout(forget, Math.min(forMs, RECENT_MS_MAX)).unref()
}
