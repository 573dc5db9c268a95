type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array

/**
 * Returns a function that provides a zeroed column for intermediate results, reused across lists. Allocating new ones
 * would make the garbage collector traverse half a million offers for a few hundred kilobytes. A column belongs to its
 * caller only until the next call, so callers must not retain it.
 */
export function reusedColumn<Kind extends Column>(make: (length: number) => Kind): (length: number) => Kind {
  let column = make(0)
  return (length) => {
    if (column.length < length) column = make(length)
    // A subarray has the same type as its column.
    return column.subarray(0, length).fill(0) as Kind
  }
}
