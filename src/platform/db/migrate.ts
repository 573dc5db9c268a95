import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import postgres from 'postgres'
import { ExplainedError } from '../explained-error.ts'
import { ADOPTION_REFUSED, adoptBaseline, judgeHistory, listApplied } from './adoption.ts'
import { grantService } from './privileges.ts'

const FOLDER = new URL('../../../db/migrations/', import.meta.url)
// An arbitrary constant. The lock prevents two starting processes from migrating concurrently.
const LOCK = 7_265_001
const OLDEST_SERVER = 15
const CONNECT_TIMEOUT_SECONDS = 10

/** Thrown if this version cannot work with the database. The message states the reason and usually the remedy. */
class MigrationError extends ExplainedError {}

type Migration = { readonly number: number; readonly name: string; readonly text: string; readonly sha256: string }

type Options = {
  readonly log?: (message: string, level?: 'info' | 'debug') => void
  /** The service's account, if it does not own the tables. */
  readonly service?: string
  /** The folder of migrations, for tests. */
  readonly folder?: URL
}

/**
 * Applies all missing migrations, forward only, and grants the service's account its privileges. Each migration and its
 * row in schema_migrations share one transaction, unless the migration builds an index concurrently. A database that
 * predates the baseline adopts it first.
 * @param url connects as the owner of the tables; an account without DDL rights suffices if no migration is missing
 * @throws MigrationError if the server is older than 15, an applied migration has since changed, the database cannot
 * adopt the baseline, its tables stay locked, or the account may not change them
 */
export async function migrate(url: string, { log, service, folder = FOLDER }: Options = {}): Promise<void> {
  await withConnection(url, async (sql) => {
    const [server] = await sql`select current_setting('server_version_num')::int / 10000 as major`
    if (server?.['major'] < OLDEST_SERVER)
      throw new MigrationError(
        `Laurel needs PostgreSQL ${OLDEST_SERVER} or later, but this server is ${server?.['major']}.`,
      )
    await sql`select pg_advisory_lock(${LOCK})`
    const migrations = await readMigrations(folder)
    if (judgeHistory(await listApplied(sql)) === 'adoptable') {
      await adoptBaseline(sql, migrations).catch(explain)
      log?.('recorded the baseline in place of the migrations that it replaces')
    }
    const missing = await listMissing(sql, migrations)
    for (const migration of missing) {
      log?.(`applying migration ${migration.name}`, 'debug')
      await applyPatiently(sql, migration)
    }
    if (missing.length > 0) log?.(`applied ${describeMigrations(missing)}`)
    if (service !== undefined) await grantService(sql, service)
  })
}

function describeMigrations(migrations: readonly Migration[]): string {
  const [first, last] = [migrations[0], migrations.at(-1)].map((one) => one?.name.replace(/\.sql$/, ''))
  return migrations.length === 1 ? `migration ${first}` : `${migrations.length} migrations, ${first} to ${last}`
}

/**
 * @throws MigrationError if the database lacks a migration, an applied migration has since changed, or the database
 * cannot adopt the baseline
 */
export async function checkMigrated(url: string): Promise<void> {
  const missing = await withConnection(url, async (sql) => listMissing(sql, await readMigrations()))
  if (missing.length === 0) return
  throw new MigrationError(
    `The database lacks ${missing.length} migrations of this version. Run \`laurel migrate\` or start the ` +
      'service first.',
  )
}

// A statement waiting for a lock makes all later ones queue behind it, so it gives up quickly and is retried.
const LOCK_MS = 2_000
const TRIES_MAX = 60
const TRY_AGAIN_MS = 500
const LOCK_NOT_AVAILABLE = '55P03'

async function applyPatiently(sql: postgres.Sql, migration: Migration): Promise<void> {
  const apply = CONCURRENTLY.test(migration.text) ? applyConcurrently : applyInTransaction
  for (let tries = 1; ; tries++) {
    try {
      return await apply(sql, migration)
    } catch (error) {
      const isLocked = error instanceof postgres.PostgresError && error.code === LOCK_NOT_AVAILABLE
      if (!isLocked) return explain(error)
      if (tries === TRIES_MAX)
        throw new MigrationError(
          `Migration ${migration.name} found its tables locked ${TRIES_MAX} times. End the transactions that ` +
            'hold the locks and try again.',
        )
      await setTimeout(TRY_AGAIN_MS)
    }
  }
}

// insufficient_privilege and invalid_schema_name. An account gets the latter if it may not even access the schema.
const NOT_ALLOWED = ['42501', '3F000']

function explain(error: unknown): never {
  if (error instanceof postgres.PostgresError && NOT_ALLOWED.includes(error.code))
    throw new MigrationError('This account may not change tables. Run `laurel migrate` with DATABASE_OWNER_URL set.', {
      cause: error,
    })
  throw error
}

async function applyInTransaction(sql: postgres.Sql, migration: Migration): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`select set_config('lock_timeout', ${String(LOCK_MS)}, true)`
    await tx`
      create table if not exists schema_migrations (
        number integer primary key,
        name text not null,
        sha256 text not null,
        applied_at timestamptz not null default now()
      )`
    await tx.unsafe(migration.text)
    await record(tx, migration)
  })
}

/**
 * Matches a concurrent index build. Such a build cannot run in a transaction, so its migration may only build and drop
 * indexes.
 */
const CONCURRENTLY = /\bcreate (unique )?index concurrently (if not exists )?(\w+)/i

async function applyConcurrently(sql: postgres.Sql, migration: Migration): Promise<void> {
  const statements = migration.text.split(/;\s*$/m).filter((statement) => statement.trim() !== '')
  for (const statement of statements) {
    const name = CONCURRENTLY.exec(statement)?.[3]
    // Drops the unusable index left behind by an interrupted build.
    if (name !== undefined) await sql`drop index concurrently if exists ${sql(name)}`
    await sql.unsafe(statement)
  }
  await record(sql, migration)
}

async function record(sql: postgres.ISql, { number, name, sha256 }: Migration): Promise<void> {
  await sql`insert into schema_migrations (number, name, sha256) values (${number}, ${name}, ${sha256})`
}

async function listMissing(sql: postgres.Sql, migrations: readonly Migration[]): Promise<readonly Migration[]> {
  const applied = await listApplied(sql)
  const history = judgeHistory(applied)
  if (history === 'refused') throw new MigrationError(ADOPTION_REFUSED)
  if (history === 'adoptable') return migrations
  const hashes = new Map(applied.map(({ number, sha256 }) => [number, sha256]))
  const changed = migrations.find(({ number, sha256 }) => ![sha256, undefined].includes(hashes.get(number)))
  if (changed !== undefined)
    throw new MigrationError(`Migration ${changed.name} was changed after it was applied. Add a new one instead.`)
  return migrations.filter(({ number }) => !hashes.has(number))
}

async function withConnection<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, connect_timeout: CONNECT_TIMEOUT_SECONDS, onnotice: () => undefined })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Hashes all migrations. The test template database is named after the hash. */
export async function hashMigrations(): Promise<string> {
  const hash = createHash('sha256')
  for (const migration of await readMigrations()) hash.update(migration.sha256)
  return hash.digest('hex').slice(0, 16)
}

async function readMigrations(folder = FOLDER): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file)).sort()
  return Promise.all(
    files.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      return { number: Number(name.slice(0, 4)), name, text, sha256: createHash('sha256').update(text).digest('hex') }
    }),
  )
}
