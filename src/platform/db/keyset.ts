import { compare } from '../compare.ts'
import type { Reader, SqlPart } from './database.ts'

/**
 * A position between two rows of a list: the sort key of the row before it, as text, and that row's id; the id is null
 * if the key is unique.
 */
export type ListPlace = { readonly key: string; readonly id: string | null }
export type CursorPaging = { readonly after: ListPlace | null; readonly descending: boolean; readonly limit: number }
/** `id`: sorted only by ID. `ordinal`: sorted by a unique integer, so no ID is needed to break ties. */
export type KeyType = 'instant' | 'day' | 'month' | 'text' | 'integer' | 'id' | 'ordinal'
/** Rows in list order, and the position to continue from, which is null at the end. */
export type CursorRows<Row> = { readonly rows: readonly Row[]; readonly next: ListPlace | null }

type List = {
  readonly columns: SqlPart
  /** The table or a subquery, and the alias by which the other parts refer to it. */
  readonly table: string | SqlPart
  readonly alias: string
  readonly key: { readonly column: SqlPart; readonly type: KeyType }
  /** A unique UUID column that breaks ties; null if the key is unique. */
  readonly id: SqlPart | null
  /** Conditions that select few rows, or that an index covers together with the sort order. */
  readonly indexed: SqlPart
  /**
   * Additional conditions, each starting with `and`, that are checked on a limited number of rows; null if there are
   * none.
   */
  readonly others: SqlPart | null
}

type Placed = { readonly placeKey: string; readonly placeId: string | null }

// Examining this many rows takes about 20 ms. Caps the cost of a page when few rows match.
const EXAMINED_MAX = 5_000

/**
 * Returns the next rows of a list in a total order. Rows that keep their position are seen exactly once, no matter what
 * is inserted between two pages. Conditions without an index are checked on a limited number of rows, so a page may have
 * fewer rows than requested, or none, before the end.
 */
export async function readRowsAfter<Row extends object>(
  reader: Reader,
  list: List,
  paging: CursorPaging,
): Promise<CursorRows<Row>> {
  const wanted = paging.limit + 1
  // The end is read first, so that rows inserted or deleted in the meantime cannot move it.
  const end = await findExaminedEnd(reader, list, paging)
  const rows = (await reader`
    select ${list.columns}, ${keyText(reader, list)} as place_key, ${list.id ?? reader`null`} as place_id
    from (
      select * ${inOrder(reader, list, paging, end)} ${list.others === null ? reader`limit ${wanted}` : reader``}
    ) as ${reader(list.alias)}
    where true ${list.others ?? reader``}
    ${buildOrder(reader, list, paging)}
    limit ${wanted}`) as unknown as (Row & Placed)[]
  const shown = rows.slice(0, paging.limit)
  const last = shown.at(-1)
  const hasMore = rows.length > paging.limit && last !== undefined
  return { rows: shown, next: hasMore ? { key: last.placeKey, id: last.placeId } : end }
}

/**
 * Merges several lists into one and returns its next rows, as `readRowsAfter` does. The keys must be instants or days,
 * because those sort correctly as text.
 */
export async function readMergedRows<Row extends object>(
  reader: Reader,
  lists: readonly List[],
  paging: CursorPaging,
): Promise<CursorRows<Row>> {
  const parts = await Promise.all(lists.map((list) => readRowsAfter<Row & Placed>(reader, list, paging)))
  const inOrder = (a: string, b: string) => (paging.descending ? compare(b, a) : compare(a, b))
  const rows = parts
    .flatMap((part) => part.rows)
    .map((row) => ({ row, place: { key: row.placeKey, id: row.placeId } }))
    .sort((a, b) => inOrder(placeText(a.place), placeText(b.place)))
  // Lists that were not read to the end may have more rows after this position, so rows of other lists beyond it have
  // to wait for the next page.
  const [end = null] = parts.flatMap(({ next }) => next ?? []).sort((a, b) => inOrder(placeText(a), placeText(b)))
  const certain = end === null ? rows : rows.filter(({ place }) => inOrder(placeText(place), placeText(end)) <= 0)
  const shown = certain.slice(0, paging.limit)
  const isCut = certain.length > shown.length
  return { rows: shown.map(({ row }) => row), next: isCut ? (shown.at(-1)?.place ?? null) : end }
}

function placeText({ key, id }: ListPlace): string {
  return `${key} ${id}`
}

/** Returns the last row examined for a page whose conditions have no index; null at the end of the list. */
async function findExaminedEnd(reader: Reader, list: List, paging: CursorPaging): Promise<ListPlace | null> {
  if (list.others === null) return null
  const [last] = await reader<ListPlace[]>`
    select ${keyText(reader, list)} as key, ${list.id ?? reader`null`} as id
    ${inOrder(reader, list, paging, null)}
    offset ${EXAMINED_MAX - 1} limit 1`
  return last ?? null
}

/** Selects the rows after the previous page, up to `end` if there is one. */
function inOrder(reader: Reader, list: List, paging: CursorPaging, end: ListPlace | null): SqlPart {
  const { after, descending } = paging
  return reader`
    from ${typeof list.table === 'string' ? reader(list.table) : list.table} as ${reader(list.alias)}
    where ${list.indexed}
      ${after === null ? reader`` : comparePlace(reader, list, descending ? reader`<` : reader`>`, after)}
      ${end === null ? reader`` : comparePlace(reader, list, descending ? reader`>=` : reader`<=`, end)}
    ${buildOrder(reader, list, paging)}`
}

function comparePlace(reader: Reader, { key, id }: List, operator: SqlPart, place: ListPlace): SqlPart {
  // Passed as text, because the driver would round instants to milliseconds.
  const value = {
    instant: reader`${place.key}::text::timestamptz`,
    day: reader`${place.key}::text::date`,
    month: reader`${place.key}::text`,
    text: reader`${place.key}::text`,
    integer: reader`${place.key}::text::bigint`,
    ordinal: reader`${place.key}::text::bigint`,
    id: reader`${place.key}::uuid`,
  }[key.type]
  if (id === null) return reader`and ${key.column} ${operator} ${value}`
  return reader`and (${key.column}, ${id}) ${operator} (${value}, ${place.id}::uuid)`
}

function buildOrder(reader: Reader, { key, id }: List, { descending }: CursorPaging): SqlPart {
  const direction = descending ? reader`desc` : reader`asc`
  return id === null
    ? reader`order by ${key.column} ${direction}`
    : reader`order by ${key.column} ${direction}, ${id} ${direction}`
}

function keyText(reader: Reader, { key }: List): SqlPart {
  return key.type === 'instant'
    ? reader`to_char(${key.column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
    : reader`${key.column}::text`
}
