import { hashText, mixBits } from './text/text-hash.ts'

/**
 * An immutable map, split into many shards. A draft copies only the shards that it changes and shares the rest.
 * Changing one of 500,000 keys copies about 250 entries, and readers of the old map are unaffected.
 */
export type ShardedMap<V> = readonly (ReadonlyMap<string, V> | undefined)[]

const SHARDS = 2048

export const emptyMap: ShardedMap<never> = []

/** Returns the value of a key. Pass its hash if it is already known. */
export function lookUp<V>(map: ShardedMap<V>, key: string, hash = hashText(key)): V | undefined {
  return map[mixBits(hash) & (SHARDS - 1)]?.get(key)
}

export function countEntries(map: ShardedMap<unknown>): number {
  return map.reduce((sum, shard) => sum + (shard?.size ?? 0), 0)
}

export function* iterateValues<V>(map: ShardedMap<V>): Generator<V> {
  for (const shard of map) if (shard !== undefined) yield* shard.values()
}

/** A set of changes to a map, which itself stays unchanged. */
type MapDraft<V> = {
  get(key: string): V | undefined
  /** Replaces a value with the result of `to`; undefined removes the key. */
  change(key: string, to: (value: V | undefined) => V | undefined): void
  set(key: string, value: V): void
  done(): ShardedMap<V>
}

export function draftMap<V>(map: ShardedMap<V>): MapDraft<V> {
  let drafted: (Map<string, V> | undefined)[] | null = null
  const own: (Map<string, V> | undefined)[] = []
  const shardAt = (at: number): Map<string, V> => {
    drafted ??= Array.from({ length: SHARDS }, (_, shard) => map[shard] as Map<string, V> | undefined)
    const copy = new Map(map[at])
    own[at] = copy
    drafted[at] = copy
    return copy
  }
  const toShard = (key: string): number => mixBits(hashText(key)) & (SHARDS - 1)
  return {
    get(key) {
      const at = toShard(key)
      return (own[at] ?? map[at])?.get(key)
    },
    change(key, to) {
      const at = toShard(key)
      const shard = own[at] ?? shardAt(at)
      const value = to(shard.get(key))
      if (value === undefined) shard.delete(key)
      else shard.set(key, value)
    },
    set(key, value) {
      const at = toShard(key)
      const shard = own[at] ?? shardAt(at)
      shard.set(key, value)
    },
    done: () => drafted ?? map,
  }
}
