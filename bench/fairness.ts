import { createCatalogStore } from '../src/catalog/catalog/index.ts'
import { ingestEvents } from '../src/purchases/transactions/index.ts'
import type { Benchmark, Reading } from './benchmark.ts'
import { buildPurchase } from './intake.ts'
import type { BenchServer } from './support/bench-server.ts'
import { type FloodPlan, type Pair, playBeside } from './support/beside.ts'
import { fillCatalog } from './support/catalog.ts'
import type { Waits } from './support/measured-caller.ts'
import { createSandboxes, createUsers } from './support/tenant.ts'

const USERS = 5_000
const PURCHASES = 50_000
const BATCH = 500
const SETTLE_MS = 5_000
const PART = 0.95
const TEMPLATE = 'fairness_template'
const DATABASE = 'fairness'
// Allows for the two cores that the measured publisher, its neighbor, and the programs simulating both have to share.
const RATIO_MAX = 3

const CALLS = { users: 1_000, statusesPerSecond: 20, purchasesPerSecond: 5, seconds: 40 }

// A load that two cores can serve while they also run the programs that send it.
const NEIGHBOUR_LIMITS = { readsPerSecond: 100, eventsPerSecond: 200 }

const AT_THE_LIMITS: FloodPlan = {
  users: USERS,
  ...NEIGHBOUR_LIMITS,
  eventsPerBatch: 50,
  searchEvery: 40,
  reportsAtOnce: 1,
  reportEveryMs: 20_000,
  replaysPerSecond: 0.1,
  endpoints: 2,
  receiverMs: 0,
}
const TEN_TIMES: FloodPlan = {
  ...AT_THE_LIMITS,
  readsPerSecond: 10 * NEIGHBOUR_LIMITS.readsPerSecond,
  eventsPerSecond: 10 * NEIGHBOUR_LIMITS.eventsPerSecond,
  eventsPerBatch: 500,
  searchEvery: 8,
  reportsAtOnce: 10,
  reportEveryMs: 0,
  replaysPerSecond: 1,
  endpoints: 20,
  receiverMs: 14_000,
}

export const fairness: Benchmark = {
  name: 'fairness',
  about:
    'how long a publisher waits (p95) next to a neighbor that sends ten times what its limits allow (statuses, pages, searches, batches of 500, ten concurrent reports, replays; 20 endpoints that take 14 s to answer). The limit is the same next to a neighbor at its limits with fast endpoints. Api and worker run in one process each, and the programs of both publishers share their processors. `fairness-statuses`: GET /users/status. `fairness-purchases`: POST /transactions. `fairness-webhooks`: from the event of a purchase to its first delivery. `fairness-maturing`: from the event of a ripe purchase to that of its matured reward',
  measure: async (server) => {
    const pair = await prepare(server)
    try {
      const limit = await waitsBeside(server, pair, AT_THE_LIMITS, 'a neighbour at its limits')
      const ours = await waitsBeside(server, pair, TEN_TIMES, 'a neighbour at ten times its limits')
      return (['statuses', 'purchases', 'webhooks', 'maturing'] as const).map(
        (kind): Reading => ({
          name: `fairness-${kind}`,
          ours: p95(ours[kind]),
          limit: p95(limit[kind]),
          goal: { of: 'ratio', bound: 'at most', value: RATIO_MAX },
          unit: 'ms',
        }),
      )
    } finally {
      await server.drop(TEMPLATE)
    }
  },
}

/**
 * Creates two sandboxes, because only a sandbox may send webhooks to this machine. The neighbor has searchable
 * purchases.
 */
async function prepare(server: BenchServer): Promise<Pair> {
  server.say('fairness: two publishers, the neighbour with 50,000 purchases, are made')
  await server.create(TEMPLATE)
  const db = server.open(TEMPLATE)
  try {
    await fillCatalog(db)
    const [measured, neighbour] = await createSandboxes(db, NEIGHBOUR_LIMITS)
    await createUsers(db, measured, CALLS.users)
    const users = await createUsers(db, neighbour, USERS)
    const deps = { catalog: createCatalogStore(db) }
    for (let from = 0; from < PURCHASES; from += BATCH) {
      const batch = Array.from({ length: BATCH }, (_, index) => buildPurchase(users, from + index))
      await db.transaction((tx) => ingestEvents(tx, deps, neighbour.publisher, batch, new Date()))
    }
    await db.reader`truncate event_queue`
    // Autovacuum would do this within a minute.
    await db.reader`analyze`
    return { measured, neighbour }
  } finally {
    await db.close()
  }
}

async function waitsBeside(server: BenchServer, pair: Pair, plan: FloodPlan, say: string): Promise<Waits> {
  server.say(`fairness: beside ${say}`)
  const databaseUrl = await server.create(DATABASE, TEMPLATE)
  try {
    const { waits, counts } = await playBeside({ DATABASE_URL: databaseUrl }, pair, CALLS, plan, SETTLE_MS)
    server.say(`fairness: the neighbour's calls ${JSON.stringify(counts)}`)
    return waits
  } finally {
    await server.drop(DATABASE)
  }
}

function p95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * PART)] ?? Number.NaN
}
