import type { Reader } from '../../platform/database.ts'
import { bookTurns, nextTurnIn, postponeTurns } from './pacing-queries.ts'

/**
 * The pace towards one provider account, kept by all processes of one database together. A turn is a moment at which a
 * call may be made: whoever asks gets the next free one, so nobody polls, and none is lost. Callers of one process that
 * ask at the same time are served by one statement.
 */
export type Turns = {
  /** In how many milliseconds it is the caller's turn; when that is too long, none is kept for it. */
  take(account: string, operation: string, perMinute: number): Promise<Turn>
  /** The provider says that we ask too often: nobody has a turn for a while. */
  postpone(account: string, operation: string, pauseMs: number): Promise<void>
}
export type Turn = { readonly taken: boolean; readonly inMs: number }

// The provider counts when calls arrive, which is not quite when they are sent.
const USED = 0.95
// Time that nobody used is made up for this far back; more would be too many calls in one of the provider's minutes.
const BURST_MS = 1_000
// A run holds its place in the pass while it waits; longer than this it had better come back.
export const TURN_WAIT_MAX_MS = 5_000
const MINUTE_MS = 60_000

type Waiting = { resolve(turn: Turn): void; reject(error: unknown): void }

export function createTurns(reader: Reader): Turns {
  const queues = new Map<string, Waiting[]>()
  return {
    take: (account, operation, perMinute) =>
      new Promise<Turn>((resolve, reject) => {
        const key = `${account} ${operation}`
        const queue = queues.get(key)
        if (queue !== undefined) return void queue.push({ resolve, reject })
        const first: Waiting[] = [{ resolve, reject }]
        queues.set(key, first)
        void serve(reader, { account, operation, stepMs: MINUTE_MS / (perMinute * USED) }, first, () =>
          queues.delete(key),
        )
      }),
    postpone: (account, operation, pauseMs) => postponeTurns(reader, account, operation, pauseMs),
  }
}

type Line = { readonly account: string; readonly operation: string; readonly stepMs: number }

/** Serves whoever waits, and whoever comes meanwhile, until nobody is left; then closes in the same breath. */
async function serve(reader: Reader, line: Line, queue: Waiting[], close: () => void): Promise<void> {
  while (queue.length > 0) {
    const served = queue.splice(0)
    try {
      const wanted = { count: served.length, burstMs: BURST_MS, waitMaxMs: TURN_WAIT_MAX_MS }
      const firstMs = await bookTurns(reader, { ...line, ...wanted })
      const laterMs = firstMs ?? (await nextTurnIn(reader, line.account, line.operation))
      for (const [index, { resolve }] of served.entries())
        resolve({ taken: firstMs !== null, inMs: laterMs + index * line.stepMs })
    } catch (error) {
      for (const { reject } of served) reject(error)
    }
  }
  close()
}
