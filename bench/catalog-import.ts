import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type CatalogInput, importCatalog } from '../src/catalog/catalog/index.ts'
import type { Database } from '../src/platform/db/database.ts'
import type { Benchmark, Reading } from './benchmark.ts'
import type { BenchServer } from './support/bench-server.ts'
import { yieldCatalogLines } from './support/catalog-file.ts'
import { measureSeconds } from './support/rounds.ts'

const BRANDS = 100_000
/** The tables that an import writes to, in foreign key order. */
const TABLES = ['categories', 'brands', 'offers', 'offer_versions', 'stores', 'programs'] as const

export const catalogImport: Benchmark = {
  name: 'catalog-import',
  about:
    'a file of 100,000 brands with 500,000 offers in JSON Lines, imported into an empty catalog. The limit is a COPY of exactly the rows that it wrote into the same tables, emptied, with their keys and indexes. `catalog-import-unchanged`: the same file again, which changes nothing. `catalog-import-memory`: the peak memory of this process during the import',
  measure: async (server) => {
    server.say('catalog-import: a file of 100,000 brands is written')
    const folder = await mkdtemp(join(server.dataDir, 'import-'))
    try {
      const file = join(folder, 'catalog.jsonl')
      await writeFile(file, yieldCatalogLines(BRANDS))
      return await measure(server, file)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function measure(server: BenchServer, file: string): Promise<Reading[]> {
  await server.create('catalog_import')
  const db = server.open('catalog_import')
  const input: CatalogInput = { format: 'jsonl', lines: () => createInterface({ input: createReadStream(file) }) }
  try {
    server.say('catalog-import: the file is imported')
    const memory = watchMemory()
    const first = await measureSeconds(() => importCatalog(db, input))
    const mib = memory.stop()
    const again = await measureSeconds(() => importCatalog(db, input))
    server.say('catalog-import: its rows are copied')
    const copy = await measureCopySeconds(db)
    return [
      { name: 'catalog-import', ours: first, limit: copy, goal: atMost(60), unit: 's' },
      { name: 'catalog-import-unchanged', ours: again, limit: copy, goal: atMost(60), unit: 's' },
      { name: 'catalog-import-memory', ours: mib, limit: mib, goal: atMost(500), unit: 'MiB' },
    ]
  } finally {
    await db.close()
    await server.drop('catalog_import')
  }
}

const atMost = (value: number) => ({ of: 'ours', bound: 'at most', value }) as const

/**
 * Exports the imported rows to files in the server's data directory, truncates the tables, and times copying the rows
 * back.
 */
async function measureCopySeconds(db: Database): Promise<number> {
  const [place] = await db.reader<{ folder: string }[]>`select current_setting('data_directory') as folder`
  const copy = (table: string, way: 'to' | 'from') =>
    db.reader.unsafe(`copy ${table} ${way} '${place?.folder}/import_${table}.rows'`)
  for (const table of TABLES) await copy(table, 'to')
  await db.reader`truncate ${db.reader([...TABLES])} cascade`
  return measureSeconds(async () => {
    for (const table of TABLES) await copy(table, 'from')
  })
}

/** Tracks the peak resident memory above the level at the start. */
function watchMemory() {
  const before = process.memoryUsage.rss()
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 50)
  return {
    stop: (): number => {
      clearInterval(timer)
      return Math.round((most - before) / 1024 / 1024)
    },
  }
}
