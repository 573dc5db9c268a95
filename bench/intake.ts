import { createCatalogStore } from '../src/catalog/catalog/index.ts'
import type { Database } from '../src/platform/db/database.ts'
import { ingestEvents, type SourceEventInput } from '../src/purchases/transactions/index.ts'
import type { Benchmark } from './benchmark.ts'
import type { BenchServer } from './support/bench-server.ts'
import { BRANDS, buildBrandName, buildBrandSite, fillCatalog } from './support/catalog.ts'
import { computeMedian, measureSeconds } from './support/rounds.ts'
import { type BenchUser, createTenant, createUsers, type Tenant } from './support/tenant.ts'
import { readColumns, readLastWriter, readWritten, type Table, writeRows } from './support/written-rows.ts'

const BATCH = 500
const USERS = 20_000
const WARM_UP = 10
const ROUNDS = 5
const BATCHES_PER_ROUND = 20

/** The tables that ingesting a batch writes to. */
const TABLES: readonly Table[] = [
  { name: 'source_claims', byUser: false },
  { name: 'source_events', byUser: true },
  { name: 'transactions', byUser: true },
  { name: 'decisions', byUser: true },
  { name: 'allowance_holds', byUser: true },
  { name: 'journals', byUser: true },
  { name: 'ledger_deltas', byUser: false },
  { name: 'user_balances', byUser: true, changedBy: ['user_id', 'currency'] },
  { name: 'events', byUser: true },
  { name: 'event_queue', byUser: false },
  { name: 'list_count_deltas', byUser: false },
]

export const intake: Benchmark = {
  name: 'intake',
  about:
    'batches of 500 purchases (60% rewarded, 40% unmatched; 20,000 users, 2,000 brands) through decision, ledger and events. The limit writes exactly the rows that each batch wrote to a twin database, with one insert per table and all values computed beforehand',
  measure: async (server) => {
    const { tenant, users } = await prepare(server)
    const ours = server.open('intake_ours')
    const limit = server.open('intake_limit')
    try {
      const { oursPerSecond, limitPerSecond } = await race(ours, limit, tenant, users)
      return [
        {
          name: 'intake',
          ours: oursPerSecond,
          limit: limitPerSecond,
          goal: { of: 'ratio', bound: 'at least', value: 0.6 },
          unit: 'transactions/s',
        },
      ]
    } finally {
      await ours.close()
      await limit.close()
      await server.drop('intake_ours')
      await server.drop('intake_limit')
    }
  },
}

/** Creates two identical databases, so that both sides start with the same tables. */
async function prepare(server: BenchServer): Promise<{ tenant: Tenant; users: BenchUser[] }> {
  server.say('intake: 20,000 users and 2,000 brands are made')
  await server.create('intake_ours')
  const db = server.open('intake_ours')
  try {
    const tenant = await createTenant(db)
    await fillCatalog(db)
    const users = await createUsers(db, tenant, USERS)
    await db.close()
    await server.create('intake_limit', 'intake_ours')
    return { tenant, users }
  } finally {
    await db.close()
  }
}

async function race(ours: Database, limit: Database, tenant: Tenant, users: readonly BenchUser[]) {
  const deps = { catalog: createCatalogStore(ours) }
  const columns = await readColumns(ours, TABLES)
  let next = 0
  const both = async (): Promise<{ ours: number; limit: number }> => {
    const batch = Array.from({ length: BATCH }, () => buildPurchase(users, next++))
    const took = await measureSeconds(() =>
      ours.transaction((tx) => ingestEvents(tx, deps, tenant.publisher, batch, new Date())),
    )
    const writer = await readLastWriter(ours, 'list_count_deltas')
    const userIds = [...new Set(batch.map((event) => event.userId))]
    const rows = await readWritten(ours, TABLES, columns, writer, userIds)
    return { ours: took, limit: await measureSeconds(() => writeRows(limit, rows)) }
  }
  for (let count = 0; count < WARM_UP; count++) await both()
  const rounds: { ours: number; limit: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const sum = { ours: 0, limit: 0 }
    for (let count = 0; count < BATCHES_PER_ROUND; count++) {
      const took = await both()
      sum.ours += took.ours
      sum.limit += took.limit
    }
    rounds.push(sum)
  }
  const perSecond = (seconds: number): number => (BATCH * BATCHES_PER_ROUND) / seconds
  return {
    oursPerSecond: computeMedian(rounds.map((round) => perSecond(round.ours))),
    limitPerSecond: computeMedian(rounds.map((round) => perSecond(round.limit))),
  }
}

/**
 * Builds a purchase. Three in five contain a brand's name in one of the forms that card feeds use. The others match no
 * brand in the catalog.
 */
export function buildPurchase(users: readonly BenchUser[], number: number): SourceEventInput {
  const user = users[(number * 7919) % users.length]
  if (user === undefined) throw new Error('there are no users')
  const brand = (number * 31) % BRANDS
  const known = number % 5 < 3
  const name = known ? buildBrandName(brand) : `Unlisted Trader ${number % 997}`
  return {
    userId: user.userId,
    source: 'CARD',
    externalId: `purchase-${number}`,
    kind: 'CLEARING',
    originalExternalId: null,
    amount: BigInt(1_000 + ((number * 37) % 15_000)),
    currency: 'USD',
    // In chronological order, by far the most common case. An earlier purchase would also change the later ones.
    occurredAt: new Date(Date.now() - 86_400_000 + (number % 86_400) * 1_000),
    dateOnly: false,
    facts: {
      merchantDescriptor: `${name.toUpperCase()} #${1_000 + (number % 9_000)} NEW YORK NY`,
      ...(number % 2 === 0 ? { merchantName: name } : {}),
      ...(known && number % 3 === 0 ? { website: buildBrandSite(brand) } : {}),
      mcc: '5999',
      city: 'New York',
      state: 'NY',
      zipCode: '10001',
      accountId: user.accountId,
    },
  }
}
