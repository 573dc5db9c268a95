import type { Reader, SqlPart } from '../../db/database.ts'
import type { Paging, SortField } from '../index.ts'

/**
 * Builds the clauses that select a page: sorted by the requested fields, or by `byDefault` if there are none, then by a
 * unique column in the direction of the last field.
 */
export function buildPageClauses<Name extends string>(
  reader: Reader,
  columns: Readonly<Record<Name, SqlPart>>,
  { sort, size, offset }: Paging<Name>,
  byDefault: SortField<NoInfer<Name>>,
  unique: SqlPart,
): SqlPart {
  const term = (column: SqlPart, { descending }: SortField<Name>) =>
    reader`${column} ${descending ? reader`desc` : reader`asc`}`
  const fields = sort.length === 0 ? [byDefault] : sort
  const terms = fields.map((one) => term(columns[one.field], one))
  const order = [...terms, term(unique, fields.at(-1) ?? byDefault)].reduce((all, one) => reader`${all}, ${one}`)
  return reader`order by ${order} limit ${size} offset ${offset}`
}
