/** What a pool asks for more runs: how many it has room for, and how many of each publisher it has under way. */
export type Room = {
  readonly free: number
  readonly underWay: ReadonlyMap<string, number>
  /** No publisher is given more, so that slow items of one leave room for those of the others. */
  readonly perPublisher: number
}

export type PoolOptions<Run> = {
  readonly size: number
  readonly claim: (room: Room) => Promise<readonly Run[]>
  readonly work: (run: Run) => Promise<void>
}

export type Pool = {
  /**
   * Fills the free places, then waits for one to become free, but not for long; false when nothing is under way.
   * Throws what a run has thrown since the last pass: runs end by themselves, so that is a fault of ours.
   */
  pass(): Promise<boolean>
  /** Returns when nothing is under way any more. */
  drain(): Promise<void>
}

// While all places are taken by slow runs, what has become due meanwhile is looked for this often.
const LOOK_EVERY_MS = 250
// Places that become free at about the same time are filled by one claim.
const FILL_AFTER_MS = 10

/** Runs under way, bounded in number: a place that becomes free is filled at once, whatever the others do. */
export function createPool<Run extends { readonly publisherId: string }>(options: PoolOptions<Run>): Pool {
  const { size, claim, work } = options
  const running = new Map<Run, Promise<void>>()
  const thrown: unknown[] = []
  let ended = 0
  let wake = (): void => undefined
  const start = (run: Run): void => {
    const done = work(run)
      .catch((error: unknown) => void thrown.push(error))
      .finally(() => {
        running.delete(run)
        ended++
        wake()
      })
    running.set(run, done)
  }
  return {
    pass: async () => {
      if (thrown.length > 0) throw thrown.shift()
      const endedBefore = ended
      const free = size - running.size
      const room = { free, underWay: countByPublisher(running.keys()), perPublisher: Math.ceil((size * 3) / 4) }
      if (free > 0) for (const run of await claim(room)) start(run)
      if (running.size === 0) return thrown.length > 0
      if (ended !== endedBefore) return true
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LOOK_EVERY_MS)
        wake = () => {
          clearTimeout(timer)
          setTimeout(resolve, FILL_AFTER_MS)
        }
      })
      return true
    },
    drain: async () => {
      await Promise.all(running.values())
    },
  }
}

function countByPublisher(runs: Iterable<{ readonly publisherId: string }>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { publisherId } of runs) counts.set(publisherId, (counts.get(publisherId) ?? 0) + 1)
  return counts
}
