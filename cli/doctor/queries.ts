import type { Reader } from '../../src/platform/database.ts'

export async function getServerVersion(reader: Reader): Promise<string> {
  const [row] = await reader<{ version: string }[]>`select current_setting('server_version') as version`
  return row?.version ?? ''
}

/** Empty when the database has not been migrated at all. */
export async function listAppliedMigrations(reader: Reader): Promise<number[]> {
  const [table] = await reader<{ present: boolean }[]>`select to_regclass('schema_migrations') is not null as present`
  if (table?.present !== true) return []
  const rows = await reader<{ number: number }[]>`select number from schema_migrations order by number`
  return rows.map((row) => row.number)
}

/** Whether this account could change what is booked, by disabling the triggers that refuse it. */
export async function ownsBooks(reader: Reader): Promise<boolean> {
  const [row] = await reader<{ owns: boolean }[]>`
    select pg_has_role(relowner, 'member') as owns from pg_class where oid = 'journals'::regclass`
  return row?.owns === true
}
