import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { type CatalogInput, importCatalog } from '../src/catalog/index.ts'
import type { Database } from '../src/platform/database.ts'
import type { Line, Reading } from './line.ts'
import { catalogLines } from './support/catalog-file.ts'
import type { Ground } from './support/ground.ts'
import { secondsOf } from './support/rounds.ts'

const BRANDS = 100_000
/** What an import writes, in the order in which keys allow it. */
const TABLES = ['categories', 'brands', 'offers', 'offer_versions', 'stores', 'programs'] as const

export const catalogImport: Line = {
  name: 'catalog-import',
  about:
    'a file of 100,000 brands with 500,000 offers in JSON Lines taken into an empty catalog, against COPY of the very rows that it wrote into the same tables, emptied, with their keys and indexes; the same file once more, which changes nothing; and the most memory that this process took for it',
  measure: async (ground) => {
    ground.say('catalog-import: a file of 100,000 brands is written')
    const folder = await mkdtemp(join(ground.dataDir, 'import-'))
    try {
      const file = join(folder, 'catalog.jsonl')
      await writeFile(file, catalogLines(BRANDS))
      await mkdir(join(folder, 'rows'))
      return await measure(ground, file, join(folder, 'rows'))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function measure(ground: Ground, file: string, rows: string): Promise<Reading[]> {
  await ground.create('catalog_import')
  const db = ground.open('catalog_import')
  const input: CatalogInput = { format: 'jsonl', lines: () => createInterface({ input: createReadStream(file) }) }
  try {
    ground.say('catalog-import: it is taken in')
    const memory = watchMemory()
    const first = await secondsOf(() => importCatalog(db, input))
    const mib = memory.stop()
    const again = await secondsOf(() => importCatalog(db, input))
    ground.say('catalog-import: its rows are copied')
    const copy = await secondsOfCopy(db, rows)
    return [
      { name: 'catalog import', ours: first, limit: copy, goal: atMost(60), unit: 's' },
      { name: 'catalog import, unchanged', ours: again, limit: copy, goal: atMost(60), unit: 's' },
      { name: 'catalog import, memory', ours: mib, limit: mib, goal: atMost(500), unit: 'MiB' },
    ]
  } finally {
    await db.close()
    await ground.drop('catalog_import')
  }
}

const atMost = (value: number) => ({ of: 'ours', bound: 'at most', value }) as const

/** The rows go out to files, and come back into the emptied tables. */
async function secondsOfCopy(db: Database, folder: string): Promise<number> {
  const fileOf = (table: string) => join(folder, table)
  await db.transaction(async (tx) => {
    for (const table of TABLES)
      await pipeline(await tx`copy ${tx(table)} to stdout`.readable(), createWriteStream(fileOf(table)))
    await tx`truncate ${tx([...TABLES])} cascade`
  })
  return secondsOf(() =>
    db.transaction(async (tx) => {
      for (const table of TABLES)
        await pipeline(createReadStream(fileOf(table)), await tx`copy ${tx(table)} from stdin`.writable())
    }),
  )
}

/** The most resident memory above what was there at the beginning. */
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
