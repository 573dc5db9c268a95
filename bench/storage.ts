import { createCatalogStore } from '../src/catalog/catalog/index.ts'
import type { Database } from '../src/platform/db/database.ts'
import { ingestEvents } from '../src/purchases/transactions/index.ts'
import type { Benchmark, Reading } from './benchmark.ts'
import { buildPurchase } from './intake.ts'
import { fillCatalog } from './support/catalog.ts'
import { createTenant, createUsers } from './support/tenant.ts'

const BATCH = 500
const USERS = 20_000
const PURCHASES = 200_000
const DATABASE = 'storage'

/**
 * The maximum bytes per purchase in these tables, including indexes. The total across all tables has a tighter bound.
 */
const PARTS: readonly { readonly name: string; readonly tables: readonly string[]; readonly most: number }[] = [
  { name: 'decisions', tables: ['decisions'], most: 1_229 },
  { name: 'events', tables: ['events', 'event_queue'], most: 1_024 },
  { name: 'transactions', tables: ['transactions'], most: 820 },
  { name: 'source-events', tables: ['source_events'], most: 410 },
  { name: 'keys', tables: ['source_claims'], most: 410 },
  { name: 'ledger', tables: ['journals', 'ledger_deltas'], most: 512 },
]
const WHOLE_MOST = 2_048

export const storage: Benchmark = {
  name: 'storage',
  about:
    '200,000 purchases ingested as in `intake` (60% rewarded, 40% unmatched): the bytes per purchase in all tables and indexes, in total and by part. The limit is the bytes of its source event, which cannot be derived from anything else',
  measure: async (server) => {
    await server.create(DATABASE)
    const db = server.open(DATABASE)
    try {
      const tenant = await createTenant(db)
      await fillCatalog(db)
      const users = await createUsers(db, tenant, USERS)
      const before = await readSizes(db)
      server.say(`storage: ${PURCHASES} purchases are ingested`)
      const deps = { catalog: createCatalogStore(db) }
      for (let from = 0; from < PURCHASES; from += BATCH) {
        const batch = Array.from({ length: BATCH }, (_, index) => buildPurchase(users, from + index))
        await db.transaction((tx) => ingestEvents(tx, deps, tenant.publisher, batch, new Date()))
      }
      return buildReadings(before, await readSizes(db))
    } finally {
      await db.close()
      await server.drop(DATABASE)
    }
  },
}

function buildReadings(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): Reading[] {
  const grown = (tables: Iterable<string>): number =>
    [...tables].reduce((sum, name) => sum + (after.get(name) ?? 0) - (before.get(name) ?? 0), 0) / PURCHASES
  const limit = grown(['source_events'])
  const reading = (name: string, ours: number, most: number): Reading => ({
    name,
    ours: Math.round(ours),
    limit: Math.round(limit),
    unit: 'bytes',
    goal: { of: 'ours', bound: 'at most', value: most },
  })
  return [
    reading('storage', grown(after.keys()), WHOLE_MOST),
    ...PARTS.map(({ name, tables, most }) => reading(`storage-${name}`, grown(tables), most)),
  ]
}

/** Returns the bytes of each table, including its indexes and TOAST. */
async function readSizes(db: Database): Promise<Map<string, number>> {
  await db.reader`vacuum analyze`
  const rows = await db.reader<{ name: string; bytes: number }[]>`
    select relname as name, pg_total_relation_size(oid)::float8 as bytes
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`
  return new Map(rows.map(({ name, bytes }) => [name, bytes]))
}
