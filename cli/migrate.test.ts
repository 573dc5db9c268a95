import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import postgres from 'postgres'
import { migrate } from '../src/platform/db/migrate.ts'
import { eventually } from '../test/support/eventually.ts'
import { asService, testDatabase } from '../test/support/postgres.ts'
import { dataFolder, laurel } from './test-support.ts'

const LAUREL_DATA_DIR = await dataFolder()

/** Creates a database without any migrations applied. */
async function lackingDatabase(): Promise<{ url: string; isMigrated(): Promise<boolean> }> {
  const { url } = await testDatabase('migrate')
  const sql = postgres(url, { max: 1, idle_timeout: 1, onnotice: () => undefined })
  await sql`drop schema public cascade`
  await sql`create schema public`
  return {
    url,
    isMigrated: async () => (await sql`select to_regclass('users') is not null as there`)[0]?.['there'] === true,
  }
}

test('a command refuses to run on an unmigrated database and changes nothing in it', async () => {
  const { url, isMigrated } = await lackingDatabase()
  const { code, stderr } = await laurel(['publishers', 'list'], { DATABASE_URL: url, LAUREL_DATA_DIR })
  assert.equal(code, 1)
  assert.match(stderr, /lacks \d+ migrations of this version\. Run `laurel migrate`/)
  assert.equal(await isMigrated(), false)
})

test('without a database, a command explains how to create one and creates nothing itself', async () => {
  const folder = join(LAUREL_DATA_DIR, 'new')
  for (const args of [
    ['ledger', 'verify'],
    ['publishers', 'create', '--name', 'Acme', '--environment', 'sandbox'],
    ['backup', join(LAUREL_DATA_DIR, 'backup')],
  ]) {
    const { code, stderr } = await laurel(args, { LAUREL_DATA_DIR: folder })
    assert.equal(code, 1, args.join(' '))
    assert.match(stderr, /^There is no database in .*new\. Run `npm start` .*DATABASE_URL\.\n$/)
    assert(!existsSync(folder))
  }
})

test('the service account cannot migrate, and a migration by the owner grants it the access it needs', async () => {
  const { url, isMigrated } = await lackingDatabase()
  const service = { DATABASE_URL: asService(url), LAUREL_DATA_DIR }
  const refused = await laurel(['migrate'], service)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /may not change tables\. Run `laurel migrate` with DATABASE_OWNER_URL/)
  assert.equal(await isMigrated(), false)
  const migrated = await laurel(['migrate'], { ...service, DATABASE_OWNER_URL: url })
  assert.deepEqual([migrated.code, migrated.stderr.match(/^applied .*$/gm)?.length], [0, 1], migrated.stderr)
  assert.match(migrated.stderr, /^applied \d+ migrations, 0001_tenants to \d{4}_\w+$/m)
  assert.equal((await laurel(['migrate'], service)).code, 0, 'nothing is missing any more')
  const args = ['publishers', 'create', '--name', 'Acme', '--environment', 'sandbox']
  assert.equal((await laurel(args, service)).code, 0)
})

test('doctor names the version that must first upgrade a database from long before the baseline', async () => {
  const { url } = await testDatabase('doctor')
  const sql = postgres(url, { max: 1, idle_timeout: 1, onnotice: () => undefined })
  await sql`delete from schema_migrations`
  await sql`insert into schema_migrations (number, name, sha256) values (1, '0001_publishers.sql', '')`
  const { stdout } = await laurel(['doctor', '--json'], { DATABASE_URL: url, LAUREL_DATA_DIR })
  const checks: { name: string; remedy: string | null }[] = JSON.parse(stdout).checks
  assert.match(
    checks.find(({ name }) => name === 'migrations')?.remedy ?? '',
    /up to 0170_\w+\.sql: run `laurel migrate`/,
  )
})

test('a migration waiting for a lock does not block other queries, and applies once the table is free', async () => {
  const { url } = await testDatabase('locked')
  const sql = postgres(url, { max: 2, idle_timeout: 1, onnotice: () => undefined })
  const folder = await mkdtemp(join(tmpdir(), 'laurel-migrations-'))
  await writeFile(join(folder, '9001_notes.sql'), 'alter table users add column note text')
  const [held, freed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const locking = sql.begin(async (tx) => {
    await tx`select from users`
    held.resolve()
    await freed.promise
  })
  await held.promise
  const migrating = migrate(url, { folder: pathToFileURL(`${folder}/`) })
  const asks = async (): Promise<boolean> =>
    (await sql`select from pg_locks where relation = 'users'::regclass and not granted`).length > 0
  try {
    await eventually(asks)
    // This queues behind the migration for the table, but only until the migration's lock timeout.
    await sql`select from users`
  } finally {
    freed.resolve()
  }
  await locking
  await migrating
  assert.equal((await sql`select note from users`).length, 0)
  await rm(folder, { recursive: true })
})

test('indexes are built and dropped concurrently, even after an earlier attempt was interrupted', async () => {
  const { url } = await testDatabase('concurrent')
  const sql = postgres(url, { max: 2, idle_timeout: 1, onnotice: () => undefined })
  const folder = await mkdtemp(join(tmpdir(), 'laurel-migrations-'))
  await writeFile(
    join(folder, '9001_by_zip.sql'),
    `-- why
    create index concurrently users_by_zip on users (primary_zip_code);
    create index concurrently users_by_version on users (version);
    drop index concurrently if exists users_by_email;
    `,
  )
  await sql`create index users_by_zip on users (email)`
  await migrate(url, { folder: pathToFileURL(`${folder}/`) })
  const [index] = await sql`select pg_get_indexdef('users_by_zip'::regclass) as text`
  assert.match(index?.['text'], /primary_zip_code/)
  const [others] = await sql`
    select to_regclass('users_by_version') is not null as built, to_regclass('users_by_email') is null as dropped`
  assert.deepEqual(others, { built: true, dropped: true })
  await rm(folder, { recursive: true })
})
