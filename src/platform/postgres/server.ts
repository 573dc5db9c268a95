import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'
import { readIfThere, writeOnce } from '../files.ts'
import { ensureCluster, SERVICE, SUPERUSER } from './cluster.ts'
import { type DataLocation, findLocation, hasDatabase, prepareLocation, type ReadyLocation } from './data-location.ts'
import { EmbeddedPostgresError, findErrorCode, toMessage } from './errors.ts'
import { isAnswering, type Lease, takeLease } from './lease.ts'
import {
  findPostmaster,
  freePort,
  type Launched,
  launch,
  POLL_MS,
  type Postmaster,
  readLastFatalLine,
  shutDown,
} from './postmaster.ts'

export type EmbeddedPostgres = {
  /** The URL of the database `laurel` over TCP on 127.0.0.1, under the account that owns its tables. */
  readonly url: string
  /** The URL of the same database under the service's account. */
  readonly serviceUrl: string
  readonly version: string
  /** True if the server was already running, either left by a killed process or in use by another process. */
  readonly adopted: boolean
  /** Shuts the server down unless another Laurel process uses it. Returns true if it is down. */
  stop(): Promise<boolean>
  /** Releases the server and leaves it running for the next process. */
  leave(): Promise<void>
}

type EmbeddedPostgresOptions = {
  readonly dataDir: string
  readonly log: (message: string) => void
  /** The account that runs the server if we are root; `nobody` by default. An existing database keeps its account. */
  readonly account?: string | null
  /** If false, rejects a data folder without a database instead of creating one. */
  readonly creates?: boolean
  /** If false, fsync is turned off. Only for test databases. */
  readonly durable?: boolean
  /** Called once the server process exists, while it is still starting up. */
  readonly onLaunch?: () => void
}

const DATABASE = 'laurel'
const PASSWORD_BYTES = 24
// Crash recovery replays up to max_wal_size, which takes minutes on a slow disk.
const START_LIMIT_MS = 600_000
// Failed launches are retried for this long, because orphans of a killed server take a moment to exit and another
// program can take a free port.
const LAUNCH_LIMIT_MS = 10_000
const RELAUNCH_MS = 200
const REPORT_AFTER_MS = 3_000

/**
 * Runs PostgreSQL for a data folder. Creates the database on the first start, adopts a server that is still running,
 * and otherwise starts one, which recovers by itself after a crash. Concurrent processes share the server.
 * @throws EmbeddedPostgresError with a message that states the remedy
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    return await start(options)
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error
    throw new EmbeddedPostgresError(
      `PostgreSQL cannot run in ${options.dataDir} (${toMessage(error)}). Fix the cause or set DATABASE_URL.`,
      { cause: error },
    )
  }
}

/** Returns the URL at which the owner reaches a data folder's server, if it is running and responds. Starts nothing. */
export async function findEmbeddedPostgres(options: { readonly dataDir: string }): Promise<{ url: string } | null> {
  const location = await findLocation(options.dataDir)
  const password = location && (await readIfThere(location.passwordFile))
  const postmaster = location && (await findPostmaster(location))
  if (!password || !postmaster?.ready) return null
  const url = buildUrl(SUPERUSER, postmaster.port, password, DATABASE)
  return (await isAnswering(url)) ? { url } : null
}

// 42P04 duplicate_database and 42710 duplicate_object, or 23505 if another process creates it at the same moment.
const EXISTS = ['42P04', '42710', '23505']

/**
 * Creates the database and the service's account unless they exist. Both accounts share a password, because whoever can
 * read its file can access the data folder anyway. The separate accounts only guard against mistakes in statements.
 */
async function ensureDatabase(port: number, password: string): Promise<{ url: string; serviceUrl: string }> {
  const sql = postgres(buildUrl(SUPERUSER, port, password, 'postgres'), {
    max: 1,
    fetch_types: false,
    onnotice: () => undefined,
  })
  const unlessThere = (error: unknown): void => {
    if (!EXISTS.includes(findErrorCode(error) ?? '')) throw error
  }
  try {
    await sql`create database ${sql(DATABASE)}`.catch(unlessThere)
    // CREATE ROLE accepts no bind parameters. The password is hexadecimal, so it needs no escaping.
    await sql.unsafe(`create role ${SERVICE} login password '${password}'`).catch(unlessThere)
  } finally {
    await sql.end({ timeout: 5 })
  }
  return { url: buildUrl(SUPERUSER, port, password, DATABASE), serviceUrl: buildUrl(SERVICE, port, password, DATABASE) }
}

async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  if (options.creates === false && !hasDatabase(options.dataDir)) {
    throw new EmbeddedPostgresError(
      `There is no database in ${options.dataDir}. Run \`npm start\` first, which creates it, or set ` +
        'LAUREL_DATA_DIR or DATABASE_URL.',
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
 * Polls the server, launching it if necessary, until it grants a lease. Each round starts from scratch, because another
 * process can start or stop the same server at any moment.
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
      const lease = await enter(location, buildUrl(SUPERUSER, postmaster.port, options.password, 'postgres'))
      if (lease !== null) return { postmaster, lease, adopted: postmaster.pid !== launched?.pid }
    } else if (postmaster === null && (launched === null || launched.hasEnded())) {
      if (launched !== null) {
        // The port is given up only after a second failure, because most first failures have other causes.
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
      options.log('PostgreSQL is starting; after a crash, it recovers first')
    }
    await wait(POLL_MS)
  }
  throw await notStarting(location)
}

async function enter(location: DataLocation, url: string): Promise<Lease | null> {
  try {
    return await takeLease(url)
  } catch (error) {
    // 28P01 invalid_password: the file was replaced or belongs to another database.
    if (findErrorCode(error) !== '28P01') throw error
    throw new EmbeddedPostgresError(
      `The database of ${location.dataDir} rejects the password in ${location.passwordFile}. Restore the ` +
        'password file that was created with it.',
    )
  }
}

/**
 * Returns the server's last port. The port is reused until another program takes it, so that saved connections keep
 * working.
 */
async function rememberedPort(location: DataLocation): Promise<number | null> {
  const port = Number(await readIfThere(location.portFile))
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null
}

async function notStarting(location: DataLocation): Promise<EmbeddedPostgresError> {
  return new EmbeddedPostgresError(
    `PostgreSQL does not start (${await readLastFatalLine(location)}; its log is ${location.logFile}). Fix the cause ` +
      'or set DATABASE_URL.',
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
      log('PostgreSQL keeps running because another Laurel process uses it')
      return false
    }
    const down = await shutDown(location, postmaster.pid)
    log(down ? 'PostgreSQL has shut down' : 'PostgreSQL is shutting down and still writing to disk')
    return down
  } finally {
    await lease.close()
  }
}

function buildUrl(account: string, port: number, password: string, database: string): string {
  return `postgres://${account}:${password}@127.0.0.1:${port}/${database}`
}
