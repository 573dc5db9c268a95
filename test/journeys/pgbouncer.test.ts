import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../cli/ports.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { eventually } from '../support/eventually.ts'
import { asService, testDatabase } from '../support/postgres.ts'

// Each server connection serves all clients, one transaction at a time, so leftover session state would reach the next
// client.
const SERVER_CONNECTIONS = 6
const JOURNEYS = ['one-purchase', 'money-races', 'known-at-once'].map((name) =>
  fileURLToPath(new URL(`./${name}.test.ts`, import.meta.url)),
)

test('the journeys work through PgBouncer in transaction mode', async (context) => {
  const { error } = spawnSync('pgbouncer', ['--version'])
  if (error !== undefined) {
    context.diagnostic('NOT CHECKED: pgbouncer is not installed (Debian: apt-get install pgbouncer)')
    return
  }
  const pooler = await startPgBouncer(context)
  const env = { ...process.env, LAUREL_TEST_POOLER: pooler, NODE_TEST_CONTEXT: undefined }
  const run = spawn(process.execPath, ['--test', '--test-concurrency=1', ...JOURNEYS], { env })
  let output = ''
  for (const stream of [run.stdout, run.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const [code] = await once(run, 'exit')
  assert.equal(code, 0, output)
})

/**
 * Starts PgBouncer in front of all databases on the test server. It rejects startup parameters that it does not
 * recognize.
 */
async function startPgBouncer(context: TestContext): Promise<string> {
  const database = await testDatabase('pgbouncer')
  const port = await findFreePort('127.0.0.1', 0)
  const folder = await mkdtemp(join(tmpdir(), 'laurel-pgbouncer-'))
  context.after(() => rm(folder, { recursive: true }))
  const settings = join(folder, 'pgbouncer.ini')
  await writeFile(
    settings,
    `[databases]
* = ${toServer(asService(database.url))} connect_query='set statement_timeout = 10000'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
max_client_conn = 200
`,
  )
  // PgBouncer refuses to run as root.
  const account = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  await chmod(folder, 0o755)
  const bouncer = spawn('pgbouncer', ['-q', ...account, settings], { stdio: 'ignore' })
  context.after(async () => {
    bouncer.kill('SIGTERM')
    if (bouncer.exitCode === null) await once(bouncer, 'exit')
  })
  const url = `postgres://laurel@127.0.0.1:${port}`
  const probe = openDatabase(`${url}${new URL(database.url).pathname}`, { isPooled: true, connections: 1 })
  context.after(() => probe.close())
  await eventually(() => probe.reader`select 1`.then(() => true).catch(() => false))
  return url
}

function toServer(address: string): string {
  const { hostname, port, username, password } = new URL(address)
  return `host=${hostname} port=${port} user=${username} password=${password}`
}
