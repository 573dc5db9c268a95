import { Counter, Histogram } from 'prom-client'
import type { WorkLimits } from './kinds-of-work.ts'
import { registry } from './metrics.ts'
import { currentOwner } from './on-behalf.ts'
import { Refusal } from './refusal.ts'

const waitSeconds = new Histogram({
  name: 'laurel_database_wait_seconds',
  help: 'How long work waited for a database connection when none was free.',
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
 * at most half of the connections, and where the limits say so a part of the time, so each waits for at most one turn of every other, however much the others ask for.
 */
export type Turns = {
  /**
   * Waits for a connection and returns what gives it back.
   * @throws Refusal overloaded when the owner has too much waiting, or this has waited for too long.
   */
  take(): Promise<() => void>
}

type Share = {
  running: number
  /** How long the turns took that ended within the last second, in whole milliseconds. */
  recentMs: number
  readonly waiting: Set<() => void>
}
const RECENT_MS = 1_000

export function createTurns(work: string, limits: WorkLimits): Turns {
  // The service's own work counts as one more owner, limited only by the number of connections.
  const owners = new Map<string | null, Share>()
  let free = limits.connections
  const half = Math.ceil(limits.connections / 2)
  const { ownerMsPerSecond } = limits
  const isWithin = ({ running, recentMs }: Share): boolean =>
    running < half && recentMs < (ownerMsPerSecond ?? Infinity)
  const isAllowed = (name: string | null, owner: Share): boolean => free > 0 && (name === null || isWithin(owner))
  const ownerOf = (name: string | null): Share => {
    const owner = owners.get(name) ?? { running: 0, recentMs: 0, waiting: new Set() }
    owners.set(name, owner)
    return owner
  }
  const forgetIdle = (name: string | null, owner: Share): void => {
    if (owner.running === 0 && owner.recentMs === 0 && owner.waiting.size === 0) owners.delete(name)
  }
  const begin = (owner: Share): void => {
    free--
    owner.running++
  }
  const refuse = (): Refusal => {
    refused.inc({ work })
    return new Refusal<'overloaded'>('overloaded', 'The service is busy; try again in a moment.')
  }
  const wait = (name: string | null, owner: Share): Promise<void> =>
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
        forgetIdle(name, owner)
        reject(refuse())
      }, limits.waitMaxMs)
      owner.waiting.add(start)
    })
  const startNext = (): void => {
    for (const [name, owner] of owners) {
      const [first] = owner.waiting
      if (first === undefined || !isAllowed(name, owner)) continue
      owner.waiting.delete(first)
      // The owner goes behind all others.
      owners.delete(name)
      owners.set(name, owner)
      first()
      return
    }
  }
  const end = (name: string | null, owner: Share, tookMs: number): void => {
    free++
    owner.running--
    if (ownerMsPerSecond !== undefined) remember(name, owner, Math.ceil(tookMs))
    forgetIdle(name, owner)
    startNext()
  }
  const remember = (name: string | null, owner: Share, tookMs: number): void => {
    owner.recentMs += tookMs
    const forget = (): void => {
      owner.recentMs -= tookMs
      forgetIdle(name, owner)
      startNext()
    }
    setTimeout(forget, RECENT_MS).unref()
  }
  return {
    take: async () => {
      const name = currentOwner()
      const owner = ownerOf(name)
      if (isAllowed(name, owner)) begin(owner)
      else if (owner.waiting.size < limits.waitingMax) await wait(name, owner)
      else throw refuse()
      const beganMs = performance.now()
      return () => end(name, owner, performance.now() - beganMs)
    },
  }
}
