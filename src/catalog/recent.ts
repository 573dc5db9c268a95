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

/** What was lately made of an owner under a key; all of it goes with its owner. */
export function createRecentOf<Owner extends object, Value>(max: number) {
  const owners = new WeakMap<Owner, Recent<string, Value>>()
  return (owner: Owner, key: string, make: () => Value): Value => {
    let values = owners.get(owner)
    if (values === undefined) {
      values = createRecent(max)
      owners.set(owner, values)
    }
    const known = values.get(key)
    if (known !== undefined) return known
    const made = make()
    values.set(key, made)
    return made
  }
}
