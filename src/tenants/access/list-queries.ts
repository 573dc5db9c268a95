import type { Static, TSchema } from 'typebox'
import { addDays, startOfDay } from '../../platform/calendar.ts'
import type { Reader, SqlPart } from '../../platform/db/database.ts'
import { type KeyType, type Walked, walk } from '../../platform/db/keyset.ts'
import { dayField, idField, invalidInput, walkOf } from '../../platform/http/index.ts'
import { userIdOf } from '../../platform/ids.ts'
import { publisherIdIn } from './ids.ts'

type Query = Readonly<Record<string, unknown>>

/** One query parameter of a list, and the condition it adds for a table. */
type ListFilter<Parameter extends TSchema = TSchema> = {
  readonly parameter: Parameter
  /** Applies if the parameter is omitted. */
  readonly defaultValue?: Static<Parameter>
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

/** Selects rows of one publisher. */
export const publisherFilter = {
  publisher_id: {
    parameter: idField('Only results for this publisher.'),
    where: (reader: Reader, table: string, value: string) =>
      reader`${reader(table)}.publisher_id = ${publisherIdIn(value)}`,
  },
} as const

/** Selects rows of one publisher and of one of its users. */
export const userFilters = {
  ...publisherFilter,
  publisher_user_id: {
    parameter: idField('Only for this user; requires publisher_id.'),
    where: (reader: Reader, table: string, value: string, { publisher_id }: Query) => {
      if (typeof publisher_id !== 'string')
        throw invalidInput([{ field: 'publisher_id', code: 'required', message: 'is needed with publisher_user_id' }])
      return reader`${reader(table)}.user_id = ${userIdOf(publisherIdIn(publisher_id), value)}`
    },
  },
} as const

/** Selects rows dated within these days, in UTC. */
export const dayFilters = (column: string, first: string) => ({
  start_date: {
    parameter: dayField(`${first}, inclusive; in UTC.`),
    where: (reader: Reader, table: string, value: string) =>
      reader`${reader(`${table}.${column}`)} >= ${startOfDay(value, 'UTC')}`,
  },
  end_date: {
    parameter: dayField('Last day, inclusive; in UTC.'),
    where: (reader: Reader, table: string, value: string) =>
      reader`${reader(`${table}.${column}`)} < ${startOfDay(addDays(value, 1), 'UTC')}`,
  },
})

/** Declares a list of operators. Its query parameters, SQL and cursors are derived from it. */
export type OperatorList<Row> = {
  readonly table: string
  /** The unique UUID column that breaks ties, as a property of the row. */
  readonly id: keyof Row & string
  readonly columns: (reader: Reader) => SqlPart
  /** The condition that every row of the list meets, if it is not the whole table. */
  readonly only?: (reader: Reader) => SqlPart
  /** The orders and the types of their columns, the default first; `-column` is descending. */
  readonly sorts: Readonly<Record<string, KeyType>>
  readonly filters: Readonly<Record<string, ListFilter>>
}

/** Reads a page of a list. */
export function readList<Row extends object>(
  reader: Reader,
  list: OperatorList<Row>,
  query: Query,
  sort: string,
): Promise<Walked<Row>> {
  const { table, id, columns, only = () => reader`true`, sorts, filters } = list
  const type = sorts[sort] ?? 'instant'
  return walk<Row>(
    reader,
    {
      columns: columns(reader),
      table,
      alias: table,
      key: { column: reader`${reader(`${table}.${sort.replace('-', '')}`)}`, type },
      id: reader`${reader(`${table}.${id}`)}`,
      indexed: reader`${only(reader)} and ${conditionsOn(reader, table, filters, query)}`,
      others: null,
    },
    walkOf(query, sort, type),
  )
}

/** Joins the conditions of all filters that a query uses. */
function conditionsOn(
  reader: Reader,
  table: string,
  filters: Readonly<Record<string, ListFilter>>,
  query: Query,
): SqlPart {
  const conditions = Object.entries(filters).flatMap(([name, { defaultValue, where }]) => {
    const value = query[name] ?? defaultValue
    return value === undefined ? [] : where(reader, table, value as never, query)
  })
  return conditions.reduce((all, one) => reader`${all} and ${one}`, reader`true`)
}
