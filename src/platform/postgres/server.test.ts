import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'
import { type EmbeddedPostgres, findEmbeddedPostgres, startEmbeddedPostgres } from './server.ts'

const isRoot = process.getuid?.() === 0
const quietly = { log: () => undefined }

// A data folder whose database has been created and shut down. Tests that need no new database copy it.
let template: string
before(async () => {
  const parent = await mkdtemp(join(tmpdir(), 'laurel-embedded-'))
  await chmod(parent, 0o755)
  template = join(parent, 'data')
  const server = await startEmbeddedPostgres({ dataDir: template, durable: false, ...quietly })
  await server.stop()
})
after(() => rm(join(template, '..'), { recursive: true, force: true }))

/** Returns a data folder with a database that is shut down. The folder is removed after the test. */
async function existingDataDir(t: TestContext): Promise<string> {
  const dataDir = await newDataDir(t)
  // Unlike fs.cp, cp -a preserves the owners.
  const [code] = await once(spawn('cp', ['-a', template, dataDir], { stdio: 'inherit' }), 'exit')
  assert.equal(code, 0)
  return dataDir
}

/** Returns a data folder that does not exist yet. The folder and its database are removed after the test. */
async function newDataDir(t: TestContext, options: { readonly parentMode?: number } = {}): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'laurel-embedded-'))
  await chmod(parent, options.parentMode ?? 0o755)
  const dataDir = join(parent, 'data')
  t.after(async () => {
    // A failed test may leave its server running, and the lock file might contain the id of a process that does not
    // exist.
    const home = await findHome(dataDir)
    const pid = await serverPid(dataDir)
    if (pid !== null && (await readCommandLine(pid)).includes(home)) await killAndAwait(pid)
    await rm(home, { recursive: true, force: true })
    await rm(parent, { recursive: true, force: true })
  })
  return dataDir
}

async function findHome(dataDir: string): Promise<string> {
  const pointer = join(dataDir, 'postgres.location')
  return existsSync(pointer) ? (await readFile(pointer, 'utf8')).trim() : join(dataDir, 'postgres')
}

async function serverPid(dataDir: string): Promise<number | null> {
  const lock = join(await findHome(dataDir), 'cluster', 'postmaster.pid')
  return existsSync(lock) ? Number((await readFile(lock, 'utf8')).split('\n')[0]) : null
}

async function killAndAwait(pid: number): Promise<void> {
  process.kill(pid, 'SIGQUIT')
  while ((await readCommandLine(pid)) !== '') await wait(5)
}

/** Returns the command line of a process; empty if there is none, or only a zombie. */
async function readCommandLine(pid: number): Promise<string> {
  const listed = spawn('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { stdio: ['ignore', 'pipe', 'ignore'] })
  const lines: Buffer[] = []
  listed.stdout.on('data', (part: Buffer) => lines.push(part))
  await once(listed, 'close')
  const line = Buffer.concat(lines).toString().trim()
  return line.includes('<defunct>') ? '' : line
}

/** Starts another Laurel process that runs the folder's server and prints its URL. */
async function startElsewhere(
  dataDir: string,
  options: { readonly idle?: boolean } = {},
): Promise<{ process: ChildProcess; url: string }> {
  const program = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(new URL('./server.ts', import.meta.url))})
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: () => undefined })
    process.stdout.write(server.url + '\\n')
    ${options.idle ? '' : 'setInterval(() => undefined, 60_000)'}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  return { process: child, url: String(line).trim() }
}

async function inDatabase<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1 })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

const writeRow = (url: string) =>
  inDatabase(url, (sql) => sql`create table kept as select 42 as answer`.then(() => undefined))
const readRow = (url: string) =>
  inDatabase(url, async (sql) => (await sql`select answer from kept`)[0]?.['answer'] as number)
const setting = (url: string, name: string) =>
  inDatabase(url, async (sql) => (await sql`select current_setting(${name}) as value`)[0]?.['value'] as string)

test('the first start creates a UTF-8 database on loopback, with a password file only its owner can read', async (t) => {
  const dataDir = await newDataDir(t)
  assert.equal(await findEmbeddedPostgres({ dataDir }), null)
  const server = await startEmbeddedPostgres({ dataDir, ...quietly })
  assert.equal(server.adopted, false)
  assert.match(server.version, /^18\./)
  assert.deepEqual(await findEmbeddedPostgres({ dataDir }), { url: server.url })
  assert.equal(await setting(server.url, 'server_encoding'), 'UTF8')
  assert.equal(await setting(server.url, 'TimeZone'), 'UTC')
  assert.equal(await setting(server.url, 'fsync'), 'on')
  assert.equal(await setting(server.url, 'listen_addresses'), '127.0.0.1')
  assert.equal((await stat(join(dataDir, 'postgres.password'))).mode & 0o777, 0o600)
  const stranger = new URL(server.url)
  stranger.password = 'guess'
  await assert.rejects(setting(stranger.href, 'fsync'), { code: '28P01' })
  assert.equal(await server.stop(), true)
  assert.equal(await findEmbeddedPostgres({ dataDir }), null)
})

test('later starts serve the existing rows at the same URL', async (t) => {
  const dataDir = await existingDataDir(t)
  const first = await startEmbeddedPostgres({ dataDir, ...quietly })
  await writeRow(first.url)
  await first.stop()
  for (let count = 0; count < 2; count++) {
    const again = await startEmbeddedPostgres({ dataDir, ...quietly })
    assert.equal(again.url, first.url)
    assert.equal(await readRow(again.url), 42)
    await again.stop()
  }
})

test('a server whose Laurel process was killed is adopted with all its rows', async (t) => {
  const dataDir = await existingDataDir(t)
  const killed = await startElsewhere(dataDir)
  await writeRow(killed.url)
  killed.process.kill('SIGKILL')
  await once(killed.process, 'exit')
  const server = await startEmbeddedPostgres({ dataDir, ...quietly })
  assert.equal(server.adopted, true)
  assert.equal(server.url, killed.url)
  assert.equal(await readRow(server.url), 42)
  assert.equal(await server.stop(), true)
})

test('a committed row survives killing every process', async (t) => {
  const dataDir = await existingDataDir(t)
  const killed = await startElsewhere(dataDir)
  await writeRow(killed.url)
  const pid = await serverPid(dataDir)
  assert.ok(pid)
  killed.process.kill('SIGKILL')
  process.kill(pid, 'SIGKILL')
  const server = await startEmbeddedPostgres({ dataDir, ...quietly })
  assert.equal(await readRow(server.url), 42)
  assert.notEqual(await serverPid(dataDir), pid)
  await server.stop()
})

test('a lock file left by a crash is ignored, even if its process id has been reused', async (t) => {
  const dataDir = await existingDataDir(t)
  const first = await startEmbeddedPostgres({ dataDir, ...quietly })
  const lock = join(await findHome(dataDir), 'cluster', 'postmaster.pid')
  const text = await readFile(lock, 'utf8')
  const { uid, gid } = await stat(lock)
  await first.stop()
  // The process runs under the server's account, so PostgreSQL would mistake it for its own.
  const stranger = spawn('sleep', ['60'], { uid: uid | 0, gid: gid | 0, stdio: 'ignore' })
  t.after(() => stranger.kill())
  await writeFile(lock, text.replace(/^\d+/, String(stranger.pid)))
  await chmod(lock, 0o600)
  await chown(lock, uid, gid)
  const again = await startEmbeddedPostgres({ dataDir, ...quietly })
  assert.equal(again.adopted, false)
  await again.stop()
})

test('if another program has taken the port, the server moves to a free one', async (t) => {
  const dataDir = await existingDataDir(t)
  const first = await startEmbeddedPostgres({ dataDir, ...quietly })
  await first.stop()
  const intruder = createServer().listen(Number(new URL(first.url).port), '127.0.0.1')
  await once(intruder, 'listening')
  t.after(() => intruder.close())
  const server = await startEmbeddedPostgres({ dataDir, ...quietly })
  assert.notEqual(server.url, first.url)
  assert.equal(await setting(server.url, 'server_encoding'), 'UTF8')
  await server.stop()
})

test('two processes starting in an empty folder share one server, which the last one shuts down', async (t) => {
  const dataDir = await newDataDir(t)
  const [here, there] = await Promise.all([startEmbeddedPostgres({ dataDir, ...quietly }), startElsewhere(dataDir)])
  assert.equal(there.url, here.url)
  await writeRow(there.url)
  assert.equal(await here.stop(), false)
  assert.equal(await readRow(there.url), 42)
  const next = await startEmbeddedPostgres({ dataDir, ...quietly })
  assert.equal(next.adopted, true)
  there.process.kill('SIGKILL')
  await once(there.process, 'exit')
  assert.equal(await stopWhenAlone(next), true)
})

/** Stops the server after waiting for it to notice the end of killed processes. */
async function stopWhenAlone(server: EmbeddedPostgres): Promise<boolean> {
  const others = () =>
    inDatabase(server.url, async (sql) => {
      const [row] = await sql`
        select count(*)::int as count from pg_stat_activity
        where application_name = 'laurel lease'`
      return row?.['count'] as number
    })
  while ((await others()) > 1) await wait(5)
  return server.stop()
}

test('repeated concurrent starts, writes and stops never fail or lose a row', async (t) => {
  const dataDir = await existingDataDir(t)
  const first = await startEmbeddedPostgres({ dataDir, ...quietly })
  await inDatabase(first.url, (sql) => sql`create table visits (visitor integer not null)`)
  await first.stop()
  const visit = async (visitor: number) => {
    for (let round = 0; round < 2; round++) {
      const server = await startEmbeddedPostgres({ dataDir, ...quietly })
      await inDatabase(server.url, (sql) => sql`insert into visits values (${visitor})`)
      await server.stop()
    }
  }
  await Promise.all([1, 2, 3, 4].map(visit))
  const last = await startEmbeddedPostgres({ dataDir, ...quietly })
  const counted = await inDatabase(last.url, (sql) => sql`select count(*)::int as count from visits`)
  assert.equal(counted[0]?.['count'], 8)
  assert.equal(await last.stop(), true)
})

test('a start during a shutdown waits for the shutdown to finish, then restarts the server', async (t) => {
  const dataDir = await existingDataDir(t)
  const first = await startEmbeddedPostgres({ dataDir, ...quietly })
  const [, second] = await Promise.all([first.stop(), startEmbeddedPostgres({ dataDir, ...quietly })])
  assert.equal(await setting(second.url, 'server_encoding'), 'UTF8')
  await second.stop()
})

test('if the server account cannot enter the data folder, a pointer file leads to the database elsewhere', async (t) => {
  const dataDir = await newDataDir(t, { parentMode: 0o700 })
  const server = await startEmbeddedPostgres({ dataDir, ...quietly })
  await writeRow(server.url)
  await server.stop()
  const again = await startEmbeddedPostgres({ dataDir, ...quietly })
  assert.equal(await readRow(again.url), 42)
  await again.stop()
  const home = await findHome(dataDir)
  assert.equal(home.startsWith('/var/lib/laurel/'), isRoot)
  assert.equal((await stat(home)).uid === 0, false)
  assert.equal((await stat(home)).mode & 0o777, 0o700)
})

test('an idle process that holds a server can exit, and the server stays up for the next process', async (t) => {
  const dataDir = await existingDataDir(t)
  const idle = await startElsewhere(dataDir, { idle: true })
  const [code] = await once(idle.process, 'exit')
  assert.equal(code, 0)
  const server = await startEmbeddedPostgres({ dataDir, ...quietly })
  assert.equal(server.adopted, true)
  assert.equal(await stopWhenAlone(server), true)
})

test('a copied data folder never opens the database of the original', async (t) => {
  const dataDir = await newDataDir(t, { parentMode: 0o700 })
  const server = await startEmbeddedPostgres({ dataDir, ...quietly })
  await writeRow(server.url)
  const copied = join(dataDir, '..', 'copy')
  if (isRoot) {
    await cp(dataDir, copied, { recursive: true })
    await assert.rejects(startEmbeddedPostgres({ dataDir: copied, ...quietly }), /is a copy of/)
  } else {
    // The folder is copied while the server is down, as it should be.
    await server.stop()
    await cp(dataDir, copied, { recursive: true })
    const original = await startEmbeddedPostgres({ dataDir, ...quietly })
    const copy = await startEmbeddedPostgres({ dataDir: copied, ...quietly })
    t.after(() => copy.stop())
    assert.notEqual(copy.url, original.url)
    await inDatabase(copy.url, (sql) => sql`update kept set answer = 1`)
    assert.equal(await readRow(original.url), 42)
    await original.stop()
    return
  }
  await server.stop()
})

test('a cluster from another major version is rejected with an error that states the remedy', async (t) => {
  const dataDir = await newDataDir(t)
  const cluster = join(dataDir, 'postgres', 'cluster')
  await mkdir(cluster, { recursive: true })
  await chmod(dataDir, 0o755)
  await writeFile(join(cluster, 'PG_VERSION'), '17\n')
  await assert.rejects(startEmbeddedPostgres({ dataDir, ...quietly }), {
    name: 'Error',
    message: /created by PostgreSQL 17, but this Laurel includes 18.*DATABASE_URL\.$/,
  })
})

test('a nonexistent account is reported to root, and ignored for any other user', async (t) => {
  const dataDir = await newDataDir(t)
  const starting = startEmbeddedPostgres({ dataDir, account: 'no-such-account', ...quietly })
  if (isRoot) await assert.rejects(starting, /no ordinary account named no-such-account.*DATABASE_URL.*\.$/)
  else assert.equal(await (await starting).stop(), true)
})

test('a data folder that cannot be created is reported in an error that mentions DATABASE_URL', async (t) => {
  const dataDir = await newDataDir(t)
  const file = join(dataDir, '..', 'file')
  await writeFile(file, 'a file where the folder should be')
  await assert.rejects(startEmbeddedPostgres({ dataDir: join(file, 'data'), ...quietly }), /DATABASE_URL\.$/)
})
