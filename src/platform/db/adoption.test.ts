import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import postgres from 'postgres'
import { asService, testDatabase } from '../../../test/support/postgres.ts'
import { ADOPTION_REFUSED } from './adoption.ts'
import { checkMigrated, migrate } from './migrate.ts'

type Row = { number: number; name: string; sha256: string }

// Recorded from a database created by all migrations before the baseline. Its tables matched the baseline's.
const REPLACED: Row[] = (await readFile(new URL('replaced-migrations.csv', import.meta.url), 'utf8'))
  .trim()
  .split('\n')
  .map((line) => line.split(','))
  .map(([number, name = '', sha256 = '']) => ({ number: Number(number), name, sha256 }))

const { url, drop } = await testDatabase('adoption')
const sql = postgres(url, { max: 1, onnotice: () => undefined })
after(async () => {
  await sql.end()
  await drop()
})

const readRecord = async () => [
  ...(await sql<Row[]>`select number, name, sha256 from schema_migrations order by number`),
]
const CURRENT = await readRecord()

async function recordMigrations(rows: readonly Row[]): Promise<void> {
  await sql`delete from schema_migrations`
  await sql`insert into schema_migrations ${sql([...rows])}`
}

test('a database at the last migration before the baseline adopts it, then receives later migrations', async () => {
  await recordMigrations(REPLACED)
  const lines: string[] = []
  await migrate(url, { log: (line, level = 'info') => level === 'info' && lines.push(line) })
  assert.deepEqual(await readRecord(), CURRENT)
  assert.equal(lines[0], 'recorded the baseline in place of the migrations that it replaces')
  assert.match(lines[1] ?? '', /^applied .*0013_/)
  await checkMigrated(url)
})

test('commands refuse a database that lacks the baseline, and the service account cannot adopt it', async () => {
  await recordMigrations(REPLACED)
  await assert.rejects(checkMigrated(url), /lacks \d+ migrations of this version\. Run `laurel migrate`/)
  await assert.rejects(migrate(asService(url)), /may not change tables\. Run `laurel migrate` with DATABASE_OWNER_URL/)
  assert.deepEqual(await readRecord(), REPLACED)
})

const last = REPLACED.at(-1) as Row
for (const [what, rows] of Object.entries({
  older: REPLACED.slice(0, -1),
  'half-applied': REPLACED.filter(({ number }) => number !== 100),
  altered: [...REPLACED.slice(0, -1), { ...last, sha256: '0'.repeat(64) }],
  diverging: [...REPLACED, { ...last, number: 171, name: '0171_more.sql' }],
}))
  test(`a history from before the baseline is refused and left unchanged: ${what}`, async () => {
    await recordMigrations(rows)
    for (const work of [migrate, checkMigrated]) await assert.rejects(work(url), { message: ADOPTION_REFUSED })
    assert.deepEqual(await readRecord(), rows)
  })
