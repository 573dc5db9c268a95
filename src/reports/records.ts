/** Where the values of a row lie in its bytes, in the order of its columns. A length of -1 means null. */
export type Places = { readonly starts: Int32Array; readonly lengths: Int32Array }

export function createPlaces(columns: number): Places {
  return { starts: new Int32Array(columns), lengths: new Int32Array(columns) }
}

// Before all values stands their number, before each value its type and its length, four bytes each.
const COUNT_BYTES = 4
const TYPE_BYTES = 4
const LENGTH_BYTES = 4

/**
 * Finds the values of a row as PostgreSQL sends it in binary (record_send). A row of many columns is one value that way,
 * which both sides make and take in a fraction of the time of as many texts.
 */
export function findPlaces(record: Buffer, { starts, lengths }: Places): void {
  if (record.readInt32BE(0) !== starts.length) throw new Error('the row has other columns than were asked for')
  let at = COUNT_BYTES
  for (let column = 0; column < starts.length; column++) {
    at += TYPE_BYTES
    const length = record.readInt32BE(at)
    at += LENGTH_BYTES
    starts[column] = at
    lengths[column] = length
    if (length > 0) at += length
  }
}
