// A map that can be changed without touching the one others still read: it is cut into many small maps, and a change
// copies only those it meets. One changed brand of 100,000 then costs some copies of about a hundred entries, and a
// match going on in the meantime sees the whole old catalog or the whole new one.

const shardCount = 2048

export type Shards<V> = readonly (ReadonlyMap<string, V> | undefined)[]

export const noShards: Shards<never> = []

/** What stands under the key, whose hash may be known already. */
export function lookUp<V>(shards: Shards<V>, key: string, hash = hashOf(key)): V | undefined {
  return shards[spread(hash) & (shardCount - 1)]?.get(key)
}

/** A draft of changed shards; the original stays as it was. */
export type Draft<V> = {
  get(key: string): V | undefined
  /** Puts what the change makes of the value; undefined takes the key away. */
  change(key: string, to: (value: V | undefined) => V | undefined): void
  done(): Shards<V>
}

export function draftOf<V>(shards: Shards<V>): Draft<V> {
  let drafted: (Map<string, V> | undefined)[] | null = null
  const own: (Map<string, V> | undefined)[] = []
  const shardAt = (at: number): Map<string, V> => {
    drafted ??= Array.from({ length: shardCount }, (_, shard) => shards[shard] as Map<string, V> | undefined)
    const copy = new Map(shards[at])
    own[at] = copy
    drafted[at] = copy
    return copy
  }
  return {
    get(key) {
      const at = spread(hashOf(key)) & (shardCount - 1)
      return (own[at] ?? shards[at])?.get(key)
    },
    change(key, to) {
      const at = spread(hashOf(key)) & (shardCount - 1)
      const shard = own[at] ?? shardAt(at)
      const value = to(shard.get(key))
      if (value === undefined) shard.delete(key)
      else shard.set(key, value)
    },
    done: () => drafted ?? shards,
  }
}

/** The hash of a text, or of a text with that hash and another behind it. */
export function hashOf(key: string, before = hashStart): number {
  let hash = before
  for (let at = 0; at < key.length; at += 1) hash = hashWith(hash, key.charCodeAt(at))
  return hash
}

/** A hash that grows letter by letter, so that all pieces of a text are known from its beginnings, hashed in one pass. */
export const hashStart = 0
// 31 times the hash; V8 makes much more of `Math.imul` here.
export const hashWith = (hash: number, code: number) => ((hash << 5) - hash + code) | 0

/** The hash of two texts in a row; that of the second stands for so many letters. */
export const hashOfBoth = (before: number, behind: number, length: number) =>
  (Math.imul(before, powers[length] ?? 0) + behind) | 0

/** The hash of what follows a beginning: so many letters. */
export const hashBehind = (before: number, both: number, length: number) =>
  (both - Math.imul(before, powers[length] ?? 0)) | 0

const mostLetters = 256
const powers = new Int32Array(mostLetters)
for (let length = 0, power = 1; length < mostLetters; length += 1, power = Math.imul(power, 31)) powers[length] = power
const spread = (hash: number) => {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return (mixed ^ (mixed >>> 15)) >>> 0
}

// Nearly every beginning of a text is no name. A filter of one bit a hash answers that without building the string:
// of 300,000 forms one beginning in twenty passes by mistake and is looked up in vain. Like the maps it is cut into
// pieces, of which a change copies those it meets.
const pieceBits = 1 << 15
const pieceCount = 128

export type HashFilter = readonly Int32Array[]

const noBits = new Int32Array(pieceBits >>> 5)
export const emptyFilter: HashFilter = new Array(pieceCount).fill(noBits)

export function mayHold(filter: HashFilter, hash: number): boolean {
  const mixed = spread(hash)
  const bit = mixed & (pieceBits - 1)
  const piece = filter[(mixed >>> 15) & (pieceCount - 1)] ?? noBits
  return ((piece[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0
}

/** A filter to add to. What is gone from the catalog stays in it and costs a lookup in vain. */
export type FilterDraft = { add(key: string): void; addHash(hash: number): void; done(): HashFilter }

export function filterDraftOf(filter: HashFilter): FilterDraft {
  const drafted = [...filter]
  const addHash = (hash: number) => {
    const mixed = spread(hash)
    const bit = mixed & (pieceBits - 1)
    const at = (mixed >>> 15) & (pieceCount - 1)
    let piece = drafted[at] ?? noBits
    if (((piece[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0) return
    if (piece === filter[at]) {
      piece = piece.slice()
      drafted[at] = piece
    }
    piece[bit >>> 5] = (piece[bit >>> 5] ?? 0) | (1 << (bit & 31))
  }
  return { add: (key) => addHash(hashOf(key)), addHash, done: () => drafted }
}
