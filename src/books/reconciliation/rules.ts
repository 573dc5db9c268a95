/** One side's values for a record: amounts with their currency, statuses and names. */
export type Values = Readonly<Record<string, string>>

export type BookRow = {
  /** The record's unique key. Both sides are ordered by key, in JavaScript string order. */
  readonly key: string
  readonly values: Values
  /** True if the record is in progress, so the other side need not have it yet. */
  readonly waits?: boolean
}

/**
 * A record that differs between the sides. A side is null if it lacks the record, and otherwise contains its differing
 * values.
 */
export type RowDifference = { readonly key: string; readonly left: Values | null; readonly right: Values | null }

/** The verdict on a record: equal, still in progress without a contradiction, or different. */
type RowVerdict = 'equal' | 'waiting' | RowDifference

/** Compares two sides in key order, holding one record of each in memory. */
export async function* compareSides(
  left: AsyncIterable<BookRow> | Iterable<BookRow>,
  right: AsyncIterable<BookRow> | Iterable<BookRow>,
): AsyncGenerator<RowVerdict> {
  const [ones, others] = [createRowReader(left), createRowReader(right)]
  let [one, other] = [await ones(), await others()]
  while (one !== null || other !== null) {
    const isOne = one !== null && (other === null || one.key <= other.key)
    const isOther = other !== null && (one === null || other.key <= one.key)
    yield verdictOn(isOne ? one : null, isOther ? other : null)
    if (isOne) one = await ones()
    if (isOther) other = await others()
  }
}

/** Returns a function that reads row by row and returns null at the end. */
function createRowReader(rows: AsyncIterable<BookRow> | Iterable<BookRow>): () => Promise<BookRow | null> {
  const iterator = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]()
  let last: string | null = null
  return async () => {
    const next = await iterator.next()
    if (next.done) return null
    const { key } = next.value
    // If rows were out of order, one record would be reported twice, as missing on each side.
    if (last !== null && key <= last) throw new Error(`${key} does not follow ${last}`)
    last = key
    return next.value
  }
}

function verdictOn(left: BookRow | null, right: BookRow | null): RowVerdict {
  const waits = left?.waits === true || right?.waits === true
  if (left === null || right === null)
    return waits
      ? 'waiting'
      : { key: (left ?? right)?.key ?? '', left: left?.values ?? null, right: right?.values ?? null }
  const names = [...new Set([...Object.keys(left.values), ...Object.keys(right.values)])]
  const differing = names.filter((name) => left.values[name] !== right.values[name])
  if (differing.length === 0) return waits ? 'waiting' : 'equal'
  return { key: left.key, left: only(left.values, differing), right: only(right.values, differing) }
}

function only(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])))
}

/** Sorts the rows of a file, or of the side it is compared with, by key. */
export function sortRows(rows: readonly BookRow[]): BookRow[] {
  return rows.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
}
