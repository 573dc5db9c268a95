import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import postgres from 'postgres'
import { grantService } from './privileges.ts'

const FOLDER = new URL('../../db/migrations/', import.meta.url)
// An arbitrary constant. The lock keeps two starting processes from migrating at once.
const LOCK = 7_265_001
const OLDEST_SERVER = 15
const CONNECT_TIMEOUT_SECONDS = 10

/** What stands between this version and the database, in one sentence that says what to do. */
export class MigrationError extends Error {}

type Migration = { readonly number: number; readonly name: string; readonly text: string; readonly sha256: string }

type Options = {
  readonly log?: (message: string) => void
  /** The account the service works under, if it is not the owner of the tables. */
  readonly service?: string
}

/**
 * Applies all missing migrations, only forward, and gives the service's account its privileges. Each migration is a
 * transaction with its record in schema_migrations.
 * @param url the owner of the tables. An account without DDL is enough while nothing is missing.
 * @throws MigrationError when the server is older than 15, or when an applied migration has changed since.
 */
export async function migrate(url: string, { log, service }: Options = {}): Promise<void> {
  await withConnection(url, async (sql) => {
    const [server] = await sql`select current_setting('server_version_num')::int / 10000 as major`
    if (server?.['major'] < OLDEST_SERVER)
      throw new MigrationError(
        `Laurel needs PostgreSQL ${OLDEST_SERVER} or later; this server is ${server?.['major']}.`,
      )
    await sql`select pg_advisory_lock(${LOCK})`
    for (const migration of await listMissing(sql)) {
      log?.(`applying migration ${migration.name}`)
      await sql.begin((tx) => apply(tx, migration)).catch(explain)
    }
    if (service !== undefined) await grantService(sql, service)
  })
}

/** @throws MigrationError when the database lacks migrations, or has one that has changed since. */
export async function checkMigrated(url: string): Promise<void> {
  const missing = await withConnection(url, listMissing)
  if (missing.length === 0) return
  throw new MigrationError(
    `The database lacks ${missing.length} migrations of this version, so run \`laurel migrate\` or start the service first.`,
  )
}

// insufficient_privilege; and invalid_schema_name, which an account gets that may not even look into the schema.
const NOT_ALLOWED = ['42501', '3F000']

function explain(error: unknown): never {
  if (error instanceof postgres.PostgresError && NOT_ALLOWED.includes(error.code))
    throw new MigrationError('This account may not change tables; run `laurel migrate` with DATABASE_OWNER_URL set.', {
      cause: error,
    })
  throw error
}

async function apply(tx: postgres.TransactionSql, { number, name, sha256, text }: Migration): Promise<void> {
  await tx`
    create table if not exists schema_migrations (
      number integer primary key,
      name text not null,
      sha256 text not null,
      applied_at timestamptz not null default now()
    )`
  await tx.unsafe(text)
  await tx`insert into schema_migrations (number, name, sha256) values (${number}, ${name}, ${sha256})`
}

async function listMissing(sql: postgres.Sql): Promise<Migration[]> {
  const migrations = await readMigrations()
  const [table] = await sql`select to_regclass('schema_migrations') is not null as present`
  if (!table?.['present']) return migrations
  const applied = new Map(
    (await sql`select number, sha256 from schema_migrations`).map((row) => [row['number'], row['sha256']]),
  )
  const changed = migrations.find(({ number, sha256 }) => ![sha256, undefined].includes(applied.get(number)))
  if (changed !== undefined)
    throw new MigrationError(`Migration ${changed.name} was changed after it was applied; add a new one instead.`)
  return migrations.filter(({ number }) => !applied.has(number))
}

async function withConnection<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, connect_timeout: CONNECT_TIMEOUT_SECONDS, onnotice: () => undefined })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** The hash of all migrations, which names the template database of tests. */
export async function migrationsHash(): Promise<string> {
  const hash = createHash('sha256')
  for (const migration of await readMigrations()) hash.update(migration.sha256)
  return hash.digest('hex').slice(0, 16)
}

async function readMigrations(): Promise<Migration[]> {
  const files = (await readdir(FOLDER)).filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file)).sort()
  return Promise.all(
    files.map(async (name) => {
      const text = await readFile(new URL(name, FOLDER), 'utf8')
      return { number: Number(name.slice(0, 4)), name, text, sha256: createHash('sha256').update(text).digest('hex') }
    }),
  )
}
