/** Remembers what was asked for lately: beyond the bound, the entry that was asked for longest ago is forgotten. */
export type Recent<Key, Value> = { get(key: Key): Value | undefined; set(key: Key, value: Value): void }

export function createRecent<Key, Value>(max: number): Recent<Key, Value> {
  const entries = new Map<Key, Value>()
  return {
    get: (key) => {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set: (key, value) => {
      entries.delete(key)
      entries.set(key, value)
      for (const oldest of entries.keys()) {
        if (entries.size <= max) break
        entries.delete(oldest)
      }
    },
  }
}
