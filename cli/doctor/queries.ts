import type { Reader } from '../../src/platform/db/database.ts'

export async function getServerVersion(reader: Reader): Promise<string> {
  const [row] = await reader<{ version: string }[]>`select current_setting('server_version') as version`
  return row?.version ?? ''
}

/** True if this account could change booked rows by disabling the triggers that protect them. */
export async function canChangeBooks(reader: Reader): Promise<boolean> {
  const [row] = await reader<{ owns: boolean }[]>`
    select pg_has_role(relowner, 'member') as owns from pg_class where oid = 'journals'::regclass`
  return row?.owns === true
}
