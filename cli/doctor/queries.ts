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
