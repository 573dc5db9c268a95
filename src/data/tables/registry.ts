import { type OtherRow, PUBLISHER_TABLES, SERVICE_TABLES, SHARED_TABLES } from './other-tables.ts'
import { USER_TABLES, type UserRow } from './user-tables.ts'

/** A table of the database. */
export type SchemaTable = {
  readonly name: string
  readonly columns: readonly string[]
  /** Columns whose values the database generates. */
  readonly generated: readonly string[]
  /** Columns that cannot hold personal data: IDs, times, whole numbers, flags, enumerated texts, references. */
  readonly impersonal: readonly string[]
  readonly key: readonly string[]
  /** Tables that its foreign keys reference. */
  readonly needs: readonly string[]
}

export type UserTable = SchemaTable & UserRow & { readonly owner: 'user' }
/** A table of the database with its row of the registry. */
export type RegisteredTable =
  | UserTable
  | (SchemaTable & OtherRow & { readonly owner: 'publisher' | 'shared' | 'service' })

const REGISTRY = {
  user: USER_TABLES,
  publisher: PUBLISHER_TABLES,
  shared: SHARED_TABLES,
  service: SERVICE_TABLES,
}

/** Returns the tables that have a row, in the order of the registry. */
export function findRegistered(schema: readonly SchemaTable[]): RegisteredTable[] {
  return Object.entries(REGISTRY).flatMap(([owner, rows]) =>
    Object.entries(rows).flatMap(([name, row]) => {
      const table = schema.find((one) => one.name === name)
      return table === undefined ? [] : [{ ...table, ...row, owner } as RegisteredTable]
    }),
  )
}

export const isUserTable = (table: RegisteredTable): table is UserTable => table.owner === 'user'

export const splitNames = (list = ''): string[] => list.split(' ').filter((name) => name !== '')

// Their values identify nobody in any table.
const IMPERSONAL = ['brand_uid', 'currency', 'kind', 'offer_uid', 'source', 'status', 'type']

/** Returns the columns known to hold nothing personal, and those that the row lists. */
function listDecided({ columns, impersonal, replaced, nulled, set = {}, kept, hidden }: UserTable): string[] {
  const listed = [replaced, nulled, kept, hidden].flatMap(splitNames)
  const decided = new Set([...impersonal, ...IMPERSONAL, ...listed, ...Object.keys(set)])
  return columns.filter((column) => decided.has(column))
}

// Columns of no use to someone reading an archive.
const UNREADABLE = /sealed|hash|fingerprint|sha256|salt/

/** Returns the columns that a user's archive contains. */
export function listArchivedColumns(table: UserTable): string[] {
  const hidden = ['user_id', 'publisher_id', ...splitNames(table.hidden)]
  return listDecided(table)
    .filter((column) => !hidden.includes(column) && !UNREADABLE.test(column))
    .sort()
}

/** Returns the columns that must be equal in both installations after a move. */
export function listComparedColumns({ columns, generated, anew }: RegisteredTable): string[] {
  const differing = [...generated, ...splitNames(anew)]
  return columns.filter((column) => !differing.includes(column))
}

/** Lists where the registry and the database disagree, so that no table or column is overlooked. */
export function findFaults(schema: readonly SchemaTable[]): string[] {
  const rows = Object.values(REGISTRY).flatMap((tables) => Object.keys(tables))
  const tables = findRegistered(schema)
  const sections = tables.filter(isUserTable).flatMap((table) => ('section' in table ? table.section : []))
  return [
    ...schema.filter(({ name }) => !rows.includes(name)).map(({ name }) => `${name} has no row`),
    ...rows.filter((row) => !schema.some(({ name }) => name === row)).map((row) => `there is no table ${row}`),
    ...findRepeated(rows).map((row) => `${row} has two rows`),
    ...findRepeated(sections).map((section) => `two tables are the section ${section}`),
    ...tables.flatMap((table) =>
      [
        ...findOwnerFaults(table),
        ...(isUserTable(table) ? findUserFaults(table) : findOtherFaults(table)),
        ...findUnknown(table, splitNames(table.anew)),
      ].map((fault) => `${table.name} ${fault}`),
    ),
  ]
}

function findRepeated(names: readonly string[]): string[] {
  return names.filter((name, place) => names.indexOf(name) < place)
}

function findUnknown({ columns }: SchemaTable, named: readonly string[]): string[] {
  return named.filter((column) => !columns.includes(column)).map((column) => `has no column ${column}`)
}

function findOwnerFaults({ columns, owner, stays }: RegisteredTable): string[] {
  if (columns.includes('user_id') !== (owner === 'user')) return ['belongs to users if it has a user_id']
  if (columns.includes('publisher_id'))
    return owner === 'user' || owner === 'publisher' ? [] : ['belongs to publishers, because it has a publisher_id']
  return owner === 'user' && stays === undefined ? ['cannot move without a publisher_id'] : []
}

function findUserFaults(table: UserTable): string[] {
  const { columns, impersonal, replaced, nulled, set = {}, kept, hidden, deleted } = table
  const decided = listDecided(table)
  const erased = [...splitNames(replaced), ...splitNames(nulled), ...Object.keys(set)]
  const needless = [...impersonal, ...IMPERSONAL, ...erased, ...splitNames(hidden)]
  // If all rows are deleted and none are in the archive, nothing depends on a column.
  const isGone = deleted !== undefined && 'omitted' in table
  return [
    ...findUnknown(table, [...erased, ...splitNames(kept), ...splitNames(hidden)]),
    ...findRepeated(erased).map((column) => `erases ${column} in two ways`),
    ...columns
      .filter((column) => !isGone && !decided.includes(column))
      .map((column) => `does not say whether ${column} is personal`),
    ...splitNames(kept)
      .filter((column) => needless.includes(column))
      .map((column) => `need not say that ${column} is kept`),
  ]
}

// Columns that may quote or reference a user in tables without a user_id.
const TELLING = /^(after|answer|email|payload|samples|sealed_answer|transaction_id)$/

function findOtherFaults({ columns, needs, personal }: SchemaTable & OtherRow): string[] {
  const isTelling = columns.some((column) => TELLING.test(column)) || needs.some((name) => name in USER_TABLES)
  if (isTelling === (personal !== undefined)) return []
  return [isTelling ? 'does not say how an erasure removes what it reveals about users' : 'reveals nothing about users']
}
