import { createHash } from 'node:crypto'
import type postgres from 'postgres'

/**
 * The baseline (the first twelve migrations) replaced 0001_publishers.sql through 0170. A database with exactly the
 * replaced migrations already has the baseline's tables and rows, so it adopts the baseline: only schema_migrations
 * changes.
 */
const BASELINE_MAX = 12
const FIRST_REPLACED = '0001_publishers.sql'
const LAST_REPLACED = '0170_amended_to_nothing_checked.sql'
// The SHA-256 of the replaced migrations' numbers and hashes, one migration per line.
const REPLACED_SHA256 = '012ab21a204aaa7302a0f2ddaa7669c710c7e62e87df0685c0c4406dbec8e24b'

export const ADOPTION_REFUSED = `This database must first have all migrations up to ${LAST_REPLACED}: run \`laurel migrate\` from the last version that contains them (docs/reference/production.md).`

type RecordedMigration = { readonly number: number; readonly name: string; readonly sha256: string }

/** Lists the migrations applied to the database; empty if it was never migrated. */
export async function listApplied(sql: postgres.ISql): Promise<RecordedMigration[]> {
  const [table] = await sql`select to_regclass('schema_migrations') is not null as present`
  if (!table?.['present']) return []
  return sql<RecordedMigration[]>`select number, name, sha256 from schema_migrations order by number`
}

/**
 * Returns `current` for migrations since the baseline, `adoptable` for exactly those that the baseline replaced, and
 * `refused` for any other history from before the baseline.
 */
export function judgeHistory(applied: readonly RecordedMigration[]): 'current' | 'adoptable' | 'refused' {
  if (!applied.some(({ name }) => name === FIRST_REPLACED)) return 'current'
  const lines = applied.map(({ number, sha256 }) => `${number} ${sha256}\n`).join('')
  return createHash('sha256').update(lines).digest('hex') === REPLACED_SHA256 ? 'adoptable' : 'refused'
}

/** Records the baseline in place of the migrations that it replaced. */
export async function adoptBaseline(sql: postgres.Sql, migrations: readonly RecordedMigration[]): Promise<void> {
  const baseline = migrations
    .filter(({ number }) => number <= BASELINE_MAX)
    .map(({ number, name, sha256 }) => ({ number, name, sha256 }))
  await sql.begin(async (tx) => {
    await tx`delete from schema_migrations`
    await tx`insert into schema_migrations ${tx(baseline)}`
  })
}
