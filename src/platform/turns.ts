import { Counter, Histogram } from 'prom-client'
import type { WorkLimits } from './kinds-of-work.ts'
import { registry } from './metrics.ts'
import { Refusal } from './refusal.ts'

const waitSeconds = new Histogram({
  name: 'laurel_database_wait_seconds',
  help: 'How long work waited for a database connection, where none was free.',
  labelNames: ['work'],
  buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30, 60],
  registers: [registry],
})
const refused = new Counter({
  name: 'laurel_database_refused_total',
  help: 'Work refused because too much waited for a database connection, or for too long.',
  labelNames: ['work'],
  registers: [registry],
})

/** Turns at the connections of a pool, first come, first served. */
export type Turns = {
  /** Waits until a connection is free. @throws Refusal overloaded when the queue is too long or does not move. */
  take(): Promise<void>
  /** To be called once for each turn taken. */
  end(): void
}

export function createTurns(work: string, limits: WorkLimits): Turns {
  let free = limits.connections
  const waiting = new Set<() => void>()
  const refuse = (): Refusal => {
    refused.inc({ work })
    return new Refusal<'overloaded'>('overloaded', 'The service is busy; try again in a moment.')
  }
  const wait = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const since = performance.now()
      const begin = (): void => {
        clearTimeout(timer)
        waitSeconds.observe({ work }, (performance.now() - since) / 1_000)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.delete(begin)
        reject(refuse())
      }, limits.waitMaxMs)
      waiting.add(begin)
    })
  return {
    take: async () => {
      if (free > 0) free--
      else if (waiting.size < limits.waitingMax) await wait()
      else throw refuse()
    },
    end: () => {
      const [first] = waiting
      if (first === undefined) {
        free++
        return
      }
      waiting.delete(first)
      first()
    },
  }
}
