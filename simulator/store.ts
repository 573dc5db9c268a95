import { performance } from 'node:perf_hooks'
import { loadSnapshot, saveSnapshot } from './snapshot.ts'
import { createEmptyState, type State } from './state.ts'

export type Store = {
  readonly state: State
  /** Marks the state as changed, which schedules a snapshot. */
  changed(): void
  /** Resolves when all changes are in the file. */
  flush(): Promise<void>
}

/** Long enough to combine a burst of changes, short enough that a killed process loses almost nothing. */
const SHORTEST_PAUSE_MS = 50
/** Limits how much a crash can lose, however large the state is. */
const LONGEST_PAUSE_MS = 30_000
/** Each pause is this many times as long as the last write, so writing takes only a fraction of the time. */
const PAUSE_FACTOR = 10

/** Loads the state from the file, or starts with an empty one. Without a file, the state exists only in memory. */
export async function openStore(dataFile: string | undefined): Promise<Store> {
  if (dataFile === undefined)
    return { state: createEmptyState(), changed: () => undefined, flush: async () => undefined }
  const state = await loadSnapshot(dataFile)
  let dirty = false
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> | null = null
  let pauseMs = SHORTEST_PAUSE_MS

  function changed(): void {
    dirty = true
    schedule()
  }

  /**
   * Schedules a snapshot. Further changes do not reset the timer, because a steady stream of them must not starve the
   * snapshot.
   */
  function schedule(): void {
    if (!dirty || timer !== null || writing !== null) return
    timer = setTimeout(() => {
      timer = null
      write().catch((error: unknown) => console.error('The simulator cannot write its snapshot:', error))
    }, pauseMs)
  }

  function write(): Promise<void> {
    writing ??= save().finally(() => {
      writing = null
      schedule()
    })
    return writing
  }

  async function save(): Promise<void> {
    const begun = performance.now()
    dirty = false
    try {
      await saveSnapshot(dataFile ?? '', state)
    } catch (error) {
      dirty = true
      throw error
    } finally {
      const tookMs = performance.now() - begun
      pauseMs = Math.min(Math.max(SHORTEST_PAUSE_MS, tookMs * PAUSE_FACTOR), LONGEST_PAUSE_MS)
    }
  }

  async function flush(): Promise<void> {
    await writing?.catch(() => undefined)
    if (timer !== null) clearTimeout(timer)
    timer = null
    while (dirty) await write()
  }

  return { state, changed, flush }
}
