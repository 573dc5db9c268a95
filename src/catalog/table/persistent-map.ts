/** What is found by its key; a `Map` is one. */
export type Lookup<Value> = {
  readonly size: number
  get(key: string): Value | undefined
  has(key: string): boolean
  values(): Iterable<Value>
}
/** A lookup that never changes, from which a changed one is made at the cost of the changes. */
export type SharedLookup<Value> = Lookup<Value> & {
  draft(): Draft<Value>
}
/** Changes that are gathered one after the other; the lookup they are made to stays as it was. */
export type Draft<Value> = { set(key: string, value: Value): void; done(): SharedLookup<Value> }

// A change copies the pieces it meets: some hundred entries each, at half a million.
const PIECES = 4_096
type Pieces<Value> = readonly (ReadonlyMap<string, Value> | undefined)[]

export function emptyLookup<Value>(): SharedLookup<Value> {
  return lookupIn<Value>([], 0)
}

function lookupIn<Value>(pieces: Pieces<Value>, size: number): SharedLookup<Value> {
  return {
    size,
    get: (key) => pieces[pieceOf(key)]?.get(key),
    has: (key) => pieces[pieceOf(key)]?.has(key) === true,
    values: () => valuesIn(pieces),
    draft: () => draftOf(pieces, size),
  }
}

function draftOf<Value>(pieces: Pieces<Value>, size: number): Draft<Value> {
  const own: (Map<string, Value> | undefined)[] = []
  let added = 0
  return {
    set: (key, value) => {
      const at = pieceOf(key)
      let piece = own[at]
      if (piece === undefined) {
        piece = new Map(pieces[at])
        own[at] = piece
      }
      const before = piece.size
      piece.set(key, value)
      added += piece.size - before
    },
    done: () => {
      const changed = Array.from({ length: PIECES }, (_, at) => own[at] ?? pieces[at])
      return lookupIn(changed, size + added)
    },
  }
}

function* valuesIn<Value>(pieces: Pieces<Value>): Generator<Value> {
  for (const piece of pieces) if (piece !== undefined) yield* piece.values()
}

function pieceOf(key: string): number {
  let hash = 0
  for (let at = 0; at < key.length; at++) hash = (Math.imul(hash, 31) + key.charCodeAt(at)) | 0
  return (hash ^ (hash >>> 15)) & (PIECES - 1)
}
