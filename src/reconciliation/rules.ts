/** What one side says about a thing: amounts with their currency, states, names. */
export type Values = Readonly<Record<string, string>>

export type BookRow = {
  /** The thing's own name, by which both sides are ordered, as JavaScript compares texts. */
  readonly key: string
  readonly values: Values
  /** It is under way, so the other side need not know it yet. */
  readonly waits?: boolean
}

/** A thing about which the sides disagree. Null: this side does not know it. Otherwise the values that differ. */
export type RowDifference = { readonly key: string; readonly left: Values | null; readonly right: Values | null }

/** What two sides say about a thing: the same, the same or not yet because it is under way, or something else. */
type RowVerdict = 'equal' | 'waiting' | RowDifference

/** Two sides in the order of their keys, thing by thing, in memory for one of each. */
export async function* compareSides(
  left: AsyncIterable<BookRow> | Iterable<BookRow>,
  right: AsyncIterable<BookRow> | Iterable<BookRow>,
): AsyncGenerator<RowVerdict> {
  const [ones, others] = [readerOf(left), readerOf(right)]
  let [one, other] = [await ones(), await others()]
  while (one !== null || other !== null) {
    const isOne = one !== null && (other === null || one.key <= other.key)
    const isOther = other !== null && (one === null || other.key <= one.key)
    yield verdictOn(isOne ? one : null, isOther ? other : null)
    if (isOne) one = await ones()
    if (isOther) other = await others()
  }
}

/** Reads row by row; null at the end. */
function readerOf(rows: AsyncIterable<BookRow> | Iterable<BookRow>): () => Promise<BookRow | null> {
  const iterator = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]()
  let last: string | null = null
  return async () => {
    const next = await iterator.next()
    if (next.done) return null
    const { key } = next.value
    // Out of order, one thing would be shown as two that the other side lacks.
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

/** The rows of a file and what it is compared with, in order. */
export function inOrder(rows: readonly BookRow[]): BookRow[] {
  return rows.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
}
