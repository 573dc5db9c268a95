import type postgres from 'postgres'

/**
 * What the service's own account may do: everything with rows, except that what is append-only stays as it was
 * written. It has no DDL and no TRUNCATE, and cannot disable the triggers that refuse the same to the owner.
 */
const APPEND_ONLY = ['journals', 'source_events', 'postbacks', 'audit_log', 'schema_migrations'] as const
// A source event never changes; which transaction it belongs to does, when two turn out to be one purchase.
const MAY_CHANGE = { table: 'source_events', columns: ['transaction_id'] } as const

/** Gives the account what the service needs on the tables that exist, and nothing more. Safe to repeat. */
export async function grantService(owner: postgres.Sql, account: string): Promise<void> {
  const role = owner(account)
  await owner.begin(async (tx) => {
    await tx`revoke create on schema public from public`
    await tx`grant usage on schema public to ${role}`
    await tx`revoke all on all tables in schema public from ${role}`
    await tx`grant select, insert, update, delete on all tables in schema public to ${role}`
    await tx`grant usage on all sequences in schema public to ${role}`
    await tx`revoke update, delete on ${tx(APPEND_ONLY)} from ${role}`
    await tx`revoke insert on schema_migrations from ${role}`
    await tx`grant update (${tx(MAY_CHANGE.columns)}) on ${tx(MAY_CHANGE.table)} to ${role}`
  })
}
