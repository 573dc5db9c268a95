import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { emptyState, type State } from './state.ts'

export type Store = {
  readonly state: State
  /** Says that the state has changed. The snapshot follows within SNAPSHOT_DELAY_MS. */
  changed(): void
  /** Returns when all that has changed is in the file. */
  flush(): Promise<void>
}

/** Long enough that a burst of changes is one write, short enough that a killed process loses next to nothing. */
const SNAPSHOT_DELAY_MS = 50

/** The state from the file, or an empty one; kept in memory only when no file is given. */
export async function openStore(dataFile: string | undefined): Promise<Store> {
  const state = dataFile === undefined ? emptyState() : await load(dataFile)
  let dirty = false
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()

  function changed(): void {
    if (dataFile === undefined) return
    dirty = true
    // The timer is not pushed back by further changes: a steady stream of them must not starve the snapshot.
    timer ??= setTimeout(() => {
      flush().catch((error: unknown) => console.error('The simulator cannot write its snapshot:', error))
    }, SNAPSHOT_DELAY_MS)
  }

  function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    // One write at a time, in order; one that finds nothing new does nothing.
    writing = writing.catch(() => undefined).then(write)
    return writing
  }

  async function write(): Promise<void> {
    if (!dirty || dataFile === undefined) return
    dirty = false
    try {
      await save(dataFile, state)
    } catch (error) {
      dirty = true
      throw error
    }
  }

  return { state, changed, flush }
}

async function load(dataFile: string): Promise<State> {
  let text: string
  try {
    text = await readFile(dataFile, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return emptyState()
    throw error
  }
  const state: unknown = JSON.parse(text)
  if (typeof state !== 'object' || state === null || !('version' in state) || state.version !== 1) {
    throw new Error(`${dataFile} is not a snapshot of this simulator; move it away to start with an empty one`)
  }
  // The file was written by save() below, from this very type or from one that lacked what complete() adds.
  return complete(state as State)
}

/** Snapshots from before a field was there. Whatever tells whose a token is, is left to the first who uses it. */
function complete(state: State): State {
  if (Object.hasOwn(state, 'clientSecrets')) return { ...emptyState(), ...state }
  const unclaimed = <Held extends { clientId: string | null }>(held: Held): Held => ({ ...held, clientId: null })
  const each = <Held>(held: Readonly<Record<string, Held>>, change: (one: Held) => Held) =>
    Object.fromEntries(Object.entries(held).map(([key, one]) => [key, change(one)]))
  return {
    ...emptyState(),
    ...state,
    linkTokens: each(state.linkTokens, unclaimed),
    publicTokens: each(state.publicTokens, ({ link, ...rest }) => ({
      ...rest,
      link: link.kind === 'new' ? { ...link, item: unclaimed(link.item) } : link,
    })),
    items: each(state.items, unclaimed),
    removedTokens: each<string | null>(state.removedTokens, () => null),
  }
}

/** A reader sees the old snapshot or the new one whole, never half of one: rename is atomic within a file system. */
async function save(dataFile: string, state: State): Promise<void> {
  await mkdir(dirname(dataFile), { recursive: true })
  const draft = `${dataFile}.${process.pid}.new`
  // The file holds access tokens and the signing key, invented ones, but a habit is a habit.
  await writeFile(draft, JSON.stringify(state), { mode: 0o600 })
  await rename(draft, dataFile)
}
