import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import postgres from 'postgres'

const FOLDER = new URL('../../db/migrations/', import.meta.url)
// An arbitrary constant. The lock keeps two starting processes from migrating at once.
const LOCK = 7_265_001
const OLDEST_SERVER = 15
const CONNECT_TIMEOUT_SECONDS = 10

type Migration = { readonly number: number; readonly name: string; readonly text: string; readonly sha256: string }

/**
 * Applies all missing migrations, only forward. Each one is a transaction with its record in schema_migrations.
 * @throws when the server is older than 15, or when an applied migration has changed since.
 */
export async function migrate(url: string, options: { readonly log?: (message: string) => void } = {}): Promise<void> {
  const sql = postgres(url, { max: 1, connect_timeout: CONNECT_TIMEOUT_SECONDS, onnotice: () => undefined })
  try {
    const [server] = await sql`select current_setting('server_version_num')::int / 10000 as major`
    if (server?.['major'] < OLDEST_SERVER)
      throw new Error(`Laurel needs PostgreSQL ${OLDEST_SERVER} or later; this server is ${server?.['major']}.`)
    await sql`select pg_advisory_lock(${LOCK})`
    await sql`
      create table if not exists schema_migrations (
        number integer primary key,
        name text not null,
        sha256 text not null,
        applied_at timestamptz not null default now()
      )`
    const applied = new Map(
      (await sql`select number, sha256 from schema_migrations`).map((row) => [row['number'], row['sha256']]),
    )
    for (const migration of await readMigrations()) {
      const known = applied.get(migration.number)
      if (known === migration.sha256) continue
      if (known !== undefined)
        throw new Error(`Migration ${migration.name} was changed after it was applied; add a new one instead.`)
      options.log?.(`applying migration ${migration.name}`)
      await sql.begin(async (tx) => {
        await tx.unsafe(migration.text)
        await tx`insert into schema_migrations (number, name, sha256) values (${migration.number}, ${migration.name}, ${migration.sha256})`
      })
    }
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
