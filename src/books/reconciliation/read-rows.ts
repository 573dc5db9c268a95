import { inBatches } from '../../platform/db/cursor.ts'
import type { SqlPart, Tx } from '../../platform/db/database.ts'
import { encodeId } from '../../platform/ids.ts'
import { formatDecimal } from '../../platform/money.ts'
import type { BookRow } from './rules.ts'

// Large enough that the fixed cost per fetch is negligible.
const BATCH = 1_000

/**
 * A row of the query for one side. The query orders rows by `key`, which begins with a UUID if the record's IDs have a
 * prefix. Bigints are amounts in minor units of `currency`. Any other non-null value is a status or a name.
 */
type SqlRow = {
  readonly key: string
  readonly currency: string | null
  readonly waits?: boolean
} & Readonly<Record<string, bigint | number | string | boolean | null>>

let cursors = 0

/** Returns a cursor name that is unique in the transaction. */
export function nextCursor(): string {
  return `reconciled_${++cursors}`
}

/** Streams one side from the database. Both sides can be read alternately on the same connection. */
export async function* readRows(tx: Tx, prefix: string | null, query: SqlPart): AsyncGenerator<BookRow> {
  for await (const batch of inBatches<SqlRow>(tx, nextCursor(), BATCH, query)) {
    for (const row of batch) yield toBookRow(row, prefix)
  }
}

export function toBookRow({ key, currency = null, waits, ...values }: SqlRow, prefix: string | null): BookRow {
  const said = Object.entries(values).flatMap(([name, value]) =>
    value === null ? [] : [[toWords(name), toText(name, value, currency)]],
  )
  return { key: prefix === null ? key : shownKey(prefix, key), values: Object.fromEntries(said), waits: waits === true }
}

// The columns with UUIDs, and the prefixes of their IDs.
const PREFIXES: Readonly<Record<string, string>> = { adjustment: 'adj', transaction: 'txn' }

function toText(name: string, value: bigint | number | string | boolean, currency: string | null): string {
  if (typeof value === 'bigint') return formatAmount(value, currency)
  const prefix = PREFIXES[name]
  return prefix === undefined ? String(value) : encodeId(prefix, String(value))
}

/** Formats the key. Encoding the UUID preserves the order of the keys. */
function shownKey(prefix: string, key: string): string {
  return encodeId(prefix, key.slice(0, UUID_LENGTH)) + key.slice(UUID_LENGTH)
}
const UUID_LENGTH = 36

/** Formats an amount. Zero is written without a currency, because a side without bookings has none. */
export function formatAmount(minor: bigint, currency: string | null): string {
  return minor === 0n || currency === null ? String(minor) : `${formatDecimal(minor, currency)} ${currency}`
}

function toWords(column: string): string {
  return column.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
