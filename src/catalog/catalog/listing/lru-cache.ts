/** Evicts the least recently used entries once it exceeds a limit. */
type LruCache<Key, Value> = {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
  getOrMake(key: Key, make: () => Value): Value
}

/** A second limit, for values that vary widely in size. */
type Weight<Value> = { readonly of: (value: Value) => number; readonly max: number }
const weightless: Weight<unknown> = { of: () => 0, max: 0 }

export function createLruCache<Key, Value>(max: number, weight: Weight<Value> = weightless): LruCache<Key, Value> {
  const entries = new Map<Key, Value>()
  let weighs = 0
  const forget = (key: Key): void => {
    const value = entries.get(key)
    if (value !== undefined && entries.delete(key)) weighs -= weight.of(value)
  }
  const cache: LruCache<Key, Value> = {
    get: (key) => {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set: (key, value) => {
      forget(key)
      entries.set(key, value)
      weighs += weight.of(value)
      for (const oldest of entries.keys()) {
        if (entries.size <= max && weighs <= weight.max) break
        forget(oldest)
      }
    },
    getOrMake: (key, make) => {
      const known = cache.get(key)
      if (known !== undefined) return known
      const made = make()
      cache.set(key, made)
      return made
    },
  }
  return cache
}

/** Creates a cache per owner, which is garbage-collected along with the owner. */
export function createCacheByOwner<Owner extends object, Value>(max: number, weight?: Weight<Value>) {
  const owners = new WeakMap<Owner, LruCache<string, Value>>()
  return (owner: Owner, key: string, make: () => Value): Value => {
    let values = owners.get(owner)
    if (values === undefined) {
      values = createLruCache(max, weight)
      owners.set(owner, values)
    }
    return values.getOrMake(key, make)
  }
}
