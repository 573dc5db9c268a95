import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'
import { readIfThere, writeOnce } from '../platform/files.ts'
import { ensureCluster, SERVICE, SUPERUSER } from './cluster.ts'
import { type DataLocation, findLocation, hasDatabase, prepareLocation, type ReadyLocation } from './data-location.ts'
import { codeOf, EmbeddedPostgresError, messageOf } from './errors.ts'
import { answers, type Lease, takeLease } from './lease.ts'
import {
  findPostmaster,
  freePort,
  type Launched,
  lastFatalLine,
  launch,
  POLL_MS,
  type Postmaster,
  shutDown,
} from './postmaster.ts'

export type EmbeddedPostgres = {
  /** The database `laurel`, over TCP on 127.0.0.1, under the account that owns its tables. */
  readonly url: string
  /** The same under the service's account. */
  readonly serviceUrl: string
  readonly version: string
  /** True when the server was already running: left by a killed process, or in use by another. */
  readonly adopted: boolean
  /** Shuts the server down unless another Laurel process uses it; true when it is down. */
  stop(): Promise<boolean>
  /** Releases the server and leaves it running for the next process. */
  leave(): Promise<void>
}

type EmbeddedPostgresOptions = {
  readonly dataDir: string
  readonly log: (message: string) => void
  /** The account that runs the server when we are root, by default nobody. An existing database keeps its account. */
  readonly account?: string | null
  /** False refuses a data folder without a database; otherwise the database is created. */
  readonly creates?: boolean
  /** False turns fsync off: only for databases of tests. */
  readonly durable?: boolean
  /** Called when the process of the server exists and continues to start on its own. */
  readonly onLaunch?: () => void
}

const DATABASE = 'laurel'
const PASSWORD_BYTES = 24
// Recovery after a crash replays up to max_wal_size, which takes minutes on a slow disk.
const START_LIMIT_MS = 600_000
// How long launches may keep failing: orphans of a killed server need a moment to end, and a free port may be taken.
const LAUNCH_LIMIT_MS = 10_000
const RELAUNCH_MS = 200
const REPORT_AFTER_MS = 3_000

/**
 * Runs PostgreSQL for a data folder: creates the database on the first start, adopts a server that still runs, and
 * otherwise starts one, which recovers by itself after a crash. Processes that do so at once share the server.
 * @throws EmbeddedPostgresError with one sentence that says what to do.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    return await start(options)
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error
    throw new EmbeddedPostgresError(
      `PostgreSQL cannot be run in ${options.dataDir} (${messageOf(error)}), so fix the cause or set DATABASE_URL.`,
      { cause: error },
    )
  }
}

/** The owner's address of the server of a data folder if one runs and answers. Starts nothing. */
export async function findEmbeddedPostgres(options: { readonly dataDir: string }): Promise<{ url: string } | null> {
  const location = await findLocation(options.dataDir)
  const password = location && (await readIfThere(location.passwordFile))
  const postmaster = location && (await findPostmaster(location))
  if (!password || !postmaster?.ready) return null
  const url = urlOf(SUPERUSER, postmaster.port, password, DATABASE)
  return (await answers(url)) ? { url } : null
}

// 42P04 duplicate_database, 42710 duplicate_object; 23505 when another process creates it at the same moment.
const EXISTS = ['42P04', '42710', '23505']

/**
 * Creates the database and the service's account unless they exist. The account has the owner's password: the file
 * that holds it opens the data folder anyway, and what the two accounts keep apart are mistakes in statements.
 */
async function ensureDatabase(port: number, password: string): Promise<{ url: string; serviceUrl: string }> {
  const sql = postgres(urlOf(SUPERUSER, port, password, 'postgres'), {
    max: 1,
    fetch_types: false,
    onnotice: () => undefined,
  })
  const unlessThere = (error: unknown): void => {
    if (!EXISTS.includes(codeOf(error) ?? '')) throw error
  }
  try {
    await sql`create database ${sql(DATABASE)}`.catch(unlessThere)
    // A statement of this kind takes no parameters; the password is hexadecimal.
    await sql.unsafe(`create role ${SERVICE} login password '${password}'`).catch(unlessThere)
  } finally {
    await sql.end({ timeout: 5 })
  }
  return { url: urlOf(SUPERUSER, port, password, DATABASE), serviceUrl: urlOf(SERVICE, port, password, DATABASE) }
}

async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  if (options.creates === false && !hasDatabase(options.dataDir)) {
    throw new EmbeddedPostgresError(
      `There is no database in ${options.dataDir}, so run \`npm start\` first, which creates it, or set LAUREL_DATA_DIR or DATABASE_URL.`,
    )
  }
  const location = await prepareLocation(options.dataDir, options.account ?? null)
  const password = await writeOnce(location.passwordFile, randomBytes(PASSWORD_BYTES).toString('hex'))
  const durable = options.durable ?? true
  await ensureCluster(location, { password, durable })
  const { postmaster, lease, adopted } = await reachServer(location, { ...options, password, durable })
  try {
    await writeFile(location.portFile, `${postmaster.port}\n`, { mode: 0o600 })
    const urls = await ensureDatabase(postmaster.port, password)
    options.log(
      `PostgreSQL ${lease.version} ${adopted ? 'is already running' : 'started'} on 127.0.0.1:${postmaster.port}`,
    )
    return {
      ...urls,
      version: lease.version,
      adopted,
      stop: () => stop(location, postmaster, lease, options.log),
      leave: () => lease.close(),
    }
  } catch (error) {
    await lease.close()
    throw error
  }
}

type Reached = { readonly postmaster: Postmaster; readonly lease: Lease; readonly adopted: boolean }

/**
 * Observes the server and acts, until it grants a lease. Each round assumes nothing from the last: another process may
 * start or stop the same server at any moment.
 */
async function reachServer(
  location: ReadyLocation,
  options: EmbeddedPostgresOptions & { readonly password: string; readonly durable: boolean },
): Promise<Reached> {
  const began = Date.now()
  let launched: Launched | null = null
  let failingSince: number | null = null
  let isReported = false
  let wanted = await rememberedPort(location)
  while (Date.now() - began < START_LIMIT_MS) {
    const postmaster = await findPostmaster(location)
    if (postmaster?.ready) {
      const lease = await enter(location, urlOf(SUPERUSER, postmaster.port, options.password, 'postgres'))
      if (lease !== null) return { postmaster, lease, adopted: postmaster.pid !== launched?.pid }
    } else if (postmaster === null && (launched === null || launched.hasEnded())) {
      if (launched !== null) {
        // Only a second failure gives up the port: most first failures have other causes.
        if (failingSince !== null) wanted = null
        failingSince ??= Date.now()
        if (Date.now() - failingSince > LAUNCH_LIMIT_MS) throw await notStarting(location)
        await wait(RELAUNCH_MS)
      }
      launched = await launch(location, { port: await freePort(wanted), durable: options.durable })
      options.onLaunch?.()
    }
    if (!isReported && Date.now() - began > REPORT_AFTER_MS) {
      isReported = true
      options.log('PostgreSQL is starting; after a crash it first recovers')
    }
    await wait(POLL_MS)
  }
  throw await notStarting(location)
}

async function enter(location: DataLocation, url: string): Promise<Lease | null> {
  try {
    return await takeLease(url)
  } catch (error) {
    // 28P01 invalid_password: the file was replaced, or belongs to another database.
    if (codeOf(error) !== '28P01') throw error
    throw new EmbeddedPostgresError(
      `The database of ${location.dataDir} refuses the password in ${location.passwordFile}, so restore the file that was created with it.`,
    )
  }
}

/** The server keeps its port while no other program takes it, so that saved connections keep working. */
async function rememberedPort(location: DataLocation): Promise<number | null> {
  const port = Number(await readIfThere(location.portFile))
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null
}

async function notStarting(location: DataLocation): Promise<EmbeddedPostgresError> {
  return new EmbeddedPostgresError(
    `PostgreSQL does not start (${await lastFatalLine(location)}; its log is ${location.logFile}), so fix the cause or set DATABASE_URL.`,
  )
}

async function stop(
  location: DataLocation,
  postmaster: Postmaster,
  lease: Lease,
  log: (message: string) => void,
): Promise<boolean> {
  try {
    if (!(await lease.giveUp())) {
      log('PostgreSQL keeps running, because another Laurel process uses it')
      return false
    }
    const down = await shutDown(location, postmaster.pid)
    log(down ? 'PostgreSQL is shut down' : 'PostgreSQL is shutting down and still writing')
    return down
  } finally {
    await lease.close()
  }
}

function urlOf(account: string, port: number, password: string, database: string): string {
  return `postgres://${account}:${password}@127.0.0.1:${port}/${database}`
}
