import { getCurrentCaller, runInLines } from '../on-behalf.ts'
import { overloaded } from '../refusal.ts'

// A publisher that is catching up reports hundreds of one user's purchases concurrently, each taking about 10 ms.
const IN_LINE_MAX = 400
// Proxies and our own server close idle connections after a minute. This is shorter, so that the refusal still reaches
// the caller.
const WAIT_MAX_MS = 50_000
// Limits the memory of one owner's waiting requests across all lines.
const OF_OWNER_MAX = 1_000

/**
 * Queues transactions that lock the same row. They run one at a time anyway, so lines make them wait before taking a
 * connection. A hundred changes to one user then occupy one connection instead of all of them.
 */
type Lines = {
  /**
   * Runs the work in order of arrival, once it is first in every line of the current caller.
   * @throws Refusal overloaded if a line is full or the wait takes too long
   */
  inLine<T>(work: () => Promise<T>): Promise<T>
}

export function createLines(): Lines {
  // The work waiting in each line, not including the running work. Empty lines are deleted.
  const lines = new Map<string, Set<() => void>>()
  const waitingByOwner = new Map<string | null, number>()

  const wait = async (line: Set<() => void>, owner: string | null, untilMs: number): Promise<void> => {
    const waiting = waitingByOwner.get(owner) ?? 0
    if (line.size >= IN_LINE_MAX || waiting >= OF_OWNER_MAX) throw overloaded()
    waitingByOwner.set(owner, waiting + 1)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    line.add(resolve)
    const timer = setTimeout(
      () => {
        line.delete(resolve)
        reject(overloaded())
      },
      Math.max(0, untilMs - performance.now()),
    )
    try {
      await promise
    } finally {
      clearTimeout(timer)
      const left = (waitingByOwner.get(owner) ?? 1) - 1
      if (left > 0) waitingByOwner.set(owner, left)
      else waitingByOwner.delete(owner)
    }
  }
  const leave = (name: string): void => {
    const line = lines.get(name)
    const [next] = line ?? []
    if (next === undefined) lines.delete(name)
    else {
      line?.delete(next)
      next()
    }
  }
  return {
    inLine: async (work) => {
      const caller = getCurrentCaller()
      if (caller === null || caller.lines.length === 0) return work()
      const untilMs = performance.now() + WAIT_MAX_MS
      const entered: string[] = []
      try {
        // Sorted, like row locks, so that two callers cannot deadlock.
        for (const name of [...new Set(caller.lines)].sort()) {
          const line = lines.get(name)
          if (line === undefined) lines.set(name, new Set())
          else await wait(line, caller.owner, untilMs)
          entered.push(name)
        }
        // Nested work must not wait again.
        return await runInLines([], work)
      } finally {
        for (const name of entered) leave(name)
      }
    },
  }
}
