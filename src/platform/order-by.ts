import type postgres from 'postgres'
import type { Reader } from './database.ts'
import type { SortField } from './http/index.ts'

type Fragment = postgres.PendingQuery<postgres.Row[]>

/** The terms of an `order by`: the sort fields, then the unique field in the direction of the last one. */
export function orderBy<Name extends string>(
  reader: Reader,
  columns: Readonly<Record<Name, Fragment>>,
  fields: readonly SortField<Name>[],
  unique: NoInfer<Name>,
): Fragment {
  const last = { field: unique, descending: fields.at(-1)?.descending === true }
  const terms = [...fields, last].map(
    ({ field, descending }) => reader`${columns[field]} ${descending ? reader`desc` : reader`asc`}`,
  )
  return terms.reduce((all, one) => reader`${all}, ${one}`)
}
