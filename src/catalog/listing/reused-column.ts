type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array

/**
 * A column to reckon in, zeroed, and used again for each list: what is made anew for every request, the collector has to look for
 * among half a million offers. It belongs to its asker until the next one asks, so nothing may be kept in it.
 */
export function reusedColumn<Kind extends Column>(make: (length: number) => Kind): (length: number) => Kind {
  let column = make(0)
  return (length) => {
    if (column.length < length) column = make(length)
    // The part of a column of one kind is of that kind.
    return column.subarray(0, length).fill(0) as Kind
  }
}
