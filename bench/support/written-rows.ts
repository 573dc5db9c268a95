import type { Database } from '../../src/platform/db/database.ts'

/**
 * The rows that one transaction wrote to some tables, stored as array literals. One `insert … select from unnest(…)`
 * per table writes the same rows to another database, with nothing left to compute.
 */
export type WrittenRows = readonly Written[]
type Written = { readonly statement: string; readonly columns: readonly (string | null)[] }

/** Describes how a table's rows are found and written again, either as new rows or by changing existing ones. */
export type Table = { readonly name: string; readonly byUser: boolean; readonly changedBy?: readonly string[] }
type Column = { readonly name: string; readonly type: string }

export async function readColumns(db: Database, tables: readonly Table[]): Promise<ReadonlyMap<string, Column[]>> {
  const rows = await db.reader<(Column & { table: string })[]>`
    -- all publishers: the catalog of columns
    select attrelid::regclass::text as table, attname as name, format_type(atttypid, atttypmod) as type
    from pg_attribute
    where attrelid = any(${tables.map((table) => table.name)}::text[]::regclass[]) and attnum > 0 and not attisdropped and attidentity = ''
    order by attnum`
  return Map.groupBy(rows, (row) => row.table)
}

/** Returns the last transaction that wrote to a table. */
export async function readLastWriter(db: Database, table: string): Promise<string> {
  const rows = await db.reader.unsafe<{ writer: string }[]>(
    `select xmin::text as writer from ${table} order by xmin::text::int8 desc limit 1`,
  )
  return rows[0]?.writer ?? ''
}

export async function readWritten(
  db: Database,
  tables: readonly Table[],
  columns: ReadonlyMap<string, readonly Column[]>,
  writer: string,
  userIds: readonly string[],
): Promise<WrittenRows> {
  const written: Written[] = []
  for (const table of tables) {
    const own = columns.get(table.name) ?? []
    const picked = own.map(
      (column, index) =>
        `array_agg(${isArray(column) ? `t.${column.name}::text` : `t.${column.name}`} order by t.ctid)::text as c${index}`,
    )
    // Looks up one user at a time, because full scans would push the tables through the cache every time.
    const from = table.byUser
      ? `unnest($2::uuid[]) as given (user_id) cross join lateral (select *, ctid, xmin from ${table.name} where user_id = given.user_id offset 0) as t`
      : `${table.name} as t`
    const parameters = table.byUser ? [writer, [...userIds]] : [writer]
    const [row] = await db.reader.unsafe<Record<string, string | null>[]>(
      `select ${picked.join(', ')} from ${from} where t.xmin::text = $1`,
      parameters,
    )
    const values = own.map((_, index) => row?.[`c${index}`] ?? null)
    if (values[0] !== null) written.push({ statement: statementFor(table, own), columns: values })
  }
  return written
}

export async function writeRows(db: Database, rows: WrittenRows): Promise<void> {
  await db.transaction(async (tx) => {
    for (const { statement, columns } of rows) await tx.unsafe(statement, [...columns], { prepare: true })
  })
}

/**
 * True for an array column. Its values are sent as text, because PostgreSQL has no arrays of arrays with different
 * lengths.
 */
function isArray({ type }: Column): boolean {
  return type.endsWith('[]')
}

function statementFor({ name, changedBy }: Table, columns: readonly Column[]): string {
  const names = columns.map((column) => column.name).join(', ')
  const given = columns
    .map((column, index) => `$${index + 1}::text::${isArray(column) ? 'text' : column.type}[]`)
    .join(', ')
  const values = columns.map((column) => (isArray(column) ? `${column.name}::${column.type}` : column.name)).join(', ')
  if (changedBy === undefined)
    return `insert into ${name} (${names}) select ${values} from unnest(${given}) as given (${names})`
  const set = columns.filter((column) => !changedBy.includes(column.name)).map(({ name }) => `${name} = given.${name}`)
  const found = changedBy.map((key) => `t.${key} = given.${key}`).join(' and ')
  return `update ${name} as t set ${set.join(', ')} from unnest(${given}) as given (${names}) where ${found}`
}
