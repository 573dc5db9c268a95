import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { createCatalogStore } from '../../src/catalog/catalog/index.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { Config } from '../../src/platform/config/config.ts'
import { ADOPTION_REFUSED, judgeHistory, listApplied } from '../../src/platform/db/adoption.ts'
import { DRIFT_MAX_MS, measureDrift } from '../../src/platform/db/clock-guard.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { findEmbeddedPostgres, hasDatabase, startEmbeddedPostgres } from '../../src/platform/postgres/index.ts'
import { listFailedFacts } from '../../src/platform/queue/outbox.ts'
import {
  ALIVE_SECONDS,
  chooseKeySource,
  describeRotation,
  findKeyFault,
  listHolders,
  listMasterKeys,
} from '../../src/platform/vault/index.ts'
import { listUnserved, PRODUCTION_SETTINGS, WITHOUT_LINKING } from '../../src/purchases/linker/index.ts'
import { isWorker } from '../../src/storage.ts'
import { listDocuments } from '../../src/users/terms/index.ts'
import { toFailure } from '../errors.ts'
import { formatCount } from '../terminal.ts'
import { type Check, fail, pass } from './check.ts'
import { canChangeBooks, getServerVersion } from './queries.ts'

type DatabaseReport = {
  readonly checks: readonly Check[]
  readonly kind: 'embedded' | 'given'
  readonly version: string | null
}

const MIGRATIONS = new URL('../../db/migrations/', import.meta.url)
const OLDEST_SERVER = 15

/** Inspects the database without changing it. If the embedded server is stopped, it is started just for the checks. */
export async function examineDatabase(config: Config): Promise<DatabaseReport> {
  const kind = config.databaseUrl === null ? 'embedded' : 'given'
  if (kind === 'embedded' && !hasDatabase(config.dataDir)) {
    const check = fail(
      'database',
      'there is none yet',
      'Run `npm start` once to create the embedded database, or set DATABASE_URL.',
    )
    return { checks: [check], kind, version: null }
  }
  try {
    const { url, close } = await reach(config)
    const db = openDatabase(url, { connections: 2 })
    try {
      const version = await getServerVersion(db.reader)
      return { checks: await runChecks(config, db, version, kind), kind, version }
    } finally {
      await db.close()
      await close()
    }
  } catch (error) {
    const remedy =
      kind === 'embedded'
        ? 'See postgres.log in the data folder.'
        : 'Check that the server is running and that DATABASE_URL is correct.'
    return { checks: [fail('database', toFailure(error).lines[0] ?? 'unreachable', remedy)], kind, version: null }
  }
}

async function reach(config: Config): Promise<{ url: string; close(): Promise<unknown> }> {
  const given = config.databaseDirectUrl ?? config.databaseUrl
  if (given !== null) return { url: given, close: async () => undefined }
  const running = await findEmbeddedPostgres({ dataDir: config.dataDir })
  if (running !== null) return { url: running.url, close: async () => undefined }
  const server = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    log: () => undefined,
    account: config.databaseAccount,
  })
  return { url: server.url, close: server.stop }
}

async function runChecks(
  config: Config,
  db: Database,
  version: string,
  kind: DatabaseReport['kind'],
): Promise<Check[]> {
  if (Number.parseInt(version, 10) < OLDEST_SERVER) {
    return [fail('database', `PostgreSQL ${version}`, `Laurel needs PostgreSQL ${OLDEST_SERVER} or later.`)]
  }
  const reached = pass('database', `PostgreSQL ${version}, ${kind}`)
  const migrations = await checkMigrations(db)
  if (!migrations.ok) return [reached, migrations]
  return [
    reached,
    migrations,
    await checkClock(db),
    await checkWorker(db),
    await checkAccount(db, kind),
    await checkSealing(config, db),
    await checkEnvironments(config, db),
    await checkTerms(db),
    await checkCatalog(db),
    await checkFacts(db),
  ]
}

/** Checks that this process has the master keys that seal the secrets in this database. */
async function checkSealing({ masterKeys, dataDir }: Config, db: Database): Promise<Check> {
  const present = await listMasterKeys(db.reader)
  const { file, read } = chooseKeySource(masterKeys, dataDir)
  const held = file === null || existsSync(file) ? read() : []
  const fault = findKeyFault(present, held)
  if (fault !== null) return fail('secrets', 'a master key is missing', fault)
  const sealing = present.find((row) => row.state === 'sealing')
  const begun = describeRotation(present, held, { isFile: file !== null })
  if (begun !== null) return fail('secrets', begun, 'If it is not running, resume it with `./laurel secrets rotate`.')
  return pass('secrets', sealing === undefined ? 'none yet' : `sealed under the master key ${sealing.keyId}`)
}

async function checkMigrations(db: Database): Promise<Check> {
  const recorded = await listApplied(db.reader)
  const history = judgeHistory(recorded)
  if (history === 'refused') return fail('migrations', 'from before the baseline', ADOPTION_REFUSED)
  const applied = new Set(history === 'adoptable' ? [] : recorded.map(({ number }) => number))
  const known = (await readdir(MIGRATIONS)).filter((name) => /^\d{4}_.*\.sql$/.test(name))
  const waiting = known.filter((name) => !applied.has(Number(name.slice(0, 4))))
  const newer = [...applied].filter((number) => !known.some((name) => Number(name.slice(0, 4)) === number))
  if (newer.length > 0) return fail('migrations', 'the database is newer than this checkout', 'Update the checkout.')
  if (waiting.length === 0) return pass('migrations', `${known.length}, all applied`)
  return fail(
    'migrations',
    `${waiting.length} of ${known.length} not applied`,
    'Run `./laurel migrate`, or start the service, with DATABASE_OWNER_URL if another account owns the tables.',
  )
}

/**
 * Checks that the service's account cannot change booked rows. With an embedded database, doctor connects as the owner
 * but the service does not, so doctor's ownership proves nothing about the service.
 */
async function checkAccount(db: Database, kind: DatabaseReport['kind']): Promise<Check> {
  if (kind === 'embedded' || !(await canChangeBooks(db.reader))) return pass('account', 'can only add to the books')
  return pass('account', 'owns its tables; with DATABASE_OWNER_URL, the service could not change what is booked')
}

async function checkWorker(db: Database): Promise<Check> {
  const workers = (await listHolders(db.reader, ALIVE_SECONDS)).filter(({ name }) => isWorker(name))
  if (workers.length > 0) return pass('worker', workers.map(({ name }) => name).join(', '))
  return fail(
    'worker',
    'none is running, so events are not numbered or delivered, and rewards do not mature',
    'Run `npm start`, or `./laurel start` with LAUREL_ROLE=worker.',
  )
}

async function checkClock(db: Database): Promise<Check> {
  const driftMs = await measureDrift(db.reader, systemClock)
  if (Math.abs(driftMs) <= DRIFT_MAX_MS) return pass('clock', "agrees with the database's")
  const seconds = Math.round(Math.abs(driftMs) / 1_000)
  return fail(
    'clock',
    `${formatCount(seconds, 'second')} ${driftMs > 0 ? 'ahead of' : 'behind'} the database's, so nothing matures or is dropped here`,
    'Synchronize the clocks of both machines with NTP.',
  )
}

/** Checks for publishers that would prevent the service from starting. */
async function checkEnvironments({ linkers }: Config, db: Database): Promise<Check> {
  const unserved = await listUnserved(db.reader, linkers)
  if (unserved.length === 0) return pass('environments', "the linking provider serves every publisher's environment")
  const names = unserved.map(({ name }) => name).join(', ')
  return fail(
    'environments',
    `production publishers cannot link cards: ${names}`,
    `Set ${PRODUCTION_SETTINGS}. Alternatively, ${WITHOUT_LINKING}.`,
  )
}

async function checkTerms(db: Database): Promise<Check> {
  const document = (await listDocuments(db.reader, null)).at(-1)
  if (document !== undefined) return pass('terms', `revision ${document.revision}`)
  return fail(
    'terms',
    'none published, so no user can become ACTIVE',
    'Run `./laurel terms publish --url U --revision R`.',
  )
}

async function checkCatalog(db: Database): Promise<Check> {
  const { brands, offers } = await createCatalogStore(db).current()
  if (brands.size > 0)
    return pass('catalog', `${formatCount(brands.size, 'brand')}, ${formatCount(offers.size, 'offer')}`)
  return fail(
    'catalog',
    'it is empty, so nothing can be earned',
    'Run `./laurel catalog import db/sample/catalog.json`, or your own file.',
  )
}

async function checkFacts(db: Database): Promise<Check> {
  const failed = await listFailedFacts(db.reader)
  const [oldest] = failed
  if (oldest === undefined) return pass('facts', 'none failed for good')
  return fail(
    'facts',
    `${formatCount(failed.length, 'fact')} failed for good, the oldest being ${oldest.name}: ${oldest.error}`,
    'Fix the cause. List all with `./laurel facts list`, and retry them with `./laurel facts retry --all`.',
  )
}
