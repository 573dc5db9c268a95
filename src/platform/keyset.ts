import type postgres from 'postgres'
import type { Reader } from './database.ts'

type Fragment = postgres.PendingQuery<postgres.Row[]>

/** A place between two rows of a list: what the row before it is sorted by, as text, and its id; null: the list needs none. */
export type ListPlace = { readonly key: string; readonly id: string | null }
export type Walk = { readonly after: ListPlace | null; readonly descending: boolean; readonly limit: number }
/** `id`: the list is sorted by its id alone; `ordinal`: by a unique integer, so that it needs no id. */
export type KeyType = 'instant' | 'integer' | 'id' | 'ordinal'
/** Rows of a list in its order, and the place from which to go on; null at the end. */
export type Walked<Row> = { readonly rows: readonly Row[]; readonly next: ListPlace | null }

type List = {
  readonly columns: Fragment
  /** One table and the alias that the other parts give it. */
  readonly table: string
  readonly alias: string
  readonly key: { readonly column: Fragment; readonly type: KeyType }
  /** A unique column of UUIDs; null: the key is unique. */
  readonly id: Fragment | null
  /** Conditions that an index answers together with the order. */
  readonly indexed: Fragment
  /** Further conditions, each `and …`, which are looked for among a limited number of rows; null: none. */
  readonly others: Fragment | null
}

// Some 20 ms: looking for what few rows have costs no more than this at once.
const EXAMINED_MAX = 5_000

/**
 * The next rows of a list in a total order. A walk sees each row that stays where it is exactly once, whatever arrives
 * meanwhile. Conditions without an index are looked for among a limited number of rows, so there may be fewer rows than
 * asked for, even none, before the end.
 */
export async function walk<Row extends object>(reader: Reader, list: List, paging: Walk): Promise<Walked<Row>> {
  const wanted = paging.limit + 1
  const rows = (await reader`
    select ${list.columns}, ${keyText(reader, list)} as place_key, ${list.id ?? reader`null`} as place_id
    from (
      select * ${inOrder(reader, list, paging)} limit ${list.others === null ? wanted : EXAMINED_MAX}
    ) as ${reader(list.alias)}
    where true ${list.others ?? reader``}
    ${orderOf(reader, list, paging)}
    limit ${wanted}`) as unknown as (Row & { placeKey: string; placeId: string | null })[]
  const shown = rows.slice(0, paging.limit)
  const last = shown.at(-1)
  const hasMore = rows.length > paging.limit && last !== undefined
  const next = hasMore ? { key: last.placeKey, id: last.placeId } : await endOfExamined(reader, list, paging)
  return { rows: shown, next }
}

async function endOfExamined(reader: Reader, list: List, paging: Walk): Promise<ListPlace | null> {
  if (list.others === null) return null
  const [last] = await reader<ListPlace[]>`
    select ${keyText(reader, list)} as key, ${list.id ?? reader`null`} as id
    ${inOrder(reader, list, paging)}
    offset ${EXAMINED_MAX - 1} limit 1`
  return last ?? null
}

function inOrder(reader: Reader, list: List, paging: Walk): Fragment {
  return reader`
    from ${reader(list.table)} as ${reader(list.alias)}
    where ${list.indexed} ${afterPlace(reader, list, paging)}
    ${orderOf(reader, list, paging)}`
}

function afterPlace(reader: Reader, { key, id }: List, { after, descending }: Walk): Fragment {
  if (after === null) return reader``
  // As text, because the driver would round instants to milliseconds.
  const value = {
    instant: reader`${after.key}::text::timestamptz`,
    integer: reader`${after.key}::text::bigint`,
    ordinal: reader`${after.key}::text::bigint`,
    id: reader`${after.key}::uuid`,
  }[key.type]
  if (id === null) return reader`and ${key.column} ${descending ? reader`<` : reader`>`} ${value}`
  return reader`and (${key.column}, ${id}) ${descending ? reader`<` : reader`>`} (${value}, ${after.id}::uuid)`
}

function orderOf(reader: Reader, { key, id }: List, { descending }: Walk): Fragment {
  const direction = descending ? reader`desc` : reader`asc`
  return id === null
    ? reader`order by ${key.column} ${direction}`
    : reader`order by ${key.column} ${direction}, ${id} ${direction}`
}

function keyText(reader: Reader, { key }: List): Fragment {
  return key.type === 'instant'
    ? reader`to_char(${key.column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
    : reader`${key.column}::text`
}
