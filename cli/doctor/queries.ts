import type { Reader } from '../../src/platform/db/database.ts'

export async function getServerVersion(reader: Reader): Promise<string> {
  const [row] = await reader<{ version: string }[]>`select current_setting('server_version') as version`
  return row?.version ?? ''
}

/** Empty if the database was never migrated. */
export async function listAppliedMigrations(reader: Reader): Promise<number[]> {
  const [table] = await reader<{ present: boolean }[]>`select to_regclass('schema_migrations') is not null as present`
  if (table?.present !== true) return []
  const rows = await reader<{ number: number }[]>`select number from schema_migrations order by number`
  return rows.map((row) => row.number)
}

/** True if this account could change booked rows by disabling the triggers that protect them. */
export async function ownsBooks(reader: Reader): Promise<boolean> {
  const [row] = await reader<{ owns: boolean }[]>`
    select pg_has_role(relowner, 'member') as owns from pg_class where oid = 'journals'::regclass`
  return row?.owns === true
}
