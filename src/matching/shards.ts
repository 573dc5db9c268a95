// A map that can be changed without touching the one others still read: it is cut into many small maps, and a change
// copies only those it meets. One changed brand of 100,000 then costs some copies of about a hundred entries, and a
// match going on in the meantime sees the whole old catalog or the whole new one.

const shardCount = 2048

export type Shards<V> = readonly (ReadonlyMap<string, V> | undefined)[]

export const noShards: Shards<never> = []

/** What stands under the key. */
export function lookUp<V>(shards: Shards<V>, key: string): V | undefined {
  return shards[hashOf(key) & (shardCount - 1)]?.get(key)
}

/** A draft of changed shards; the original stays as it was. */
export type Draft<V> = {
  get(key: string): V | undefined
  /** Puts what the change makes of the value; undefined takes the key away. */
  change(key: string, to: (value: V | undefined) => V | undefined): void
  done(): Shards<V>
}

export function draftOf<V>(shards: Shards<V>): Draft<V> {
  const own: (Map<string, V> | undefined)[] = new Array(shardCount).fill(undefined)
  return {
    get(key) {
      const at = hashOf(key) & (shardCount - 1)
      return (own[at] ?? shards[at])?.get(key)
    },
    change(key, to) {
      const at = hashOf(key) & (shardCount - 1)
      let shard = own[at]
      if (shard === undefined) {
        shard = new Map(shards[at])
        own[at] = shard
      }
      const value = to(shard.get(key))
      if (value === undefined) shard.delete(key)
      else shard.set(key, value)
    },
    done: () => own.map((shard, at) => shard ?? shards[at]),
  }
}

function hashOf(key: string): number {
  let hash = hashStart
  for (let at = 0; at < key.length; at += 1) hash = hashWith(hash, key.charCodeAt(at))
  return spread(hash)
}

/** A hash that grows letter by letter, so that all beginnings of a text are hashed in one pass. */
export const hashStart = 0
export const hashWith = (hash: number, code: number) => (Math.imul(hash, 31) + code) | 0
const spread = (hash: number) => {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return (mixed ^ (mixed >>> 15)) >>> 0
}

// Nearly every beginning of a text is no name. A filter of one bit a hash answers that without building the string:
// of 300,000 forms one beginning in twenty passes by mistake and is looked up in vain.
const filterBits = 1 << 22

export type HashFilter = Int32Array

export function mayHold(filter: HashFilter, hash: number): boolean {
  const bit = spread(hash) & (filterBits - 1)
  return ((filter[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0
}

/** A copy to add to. What is gone from the catalog stays in it and costs a lookup in vain. */
export const copyOfFilter = (filter: HashFilter | null): HashFilter =>
  filter?.slice() ?? new Int32Array(filterBits >>> 5)

export function addToFilter(filter: HashFilter, key: string): void {
  const bit = hashOf(key) & (filterBits - 1)
  filter[bit >>> 5] = (filter[bit >>> 5] ?? 0) | (1 << (bit & 31))
}
