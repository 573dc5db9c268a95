import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import postgres from 'postgres'
import { type Database, findSqlState, openDatabase } from '../../src/platform/db/database.ts'
import { hashMigrations, migrate } from '../../src/platform/db/migrate.ts'
import { startEmbeddedPostgres } from '../../src/platform/postgres/index.ts'

const SERVICE = 'laurel_service'

type TestDatabase = { readonly url: string; drop(): Promise<void> }

// An arbitrary lock ID. While one process creates the template, the others wait.
const TEMPLATE_LOCK = 7_265_003
const OURS = process.getuid?.() ?? 0
const CHECKOUT = new URL('../../', import.meta.url).href

/**
 * Returns the URL of a server on which tests may create databases. It is TEST_DATABASE_URL, the server that the test
 * run started, or else one started here, which keeps running for later single-file runs until a full run cleans it up.
 */
async function testServer(): Promise<string> {
  const given = process.env['TEST_DATABASE_URL'] ?? process.env['LAUREL_TEST_SERVER']
  if (given) return given
  const { url, environment } = await startTestServer()
  Object.assign(process.env, environment)
  return url
}

/** Returns the variables that a process with another environment needs to reach the test databases. */
export function databaseEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => /^PG[A-Z]+$/.test(name))) as Record<
    string,
    string
  >
}

type TestServer = {
  readonly url: string
  /** Variables that give the driver the values that the URL of a Unix socket cannot contain. */
  readonly environment: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** Runs this checkout's test server, shared by all of its test processes. Its data is disposable. */
export async function startTestServer(): Promise<TestServer> {
  const checkout = createHash('sha256').update(`${CHECKOUT} ${OURS}`).digest('hex').slice(0, 16)
  const dataDir = join(await folderForTests(), `laurel-tests-${checkout}`)
  await mkdir(dataDir, { recursive: true })
  if ((await stat(dataDir)).uid !== OURS) throw new Error(`${dataDir} belongs to another account; remove it.`)
  await chmod(dataDir, 0o711)
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined, durable: false })
  const pointer = join(dataDir, 'postgres.location')
  const home = existsSync(pointer) ? (await readFile(pointer, 'utf8')).trim() : join(dataDir, 'postgres')
  return {
    ...buildAddress(server.url, join(home, 'cluster')),
    stop: async () => {
      if (!(await server.stop())) return
      await rm(home, { recursive: true, force: true })
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

// The system's length limit for a socket path.
const SOCKET_PATH_MAX = 107

/** Returns the address of the socket in the folder, or a TCP address if the path is too long. */
function buildAddress(url: string, folder: string): Pick<TestServer, 'url' | 'environment'> {
  const { port, username, password } = new URL(url)
  const socket = join(folder, `.s.PGSQL.${port}`)
  if (socket.length > SOCKET_PATH_MAX || !existsSync(socket))
    return { url: withDatabase(url, 'postgres'), environment: {} }
  const environment = { PGHOST: folder, PGPORT: port, PGUSER: username, PGPASSWORD: password }
  return { url: 'postgres:///postgres', environment }
}

// The databases of two concurrent test files, including their write-ahead logs, take up far less than this.
const MEMORY_BYTES_MIN = 4 * 1024 ** 3

/**
 * Returns a folder in memory if there is enough memory. On disk, creating a database's thousand files takes half a
 * second.
 */
async function folderForTests(): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => null)
  return memory !== null && memory.bavail * memory.bsize >= MEMORY_BYTES_MIN ? '/dev/shm' : tmpdir()
}

/** Creates a migrated, empty database for one test file. It is dropped once the file's tests and hooks have ended. */
export async function testDatabase(name = 'test'): Promise<TestDatabase> {
  const server = await testServer()
  const database = `laurel_${name.replace(/[^a-z0-9]+/g, '_')}_${randomBytes(6).toString('hex')}`
  await administer(server, async (sql) => {
    const template = await ensureTemplate(sql, server)
    await sql`create database ${sql(database)} template ${sql(template)} strategy file_copy`
  })
  let dropped = false
  const drop = async () => {
    if (dropped) return
    dropped = true
    await administer(server, (sql) => sql`drop database if exists ${sql(database)} with (force)`)
  }
  // A hook of the test runner would be too early, because hooks run in the order they were created, and files close
  // their pools in later hooks.
  process.once('beforeExit', () => void drop())
  return { url: withDatabase(server, database), drop }
}

/** Creates a test database and opens it as a pool until the file's tests have ended. */
export async function openTestDatabase(name: string, { connections = 4 } = {}): Promise<Database> {
  const { url, drop } = await testDatabase(name)
  const db = openDatabase(url, { connections })
  after(async () => {
    await db.close()
    await drop()
  })
  return db
}

/**
 * Creates the template under another name and renames it once complete, so a killed process leaves no half-migrated
 * template.
 */
async function ensureTemplate(sql: postgres.Sql, server: string): Promise<string> {
  const template = `laurel_template_${await hashMigrations()}`
  await sql`select pg_advisory_lock(${TEMPLATE_LOCK})`
  try {
    const present = await sql`select 1 from pg_database where datname = ${template}`
    if (present.length === 0) {
      const draft = `${template}_draft`
      await sql`drop database if exists ${sql(draft)} with (force)`
      await sql`create database ${sql(draft)}`
      await ensureService(sql, server)
      await migrate(withDatabase(server, draft), { service: SERVICE })
      await sql`alter database ${sql(draft)} rename to ${sql(template)}`
    }
  } finally {
    await sql`select pg_advisory_unlock(${TEMPLATE_LOCK})`
  }
  return template
}

/**
 * Creates the service's own login once for all databases on the server. Its password is the owner's, as in a data
 * folder.
 */
async function ensureService(sql: postgres.Sql, server: string): Promise<void> {
  await sql`create role ${sql(SERVICE)}`.catch(unlessThere)
  const password = decodeURIComponent(new URL(server).password) || (process.env['PGPASSWORD'] ?? '')
  // This kind of statement takes no parameters, so its text is built first.
  const [row] = await sql<[{ text: string }]>`
    select format('alter role %I login password %L', ${SERVICE}::text, ${password}::text) as text`
  await sql.unsafe(row.text)
}

const DUPLICATE_OBJECT = '42710'

function unlessThere(error: unknown): void {
  if (findSqlState(error) !== DUPLICATE_OBJECT) throw error
}

/**
 * Returns the URL that the service uses to reach a test database, with a login that owns nothing. It uses TCP, because
 * the URL of a Unix socket cannot contain a login.
 */
export function asService(url: string): string {
  const { PGPORT = '', PGPASSWORD = '' } = process.env
  const target = new URL(url.replace(/^postgres:\/\/\//, `postgres://:${PGPASSWORD}@127.0.0.1:${PGPORT}/`))
  target.username = SERVICE
  return target.href
}

async function administer(server: string, work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(server, { max: 1, onnotice: () => undefined })
  try {
    await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

function withDatabase(url: string, database: string): string {
  const target = new URL(url)
  target.pathname = `/${database}`
  return target.href
}
