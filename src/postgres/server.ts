import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'
import { ensureCluster, SUPERUSER } from './cluster.ts'
import { codeOf, EmbeddedPostgresError, messageOf } from './errors.ts'
import { answers, type Lease, takeLease } from './lease.ts'
import { findPlace, type Place, type ReadyPlace, readIfThere, settlePlace, writeOnce } from './location.ts'
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

export { EmbeddedPostgresError } from './errors.ts'

export type EmbeddedPostgres = {
  /** The database `laurel`, over TCP on 127.0.0.1, with the password. */
  readonly url: string
  readonly version: string
  /** True when the server was already running: left by a killed process, or in use by another. */
  readonly adopted: boolean
  /** Shuts the server down unless another Laurel process uses it; true when it is down. */
  stop(): Promise<boolean>
  /** Lets go of the server and leaves it running for whoever comes next. */
  leave(): Promise<void>
}

export type EmbeddedPostgresOptions = {
  readonly dataDir: string
  readonly log: (message: string) => void
  /** The account that runs the server when we are root; default nobody. An existing database keeps its account. */
  readonly account?: string | null
  /** False gives up fsync: only for databases of tests. */
  readonly durable?: boolean
  /** Called when the server has a process and starts by itself. */
  readonly onLaunch?: () => void
}

const DATABASE = 'laurel'
const PASSWORD_BYTES = 24
// Recovery after a crash replays up to max_wal_size; as long as the server works on it, we wait.
const START_LIMIT_MS = 600_000
// How long a server may fail to start before we believe it: orphans of a killed one need a moment to leave, and a
// port that was free may be taken.
const PATIENCE_MS = 10_000
const RELAUNCH_MS = 200
const SAY_SO_AFTER_MS = 3_000

/**
 * Runs PostgreSQL for a data folder: makes the database on the first start, adopts a server that still runs, starts
 * one otherwise (which recovers by itself after a crash). Two processes may do so at once; they share the server.
 * @throws EmbeddedPostgresError with one sentence that says what to do.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    return await start(options)
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error
    throw new EmbeddedPostgresError(
      `PostgreSQL cannot be run in ${options.dataDir} (${messageOf(error)}), so put the cause right or set DATABASE_URL.`,
      { cause: error },
    )
  }
}

/** The address of a data folder's server if one runs and answers; starts nothing. */
export async function findEmbeddedPostgres(options: { readonly dataDir: string }): Promise<{ url: string } | null> {
  const place = await findPlace(options.dataDir)
  const password = place && (await readIfThere(place.passwordFile))
  const postmaster = place && (await findPostmaster(place))
  if (!password || !postmaster?.ready) return null
  const url = urlOf(postmaster.port, password, DATABASE)
  return (await answers(url)) ? { url } : null
}

/** Creates the database on the server of the URL unless it is there, and returns its URL. */
export async function ensureDatabase(url: string, name: string): Promise<string> {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined })
  try {
    await sql`create database ${sql(name)}`
  } catch (error) {
    // 42P04 duplicate_database; 23505 when another process creates it at this very moment.
    if (!['42P04', '23505'].includes(codeOf(error) ?? '')) throw error
  } finally {
    await sql.end({ timeout: 5 })
  }
  const target = new URL(url)
  target.pathname = `/${name}`
  return target.href
}

async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const place = await settlePlace(options.dataDir, options.account ?? null)
  const password = await writeOnce(place.passwordFile, randomBytes(PASSWORD_BYTES).toString('hex'))
  const durable = options.durable ?? true
  await ensureCluster(place, { password, durable })
  const { postmaster, lease, adopted } = await reachServer(place, { ...options, password, durable })
  try {
    await writeFile(place.portFile, `${postmaster.port}\n`, { mode: 0o600 })
    const url = await ensureDatabase(urlOf(postmaster.port, password, 'postgres'), DATABASE)
    options.log(
      `PostgreSQL ${lease.version} ${adopted ? 'was still running and is adopted' : 'started'} on 127.0.0.1:${postmaster.port}`,
    )
    return {
      url,
      version: lease.version,
      adopted,
      stop: () => stop(place, postmaster, lease, options.log),
      leave: () => lease.close(),
    }
  } catch (error) {
    await lease.close()
    throw error
  }
}

type Reached = { readonly postmaster: Postmaster; readonly lease: Lease; readonly adopted: boolean }

/**
 * Looks, and acts on what it sees, until a server lets us in. Nothing is assumed from one look to the next: another
 * process may start the same server, or stop it, at any moment.
 */
async function reachServer(
  place: ReadyPlace,
  options: EmbeddedPostgresOptions & { readonly password: string; readonly durable: boolean },
): Promise<Reached> {
  const began = Date.now()
  let launched: Launched | null = null
  let failingSince: number | null = null
  let said = false
  let wanted = await rememberedPort(place)
  while (Date.now() - began < START_LIMIT_MS) {
    const postmaster = await findPostmaster(place)
    if (postmaster?.ready) {
      const lease = await enter(place, urlOf(postmaster.port, options.password, 'postgres'))
      if (lease !== null) return { postmaster, lease, adopted: postmaster.pid !== launched?.pid }
    } else if (postmaster === null && (launched === null || launched.hasEnded())) {
      if (launched !== null) {
        // The port is given up only when a second try fails too: most first failures have other causes.
        if (failingSince !== null) wanted = null
        failingSince ??= Date.now()
        if (Date.now() - failingSince > PATIENCE_MS) throw await notStarting(place)
        await wait(RELAUNCH_MS)
      }
      launched = await launch(place, { port: await freePort(wanted), durable: options.durable })
      options.onLaunch?.()
    }
    if (!said && Date.now() - began > SAY_SO_AFTER_MS) {
      said = true
      options.log('PostgreSQL is starting; after a crash it first recovers what was written')
    }
    await wait(POLL_MS)
  }
  throw await notStarting(place)
}

async function enter(place: Place, url: string): Promise<Lease | null> {
  try {
    return await takeLease(url)
  } catch (error) {
    // 28P01 invalid_password: the file was replaced, or belongs to another database.
    if (codeOf(error) !== '28P01') throw error
    throw new EmbeddedPostgresError(
      `The database of ${place.dataDir} refuses the password in ${place.passwordFile}, so bring back the file that was made with it.`,
    )
  }
}

/** One server, one port: a person's saved connection keeps working for as long as nobody else takes the port. */
async function rememberedPort(place: Place): Promise<number | null> {
  const port = Number(await readIfThere(place.portFile))
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null
}

async function notStarting(place: Place): Promise<EmbeddedPostgresError> {
  return new EmbeddedPostgresError(
    `PostgreSQL does not start (${await lastFatalLine(place)}; its log is ${place.logFile}), so put the cause right or set DATABASE_URL.`,
  )
}

async function stop(
  place: Place,
  postmaster: Postmaster,
  lease: Lease,
  log: (message: string) => void,
): Promise<boolean> {
  try {
    if (!(await lease.giveUp())) {
      log('PostgreSQL keeps running for another Laurel process that uses it')
      return false
    }
    const down = await shutDown(place, postmaster.pid)
    log(down ? 'PostgreSQL is shut down' : 'PostgreSQL was told to shut down and is still writing')
    return down
  } finally {
    await lease.close()
  }
}

function urlOf(port: number, password: string, database: string): string {
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`
}
