import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createEmptyState, type State } from './state.ts'

/** Loads the state from a file; an empty state if the file does not exist. */
export async function loadSnapshot(file: string): Promise<State> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return createEmptyState()
    throw error
  }
  const state: unknown = JSON.parse(text)
  if (typeof state !== 'object' || state === null || !('version' in state) || state.version !== 1) {
    throw new Error(`${file} is not a snapshot of this simulator; move it elsewhere to start with an empty one`)
  }
  // saveSnapshot() wrote the file with this type, or with an older one that complete() upgrades.
  return sortOut(complete(state as State))
}

/** Large enough for efficient writes, small enough to barely delay calls. */
const PIECES_BYTES = 256 * 1024

/**
 * Saves the state to a file as one JSON document. The file is written in pieces, and calls are answered in between, so
 * that even ten thousand items do not block a call. If the state changes during the write, another snapshot follows. In
 * the meantime, the items in the file may reflect different moments of the write. The order of the parts ensures that
 * nothing is lost: unexchanged links are written before the items, and removed tokens after them. As a result, an item
 * can appear twice, which loading corrects. Readers see either the old or the new snapshot, never a partial one,
 * because rename is atomic within a file system.
 */
export async function saveSnapshot(file: string, state: State): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}.new`
  // The file contains access tokens and the signing key. They are fake, but are protected like real ones.
  const handle = await open(draft, 'w', 0o600)
  try {
    let text = ''
    for (const piece of serializePieces(state)) {
      text += piece
      if (text.length < PIECES_BYTES) continue
      await handle.writeFile(text)
      text = ''
    }
    await handle.writeFile(text)
  } finally {
    await handle.close()
  }
  await rename(draft, file)
}

function* serializePieces(state: State): Generator<string> {
  const { items, removedTokens: _, ...rest } = state
  yield `${JSON.stringify(rest).slice(0, -1)},"items":{`
  let separator = ''
  const written = new Set<string>()
  // Repeats until no items were added while the last ones were being written.
  for (let found = true; found; ) {
    found = false
    for (const [itemId, item] of Object.entries(items)) {
      if (written.has(itemId) || items[itemId] === undefined) continue
      written.add(itemId)
      found = true
      yield `${separator}${JSON.stringify(itemId)}:${JSON.stringify(item)}`
      separator = ','
    }
  }
  yield `},"removedTokens":${JSON.stringify(state.removedTokens)}}`
}

/** Removes duplicates, because an item might have been exchanged or removed while the snapshot was written. */
function sortOut(state: State): State {
  for (const [token, { link }] of Object.entries(state.publicTokens)) {
    if (link.kind === 'new' && Object.hasOwn(state.items, link.item.itemId)) delete state.publicTokens[token]
  }
  for (const [itemId, { accessToken }] of Object.entries(state.items)) {
    if (Object.hasOwn(state.removedTokens, accessToken)) delete state.items[itemId]
  }
  return state
}

/** Upgrades snapshots of older versions. Tokens without an owner are assigned to the first client that uses them. */
function complete(state: State): State {
  if (Object.hasOwn(state, 'clientSecrets')) return { ...createEmptyState(), ...state }
  const unclaimed = <Held extends { clientId: string | null }>(held: Held): Held => ({ ...held, clientId: null })
  const each = <Held>(held: Readonly<Record<string, Held>>, change: (one: Held) => Held) =>
    Object.fromEntries(Object.entries(held).map(([key, one]) => [key, change(one)]))
  return {
    ...createEmptyState(),
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
