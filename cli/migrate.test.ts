import assert from 'node:assert/strict'
import { test } from 'node:test'
import postgres from 'postgres'
import { asService, testDatabase } from '../test/support/postgres.ts'
import { dataFolder, laurel } from './test-support.ts'

const LAUREL_DATA_DIR = await dataFolder()

/** A database whose newest migration has yet to be applied: nothing knows of it. */
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

test('a command refuses a database that is not migrated and changes nothing in it', async () => {
  const { url, isMigrated } = await lackingDatabase()
  const { code, stderr } = await laurel(['publishers', 'list'], { DATABASE_URL: url, LAUREL_DATA_DIR })
  assert.equal(code, 1)
  assert.match(stderr, /lacks \d+ migrations of this version, so run `laurel migrate`/)
  assert.equal(await isMigrated(), false)
})

test('the service’s account cannot migrate, and the owner gives it what it needs', async () => {
  const { url, isMigrated } = await lackingDatabase()
  const service = { DATABASE_URL: asService(url), LAUREL_DATA_DIR }
  const refused = await laurel(['migrate'], service)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /may not change tables; run `laurel migrate` with DATABASE_OWNER_URL/)
  assert.equal(await isMigrated(), false)
  assert.equal((await laurel(['migrate'], { ...service, DATABASE_OWNER_URL: url })).code, 0)
  assert.equal((await laurel(['migrate'], service)).code, 0, 'nothing is missing any more')
  const args = ['publishers', 'create', '--name', 'Acme', '--environment', 'sandbox']
  assert.equal((await laurel(args, service)).code, 0)
})
