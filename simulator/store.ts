import { performance } from 'node:perf_hooks'
import { loadSnapshot, saveSnapshot } from './snapshot.ts'
import { emptyState, type State } from './state.ts'

export type Store = {
  readonly state: State
  /** Says that the state has changed. The snapshot follows soon. */
  changed(): void
  /** Returns when all that has changed is in the file. */
  flush(): Promise<void>
}

/** Long enough that a burst of changes is one write, short enough that a killed process loses next to nothing. */
const SHORTEST_PAUSE_MS = 50
/** However large the state is, no more is lost. */
const LONGEST_PAUSE_MS = 30_000
/** Pauses are so many times as long as the last write, so that writing takes a small part of the time. */
const PAUSE_FACTOR = 10

/** The state from the file, or an empty one; kept in memory only when no file is given. */
export async function openStore(dataFile: string | undefined): Promise<Store> {
  if (dataFile === undefined) return { state: emptyState(), changed: () => undefined, flush: async () => undefined }
  const state = await loadSnapshot(dataFile)
  let dirty = false
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> | null = null
  let pauseMs = SHORTEST_PAUSE_MS

  function changed(): void {
    dirty = true
    schedule()
  }

  /** The timer is not pushed back by further changes: a steady stream of them must not starve the snapshot. */
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
