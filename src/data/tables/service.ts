import type { Reader } from '../../platform/db/database.ts'
import { readSchema } from './queries.ts'
import { findFaults, findRegistered, isUserTable, type RegisteredTable, type UserTable } from './registry.ts'

/** Lists the tables with a user_id, in the order of the archive's sections. */
export async function listUserTables(reader: Reader): Promise<UserTable[]> {
  return findRegistered(await readSchema(reader)).filter(isUserTable)
}

/**
 * Lists the tables that move with their publisher, each after the tables that it references.
 * @throws Error if the registry and the database disagree, so that nothing is left behind
 */
export async function listMovingTables(reader: Reader): Promise<RegisteredTable[]> {
  const schema = await readSchema(reader)
  const [fault] = findFaults(schema)
  if (fault !== undefined) throw new Error(`${fault}: correct src/data/tables`)
  const moving = findRegistered(schema).filter(({ stays }) => stays === undefined)
  const ordered: RegisteredTable[] = []
  const place = (table: RegisteredTable): void => {
    if (ordered.includes(table)) return
    for (const needed of moving.filter(({ name }) => table.needs.includes(name))) place(needed)
    ordered.push(table)
  }
  for (const table of moving) place(table)
  return ordered
}
