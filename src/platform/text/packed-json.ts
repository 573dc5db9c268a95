/**
 * The member names of a kind of object, in order. Stored rows reference shapes by number, so shapes never change and
 * new ones are appended.
 */
type Shape = readonly string[]

/**
 * Packs JSON by dropping member names, which are repeated in every object of a kind and make up more than half of its
 * bytes. An object with a known shape becomes `[number of the shape, ...values]` without trailing nulls, and an array
 * `[0, ...elements]`.
 */
type Packer = {
  /** Leaves objects without a known shape as they are. Members must not be undefined. */
  pack(value: object): object
  /** The inverse of packing. Leaves objects that were not packed as they are. */
  unpack(stored: object): object
}

export function createPacker(shapes: readonly Shape[]): Packer {
  const numbers = new Map(shapes.map((names, index) => [names.join('\n'), index + 1]))

  const packed = (value: unknown): unknown => {
    if (Array.isArray(value)) return [0, ...value.map(packed)]
    if (typeof value !== 'object' || value === null) return value
    const members = value as Readonly<Record<string, unknown>>
    const names = Object.keys(members)
    const number = numbers.get(names.join('\n'))
    if (number === undefined) return Object.fromEntries(names.map((name) => [name, packed(members[name])]))
    const values: unknown[] = [number]
    for (const name of names) {
      const member = members[name]
      values.push(typeof member === 'object' ? packed(member) : member)
    }
    while (values.at(-1) === null) values.pop()
    return values
  }

  const unpacked = (stored: unknown): unknown => {
    if (typeof stored !== 'object' || stored === null) return stored
    if (!Array.isArray(stored))
      return Object.fromEntries(Object.entries(stored).map(([name, member]) => [name, unpacked(member)]))
    const [number] = stored as [number]
    if (number === 0) return stored.slice(1).map(unpacked)
    const names = shapes[number - 1]
    if (names === undefined) throw new Error(`there is no shape ${number}`)
    const members: Record<string, unknown> = {}
    for (const [index, name] of names.entries()) {
      const value: unknown = stored[index + 1] ?? null
      members[name] = typeof value === 'object' ? unpacked(value) : value
    }
    return members
  }

  return {
    pack: (value) => {
      const result = packed(value) as object
      return Array.isArray(result) && !Array.isArray(value) ? result : value
    },
    unpack: (stored) => (Array.isArray(stored) ? (unpacked(stored) as object) : stored),
  }
}
