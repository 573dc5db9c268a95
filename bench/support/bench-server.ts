import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { type Database, openDatabase } from '../../src/platform/database.ts'
import { migrate } from '../../src/platform/migrate.ts'
import { startEmbeddedPostgres } from '../../src/postgres/index.ts'

/**
 * The server that everything is measured on: the embedded one as Laurel runs it, with fsync, in a folder of its own.
 */
export type BenchServer = {
  readonly dataDir: string
  readonly version: string
  /** A migrated database; with a template, a copy of it; the template must have no open connection. */
  create(name: string, template?: string): Promise<string>
  open(name: string): Database
  drop(name: string): Promise<void>
  /** Says what is under way. */
  say(message: string): void
  close(): Promise<void>
}

const TEMPLATE = 'bench_template'
// Inside the checkout, because a temporary folder often lies in memory, where an fsync costs nothing.
const FOLDER = fileURLToPath(new URL('../../.laurel/', import.meta.url))

export async function startBenchServer(say: (message: string) => void): Promise<BenchServer> {
  await mkdir(FOLDER, { recursive: true, mode: 0o711 })
  const dataDir = await mkdtemp(join(FOLDER, 'bench-'))
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  const urlOf = (name: string): string => {
    const url = new URL(server.url)
    url.pathname = `/${name}`
    return url.href
  }
  const administer = (statement: string): Promise<void> => runAlone(urlOf('postgres'), statement)
  await administer(`create database ${TEMPLATE}`)
  await migrate(urlOf(TEMPLATE))
  return {
    dataDir,
    version: server.version,
    create: async (name, template = TEMPLATE) => {
      // Copied file by file: the other way writes the whole copy to the log, and the next measurement would pay for it.
      await administer(`create database ${name} template ${template} strategy file_copy`)
      return urlOf(name)
    },
    open: (name) => openDatabase(urlOf(name)),
    drop: (name) => administer(`drop database ${name} with (force)`),
    say,
    close: async () => {
      await server.stop()
      await removeDataDir(dataDir)
    },
  }
}

/**
 * Removes a data folder whose server is down. Its database may lie elsewhere, where the account that runs it can enter.
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
