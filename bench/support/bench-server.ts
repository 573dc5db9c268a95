import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { startEmbeddedPostgres } from '../../src/platform/postgres/index.ts'

/**
 * The server used for all measurements: the embedded PostgreSQL as Laurel runs it, with fsync on, in its own folder.
 */
export type BenchServer = {
  readonly dataDir: string
  readonly version: string
  /**
   * Creates a migrated database, or a copy of the given template, and returns its URL. The template must have no open
   * connections.
   */
  create(name: string, template?: string): Promise<string>
  open(name: string): Database
  drop(name: string): Promise<void>
  /** Reports progress. */
  say(message: string): void
  close(): Promise<void>
}

const TEMPLATE = 'bench_template'
// Inside the checkout, because a temporary folder is often in memory, where an fsync costs nothing.
const FOLDER = fileURLToPath(new URL('../../.laurel/', import.meta.url))

export async function startBenchServer(say: (message: string) => void): Promise<BenchServer> {
  await mkdir(FOLDER, { recursive: true, mode: 0o711 })
  const dataDir = await mkdtemp(join(FOLDER, 'bench-'))
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  const buildUrl = (name: string): string => {
    const url = new URL(server.url)
    url.pathname = `/${name}`
    return url.href
  }
  const administer = (statement: string): Promise<void> => runAlone(buildUrl('postgres'), statement)
  await administer(`create database ${TEMPLATE}`)
  await migrate(buildUrl(TEMPLATE))
  return {
    dataDir,
    version: server.version,
    create: async (name, template = TEMPLATE) => {
      // Copies file by file. The alternative writes the entire copy to the WAL, and the next measurement would pay for
      // it.
      await administer(`create database ${name} template ${template} strategy file_copy`)
      return buildUrl(name)
    },
    open: (name) => openDatabase(buildUrl(name)),
    drop: (name) => administer(`drop database ${name} with (force)`),
    say,
    close: async () => {
      await server.stop()
      await removeDataDir(dataDir)
    },
  }
}

/**
 * Removes the data folder of a stopped server. Its database may be elsewhere, in a folder that the account running it
 * can enter.
 */
export async function removeDataDir(dataDir: string): Promise<void> {
  const pointer = join(dataDir, 'postgres.location')
  if (existsSync(pointer)) await rm((await readFile(pointer, 'utf8')).trim(), { recursive: true, force: true })
  await rm(dataDir, { recursive: true, force: true })
}

async function runAlone(url: string, statement: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    await sql.unsafe(statement)
  } finally {
    await sql.end({ timeout: 5 })
  }
}
