import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { openDatabase } from '../src/platform/db/database.ts'
import { databaseEnvironment, testDatabase } from '../test/support/postgres.ts'
import { getAccountName } from './actor.ts'
import { dataFolder, laurel, laurelJson, PROGRAM } from './test-support.ts'

const folder = await dataFolder()
const database = await testDatabase('cli-provider-account')
const env = { DATABASE_URL: database.url, LAUREL_DATA_DIR: folder }
const { publisher_id } = await laurelJson(['publishers', 'create', '--name', 'Acme', '--environment', 'sandbox'], env)
const of = ['--publisher', publisher_id]
const SECRET = 'a-secret-of-the-publisher'

test('a provider account is set from a pipe or a file, shown without its secret, and removed', async () => {
  // This uses a shell pipe; Node would give the child a socket.
  const command = 'printf "%s\\n" "$SECRET" | "$NODE" "$PROGRAM" publishers provider-account set'
  const piped = await promisify(execFile)('sh', ['-c', `${command} --publisher "$OF" --client-id their-id --json`], {
    env: {
      ...databaseEnvironment(),
      ...env,
      PATH: process.env['PATH'],
      SECRET,
      NODE: process.execPath,
      PROGRAM,
      OF: publisher_id,
    },
  })
  const set = JSON.parse(piped.stdout)
  const account = getAccountName()
  assert.deepEqual(
    [set.publisher_id, set.client_id, set.linked_logins, set.created_by, set.updated_by],
    [publisher_id, 'their-id', 0, account, account],
  )
  const again = ['publishers', 'provider-account', 'set', ...of, '--client-id', 'their-id']
  assert.equal((await laurelJson(again, env, `${SECRET}\n`)).client_id, 'their-id')
  const file = join(folder, 'secret.txt')
  await writeFile(file, `${SECRET}-2\n`)
  await laurelJson(
    ['publishers', 'provider-account', 'set', ...of, '--client-id', 'new-id', '--secret-file', file],
    env,
  )
  const shown = await laurel(['publishers', 'provider-account', 'show', ...of], env)
  assert.match(shown.stdout, /^client_id {7}new-id$/m)
  assert(![piped.stdout, shown.stdout, shown.stderr].join('').includes(SECRET))
  const db = openDatabase(database.url)
  const rows = await db.reader<{ text: string }[]>`
    select version || ' ' || encode(sealed_secret, 'escape') as text from provider_accounts`
  await db.close()
  assert.equal(rows.length, 1)
  assert.match(rows[0]?.text ?? '', /^3 /)
  assert(!rows[0]?.text.includes(SECRET))
  const removed = await laurelJson(['publishers', 'provider-account', 'remove', ...of], env)
  assert.deepEqual(removed, { publisher_id, removed: true })
})

test('an invalid change to a provider account is rejected with a one-sentence explanation', async () => {
  const unknown = ['--publisher', '00000000-0000-7000-8000-000000000000']
  const empty = join(folder, 'empty.txt')
  await writeFile(empty, '\n')
  const cases: readonly (readonly [number, RegExp, ...string[]])[] = [
    [1, /no account of its own/, 'show', ...of],
    [1, /no account of its own/, 'remove', ...of],
    [1, /no such publisher/, 'show', ...unknown],
    [2, /--secret-file/, 'set', ...of, '--client-id', 'id'],
    [2, /one word/, 'set', ...of, '--client-id', 'two words'],
    [1, /cannot be read/, 'set', ...of, '--client-id', 'id', '--secret-file', join(folder, 'missing.txt')],
    [1, /empty line/, 'set', ...of, '--client-id', 'id', '--secret-file', empty],
    [2, /unknown option '--secret'/, 'set', ...of, '--client-id', 'id', '--secret', 'on-the-command-line'],
  ]
  for (const [code, sentence, ...args] of cases) {
    const ended = await laurel(['publishers', 'provider-account', ...args], env)
    assert.equal(ended.code, code, `${args.join(' ')}: ${ended.stderr}`)
    assert.match(ended.stderr, sentence)
  }
})
