import { hashOf, spread } from '../text/hash.ts'

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
