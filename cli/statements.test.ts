import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { accrue, closeBook, openBook } from '../src/ledger/index.ts'
import { openDatabase } from '../src/platform/db/database.ts'
import { encodeId, newUuid } from '../src/platform/ids.ts'
import { createPublisher } from '../src/tenants/publishers/index.ts'
import { createUser } from '../src/users/users/index.ts'
import { testDatabase } from '../test/support/postgres.ts'
import { dataFolder, laurel, laurelJson } from './test-support.ts'

const folder = await dataFolder()
const db = openDatabase((await testDatabase('cli_statements')).url)
after(() => db.close())
const env = { DATABASE_URL: db.url, LAUREL_DATA_DIR: folder }

const publisher = await db.transaction(async (tx) => {
  const now = new Date('2026-01-01T00:00:00Z')
  const made = await createPublisher(tx, { name: 'Acme', environment: 'sandbox' }, now)
  const input = { publisherUserId: 'ada', email: null, primaryZipCode: null, attributes: null }
  const { user } = await createUser(tx, made, input, now)
  const book = await openBook(tx, made, [user.userId])
  const cause = { id: newUuid(), version: 1, currency: 'USD', effectiveAt: new Date('2026-01-05T12:00:00Z') }
  accrue(book, user.userId, cause, 'brand', { user: 7_00n, publisher: 2_00n, fee: 1_00n })
  await closeBook(tx, book)
  return made
})
const of = ['--publisher', encodeId('pub', publisher.id)]

test('a month can be closed by command, and its statements listed, shown and verified', async () => {
  const closed = await laurel(['statements', 'close', '2026-01', ...of, '--by', 'Ada'], env)
  assert.equal(closed.stdout, `${of[1]}: 2026-01 was closed with 3 statements.\n`, closed.stderr)
  const { statements, total } = await laurelJson(['statements', 'list', '--month', '2026-01'], env)
  assert.equal(total, 3)
  const advertiser = statements.find(({ kind }: { kind: string }) => kind === 'advertiser')
  const id = advertiser.statement_id
  const json = await laurel(['statements', 'show', id, '--format', 'json'], env)
  assert.equal(createHash('sha256').update(json.stdout).digest('hex'), advertiser.sha256)
  assert.match((await laurel(['statements', 'show', id], env)).stdout, /^balance,advertiser_receivable,,,0\.00,10\.00/m)
  const file = join(folder, 'statement.pdf')
  assert.equal((await laurel(['statements', 'show', id, '--format', 'pdf', '--file', file], env)).code, 0)
  assert.match(await readFile(file, 'latin1'), /^%PDF/)
  assert.deepEqual(await laurelJson(['statements', 'verify'], env), { ok: true, statements: 3, differences: [] })
})

test('a month that cannot be closed or a statement that cannot be shown is rejected with the reason', async () => {
  const early = await laurel(['statements', 'close', '2026-03', ...of], env)
  assert.deepEqual(
    [early.code, early.stderr],
    [1, `Months must be closed in order. The next month for ${of[1]} is 2026-02.\n`],
  )
  for (const args of [
    ['close', '2026-13'],
    ['show', 'nothing'],
    ['show', 'stm_01kbjyt5v3f4nvj5yq5yfypr9v', '--format', 'pdf'],
  ])
    assert.equal((await laurel(['statements', ...args], env)).code, 2, args.join(' '))
  const unknown = await laurel(['statements', 'show', 'stm_01kbjyt5v3f4nvj5yq5yfypr9v'], env)
  assert.deepEqual([unknown.code, unknown.stderr], [1, 'There is no such statement.\n'])
})

test('statements verify reports a difference and exits with 1', async () => {
  await db.reader`alter table statements disable trigger user`
  await db.reader`update statements set sha256 = '\\x00' where kind = 'service'`
  const found = await laurel(['statements', 'verify'], env)
  assert.equal(found.code, 1)
  assert.match(found.stdout, /statement_document +service/)
})
