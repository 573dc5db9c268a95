import type { SqlPart } from '../ledger/index.ts'
import { inBatches } from '../platform/cursor.ts'
import type { Tx } from '../platform/database.ts'
import { encodeId } from '../platform/ids.ts'
import { decimalText } from '../platform/money.ts'
import type { BookRow } from './rules.ts'

// Enough that a statement's fixed cost vanishes.
const BATCH = 1_000

/**
 * A row of a query for one side, ordered by `key`, which begins with a uuid if the thing has a prefix. Amounts are bigints
 * in minor units of `currency`; whatever else is not null is a state or a name.
 */
type SqlRow = {
  readonly key: string
  readonly currency: string | null
  readonly waits?: boolean
} & Readonly<Record<string, bigint | number | string | boolean | null>>

let cursors = 0

/** A name that no other cursor of the transaction has. */
export function nextCursor(): string {
  return `reconciled_${++cursors}`
}

/** Streams a side from the database, beside the other one on the same connection. */
export async function* readRows(tx: Tx, prefix: string | null, query: SqlPart): AsyncGenerator<BookRow> {
  for await (const batch of inBatches<SqlRow>(tx, nextCursor(), BATCH, query)) {
    for (const row of batch) yield rowOf(row, prefix)
  }
}

export function rowOf({ key, currency = null, waits, ...values }: SqlRow, prefix: string | null): BookRow {
  const said = Object.entries(values).flatMap(([name, value]) =>
    value === null ? [] : [[wordsOf(name), textOf(name, value, currency)]],
  )
  return { key: prefix === null ? key : shownKey(prefix, key), values: Object.fromEntries(said), waits: waits === true }
}

// Values that are uuids, and the prefixes by which they are shown.
const PREFIXES: Readonly<Record<string, string>> = { adjustment: 'adj', transaction: 'txn' }

function textOf(name: string, value: bigint | number | string | boolean, currency: string | null): string {
  if (typeof value === 'bigint') return amountOf(value, currency)
  const prefix = PREFIXES[name]
  return prefix === undefined ? String(value) : encodeId(prefix, String(value))
}

/** Uuids keep their order when they are written so. */
function shownKey(prefix: string, key: string): string {
  return encodeId(prefix, key.slice(0, UUID_LENGTH)) + key.slice(UUID_LENGTH)
}
const UUID_LENGTH = 36

/** Nothing is nothing in any currency: where nothing is booked, none is known. */
export function amountOf(minor: bigint, currency: string | null): string {
  return minor === 0n || currency === null ? String(minor) : `${decimalText(minor, currency)} ${currency}`
}

function wordsOf(column: string): string {
  return column.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
