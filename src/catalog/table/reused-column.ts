type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array

/**
 * A zeroed column for intermediate results, used again by each list. Fresh columns would make the garbage collector go
 * through half a million offers for a few hundred kilobytes. A column belongs to its caller until the next call, so
 * nothing may be kept in it.
 */
export function reusedColumn<Kind extends Column>(make: (length: number) => Kind): (length: number) => Kind {
  let column = make(0)
  return (length) => {
    if (column.length < length) column = make(length)
    // A part of a column has the type of the column.
    return column.subarray(0, length).fill(0) as Kind
  }
}
