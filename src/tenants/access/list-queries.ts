import type { Static, TSchema } from 'typebox'
import { addDays, startOfDay } from '../../platform/calendar.ts'
import type { Reader, SqlPart } from '../../platform/db/database.ts'
import { type CursorRows, type KeyType, readMergedRows, readRowsAfter } from '../../platform/db/keyset.ts'
import { buildCursorPage, dayField, idField, invalidInput, readCursorQuery } from '../../platform/http/index.ts'
import { toUserId } from '../../platform/ids.ts'
import { parsePublisherId } from './ids.ts'

type Query = Readonly<Record<string, unknown>>

/** A query parameter of a list, and the condition that it adds to the table's query. */
type ListFilter<Parameter extends TSchema = TSchema> = {
  readonly parameter: Parameter
  /** The value used if the parameter is omitted. */
  readonly defaultValue?: Static<Parameter>
  /** Set if no index serves both the condition and the sort order. A page then checks a limited number of rows. */
  readonly unindexed?: true | ((query: Query) => boolean)
  readonly where: (reader: Reader, table: string, value: never, query: Query) => SqlPart
}

/** Selects rows whose column equals the parameter. */
export function equals<Parameter extends TSchema>(
  column: string,
  parameter: Parameter,
  defaultValue?: Static<Parameter>,
): ListFilter<Parameter> {
  return {
    parameter,
    ...(defaultValue === undefined ? {} : { defaultValue }),
    where: (reader, table, value) => reader`${reader(`${table}.${column}`)} = ${value}`,
  }
}

/** Marks a condition that no index serves together with a sort order. */
export const unindexed = <Filter extends ListFilter>(filter: Filter) => ({ ...filter, unindexed: true as const })

/** Selects rows of one publisher. */
export const publisherFilter = {
  publisher_id: {
    parameter: idField('Only results for this publisher.'),
    where: (reader: Reader, table: string, value: string) =>
      reader`${reader(table)}.publisher_id = ${parsePublisherId(value)}`,
  },
} as const

/**
 * Returns a parameter that another parameter requires.
 * @throws Problem invalid_input naming the missing parameter
 */
export function requiredIn(query: Query, field: string, message: string): string {
  const value = query[field]
  if (typeof value !== 'string') throw invalidInput([{ field, code: 'required', message }])
  return value
}

/** Selects rows by publisher and by user. */
export const userFilters = {
  ...publisherFilter,
  publisher_user_id: {
    parameter: idField('Only for this user; requires publisher_id.'),
    where: (reader: Reader, table: string, value: string, query: Query) => {
      const publisherId = parsePublisherId(requiredIn(query, 'publisher_id', 'is required with publisher_user_id'))
      return reader`${reader(table)}.user_id = ${toUserId(publisherId, value)}`
    },
  },
} as const

/** Marks a condition that an index serves only if the list is sorted by this column. */
export const exceptSortedBy =
  (column: string) =>
  ({ sort }: Query): boolean =>
    String(sort).replace('-', '') !== column

/** Selects rows within a range of days, in UTC. */
export const dayFilters = (column: string, first: string) => ({
  start_date: {
    parameter: dayField(`${first}, inclusive; in UTC.`),
    unindexed: exceptSortedBy(column),
    where: (reader: Reader, table: string, value: string) =>
      reader`${reader(`${table}.${column}`)} >= ${startOfDay(value, 'UTC')}`,
  },
  end_date: {
    parameter: dayField('Last day, inclusive; in UTC.'),
    unindexed: exceptSortedBy(column),
    where: (reader: Reader, table: string, value: string) =>
      reader`${reader(`${table}.${column}`)} < ${startOfDay(addDays(value, 1), 'UTC')}`,
  },
})

/**
 * The type of the column that an order sorts by, the column's name if it differs from the order's, and the parameter
 * that the order requires, if any.
 */
type Sort = KeyType | { readonly type: KeyType; readonly column: string; readonly requires?: string }

/** Declares a list for operators, from which its query parameters, SQL and cursors are derived. */
export type OperatorList<Row> = {
  readonly table: string
  /** The source of the rows, aliased to the table's name, if it is not the table itself. */
  readonly from?: (reader: Reader, query: Query) => SqlPart
  /** The unique UUID column that breaks ties, as a property of the row; null if each sort column is unique. */
  readonly id: (keyof Row & string) | null
  readonly columns: (reader: Reader) => SqlPart
  /** The condition that every row of the list must meet, if the list is only part of the table. */
  readonly only?: (reader: Reader) => SqlPart
  /** The part of `only` that no index serves. A page then checks a limited number of rows. */
  readonly unindexed?: (reader: Reader) => SqlPart
  /** The sort orders, starting with the default; `-name` is descending. */
  readonly sorts: Readonly<Record<string, Sort>>
  readonly filters: Readonly<Record<string, ListFilter>>
  /** Another table whose rows are merged into the list in the same order. */
  readonly mergedWith?: Pick<OperatorList<Row>, 'table' | 'from' | 'id' | 'columns'>
}

/** Reads a page of a list. */
export function readList<Row extends object>(
  reader: Reader,
  list: OperatorList<Row>,
  query: Query,
  sort: string,
): Promise<CursorRows<Row>> {
  const { mergedWith, ...first } = list
  const { type, column, requires } = sortedBy(sort, list.sorts[sort] ?? 'instant')
  if (requires !== undefined) requiredIn(query, requires, `is required to sort by ${column}`)
  const paging = readCursorQuery(query, sort, type)
  const select = (part: OperatorList<Row>) => selectFrom(reader, part, { ...query, sort }, { type, column })
  if (mergedWith === undefined) return readRowsAfter<Row>(reader, select(first), paging)
  return readMergedRows<Row>(reader, [select(first), select({ ...first, ...mergedWith })], paging)
}

function selectFrom<Row>(
  reader: Reader,
  list: OperatorList<Row>,
  query: Query,
  { type, column }: Exclude<Sort, KeyType>,
): Parameters<typeof readRowsAfter>[1] {
  const { table, from, id, columns, only, unindexed } = list
  const indexed = conditionsOn(reader, list, query, true)
  const checked = conditionsOn(reader, list, query, false)
  if (only !== undefined) indexed.push(only(reader))
  if (unindexed !== undefined) checked.push(unindexed(reader))
  return {
    columns: columns(reader),
    table: from?.(reader, query) ?? table,
    alias: table,
    key: { column: reader`${reader(`${table}.${column}`)}`, type },
    id: id === null ? null : reader`${reader(`${table}.${id}`)}`,
    indexed: all(reader, indexed),
    others: checked.length === 0 ? null : reader`and ${all(reader, checked)}`,
  }
}

/** Reads the first rows of a list, paging as needed. */
export async function readFirstRows<Row extends object>(
  reader: Reader,
  list: OperatorList<Row>,
  query: Query,
  { sort, limit }: { readonly sort: string; readonly limit: number },
): Promise<Row[]> {
  const rows: Row[] = []
  for (let from = {}; ; ) {
    const found = await readList(reader, list, { ...query, ...from, limit: limit - rows.length }, sort)
    rows.push(...found.rows)
    const { next_cursor: cursor } = buildCursorPage(found, sort, (row) => row)
    if (cursor === null || rows.length === limit) return rows
    from = { cursor }
  }
}

function sortedBy(name: string, sort: Sort): Exclude<Sort, KeyType> {
  return typeof sort === 'string' ? { type: sort, column: name.replace('-', '') } : sort
}

/** Returns the conditions of the filters that a query uses: either those served by an index, or all the others. */
function conditionsOn<Row>(
  reader: Reader,
  { table, filters }: OperatorList<Row>,
  query: Query,
  isIndexed: boolean,
): SqlPart[] {
  return Object.entries(filters).flatMap(([name, { defaultValue, unindexed, where }]) => {
    const value = query[name] ?? defaultValue
    const isChecked = typeof unindexed === 'function' ? unindexed(query) : unindexed === true
    const isUsed = value !== undefined && isIndexed !== isChecked
    return isUsed ? where(reader, table, value as never, query) : []
  })
}

function all(reader: Reader, conditions: readonly SqlPart[]): SqlPart {
  return conditions.reduce((joined, one) => reader`${joined} and ${one}`, reader`true`)
}
