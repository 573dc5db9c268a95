/**
 * The registry of all tables: who owns each one, which columns are personal, what an erasure does to them, and how the
 * table moves with its publisher. Guarantees that neither erasure nor export overlooks a table or column, because a
 * test compares the registry with the database.
 */
export {
  listArchivedColumns,
  listComparedColumns,
  type RegisteredTable,
  splitNames,
  type UserTable,
} from './registry.ts'
export { listMovingTables, listUserTables } from './service.ts'
